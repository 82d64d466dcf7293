// Runs the suites of packages/slice, so that the library is loaded once.
import "./copy-tensor-slice.suite.ts";
import "./ordered-code.suite.ts";
import "./parse-shape-and-slice.suite.ts";
import "./register-tensor-slice.suite.ts";
import "./tensor-name-slice.suite.ts";
import "./tensor-slice-geometry.suite.ts";
import "./tensor-slice-proto.suite.ts";
import "./tensor-slice-set.suite.ts";
import "./tensor-slice-text.suite.ts";
import "./tensor-slice.suite.ts";
import "./types.suite.ts";
