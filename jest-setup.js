// Jest's global setup: bundles the programs that tests start, and for a run of all tests the test files.
import { bundleTests, takesBundles } from "./tools/test-bundles.mjs";
import { bundlePrograms } from "./tools/test-programs.mjs";

export default async function setup(options) {
  await Promise.all([bundlePrograms(), ...(takesBundles(options) ? [bundleTests()] : [])]);
}
