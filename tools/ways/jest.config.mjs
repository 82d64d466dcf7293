import config from "../../jest.config.js";

/** @type {import("jest").Config} The tests of packages, over a library whose comparisons with thresholds are noted. */
export default {
  ...config,
  rootDir: "../..",
  testEnvironment: "<rootDir>/tools/ways/environment.mjs",
  testMatch: ["<rootDir>/packages/*/dist/test/**/*.test.js"],
  transform: { "/packages/[^/]+/dist/src/(?!.*generated/).*\\.js$": "<rootDir>/tools/ways/instrument.mjs" },
  testSequencer: "<rootDir>/tools/test-sequencer.mjs",
  reporters: ["<rootDir>/tools/test-report.mjs", ["summary", { summaryThreshold: 1_000_000 }]],
};
