// Runs the suites of packages/shape in one file, so that the library is loaded once.
import "./partial-tensor-shape.suite.ts";
import "./sealed-shapes.suite.ts";
import "./shape-model.suite.ts";
import "./shape-routes.suite.ts";
import "./tensor-shape.suite.ts";
import "./tensor-shape-errors.suite.ts";
import "./tensor-shape-proto.suite.ts";
import "./tensor-shape-rep.suite.ts";
import "./tensor-shape-utils.suite.ts";
import "./types.suite.ts";
