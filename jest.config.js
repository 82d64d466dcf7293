import { availableParallelism } from "node:os";
import { checksKernels } from "./tools/checked-kernels/tests.mjs";

/** @type {import("jest").Config} */
export default {
  globalSetup: "<rootDir>/jest-setup.js",
  testEnvironment: "./jest-env.js",
  testRunner: "./jest-run.js",
  testMatch: ["<rootDir>/packages/*/dist/test/**/*.test.js", "<rootDir>/conformance/dist/test/**/*.test.js", "<rootDir>/house/*.test.js"],
  // A line per package; failures are printed once, when they happen, so the summary at the end has only the totals.
  reporters: ["<rootDir>/tools/test-report.mjs", ["summary", { summaryThreshold: 1_000_000 }]],
  setupFilesAfterEnv: [
    "<rootDir>/jest-ledger.js",
    "<rootDir>/jest-kernels.js",
    ...(checksKernels ? ["<rootDir>/tools/checked-kernels/jest-setup.mjs"] : []),
  ],
  // One more than there are processors: the default leaves one idle, and some tests wait for the processes and threads that they start.
  maxWorkers: availableParallelism() + 1,
  moduleNameMapper: { "^fast-check$": "<rootDir>/jest-fast-check.js" },
  // `npm run pack` and `npm run test:engines` lay out packages of the same names.
  modulePathIgnorePatterns: ["<rootDir>/build/", "<rootDir>/out/"],
  // A worker whose heap has grown to this size is replaced by a new one. What a file leaves is freed (jest-modules.js), so that is one that
  // holds what no test should.
  workerIdleMemoryLimit: "1GB",
  // Long, so that a busy machine does not fail a test; tests of speed set limits of their own.
  testTimeout: 30_000,
  testSequencer: "./tools/test-sequencer.mjs",
  // Test files, what runs before each, and the examples become their bundles in a run of all tests.
  transform: { "\\.test\\.js$|/jest-ledger\\.js$|/examples/[\\w-]+/[\\w-]+\\.js$": "<rootDir>/tools/test-transform.mjs" },
  coverageProvider: "v8",
  collectCoverageFrom: ["packages/*/dist/src/**/*.js"],
};
