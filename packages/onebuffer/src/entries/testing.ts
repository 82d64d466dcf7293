/** The entry `onebuffer/testing`: matchers for tests that compare tensors. */
export * from "@onebuffer/core/testing";
