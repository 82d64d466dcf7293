// fast-check for all tests: a property that names no number of runs has 30 in `npm test`, and fast-check's own 100 in `npm run long`.
import fc from "./node_modules/fast-check/lib/fast-check.js";

fc.configureGlobal({
  numRuns: process.env.ONEBUFFER_LONG === undefined ? 30 : 100,
  endOnFailure: process.env.ONEBUFFER_MUTATION !== undefined,
});

export * from "./node_modules/fast-check/lib/fast-check.js";
export default fc;
