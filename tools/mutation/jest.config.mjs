import { join } from "node:path";
import config from "../../jest.config.js";

/** @type {import("jest").Config} The tests of packages over instrumented modules, for worker.mjs. */
export default {
  ...config,
  rootDir: "../..",
  // Test files are run by path: Jest need not list the tree.
  roots: ["<rootDir>/tools/mutation"],
  testEnvironment: "<rootDir>/tools/mutation/environment.mjs",
  transform: { "/packages/[^/]+/dist/src/.*\\.js$": "<rootDir>/tools/mutation/transform.mjs" },
  testSequencer: "<rootDir>/tools/test-sequencer.mjs",
  cacheDirectory: join(process.env.ONEBUFFER_MUTATION, "jest-cache"),
  reporters: [],
};
