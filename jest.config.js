/** @type {import("jest").Config} */
export default {
  testEnvironment: "./jest-env.js",
  testMatch: ["<rootDir>/packages/*/dist/test/**/*.test.js", "<rootDir>/conformance/dist/test/**/*.test.js", "<rootDir>/house/*.test.js"],
  setupFilesAfterEnv: ["<rootDir>/jest-ledger.js"],
  transform: {},
  coverageProvider: "v8",
  collectCoverageFrom: ["packages/*/dist/src/**/*.js"],
};
