// Runs the suites of the runner itself in one file, so that the library is loaded once.
import "./lists.suite.ts";
import "./mutated-vectors.suite.ts";
import "./rules.suite.ts";
