/** @type {import("jest").Config} */
export default {
  testEnvironment: "./jest-env.js",
  testMatch: ["<rootDir>/packages/*/dist/test/**/*.test.js", "<rootDir>/conformance/dist/test/**/*.test.js", "<rootDir>/house/*.test.js"],
  setupFilesAfterEnv: ["<rootDir>/jest-ledger.js"],
  // All processors: the default leaves one idle, which is half of a small machine.
  maxWorkers: "100%",
  // A busy machine is no failure; what must be quick says so itself.
  // Jest never gives back the modules of an ES module suite, and a worker whose heap is full of them spends its time collecting:
  // one that has grown to this is replaced by a fresh one.
  workerIdleMemoryLimit: "700MB",
  testTimeout: 30_000,
  transform: {},
  coverageProvider: "v8",
  collectCoverageFrom: ["packages/*/dist/src/**/*.js"],
};
