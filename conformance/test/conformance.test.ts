// Runs the committed vectors and the suites of the runner itself in one file, so that the library is loaded once.
import "./lists.suite.ts";
import "./main.suite.ts";
import "./mutated-vectors.suite.ts";
import "./rules.suite.ts";
import "./vectors.suite.ts";
