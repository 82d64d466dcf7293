// Runs the suites on shapes: values, text, messages, ShapeUtil. In one test file, so that the library is loaded only once.
import "./surgery/dimension-surgery.suite.ts";
import "./type/primitive-type.suite.ts";
import "./model/shape.suite.ts";
import "./proto/shape-proto.suite.ts";
import "./text/shape-text.suite.ts";
import "./surgery/shape-util.suite.ts";
import "./type/types.suite.ts";
import "./model/validate.suite.ts";
