// Runs the suites of packages/io, so that the library is loaded once.
import "./header-verdicts.suite.ts";
import "./lazy-npy.suite.ts";
import "./npy-array.suite.ts";
import "./npy-header.suite.ts";
import "./npy-memory.suite.ts";
import "./read-npy.suite.ts";
import "./real-files.suite.ts";
import "./write-npy.suite.ts";
