// Headers and files of .npy: small suites that load the library once.
import "./header-verdicts.suite.ts";
import "./npy-header.suite.ts";
import "./npy-memory.suite.ts";
import "./real-files.suite.ts";
