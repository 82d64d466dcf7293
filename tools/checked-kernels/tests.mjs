// The address check of kernels in tests: `ONEBUFFER_CHECKED_KERNELS=1 npx jest` runs any tests with it.
import { AddressChecker } from "./checker.mjs";

/** True if tests run with the address check. */
export const checksKernels = process.env.ONEBUFFER_CHECKED_KERNELS === "1";

/** The property of a test file's global object that has its checker. */
export const kChecker = Symbol.for("onebuffer.test.addressChecker");

/** Gives a test file's global object a checker and a WebAssembly whose kernels are checked, if tests run with the check. */
export function checkerOfTests(global) {
  if (!checksKernels) return;
  const checker = new AddressChecker();
  global[kChecker] = checker;
  global.WebAssembly = checker.namespace(WebAssembly);
}
