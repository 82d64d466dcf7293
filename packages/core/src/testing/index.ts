/** @onebuffer/core/testing: matchers for tests of programs that use tensors. */
export type { Actual, CloseOptions, EqualOptions, Expected } from "./expect-tensors.ts";
export { expectClose, expectEqual } from "./expect-tensors.ts";
