// Shapes: what they are, their text, messages and helpers. Small suites that load the library once.
import "./dimension-surgery.suite.ts";
import "./primitive-type.suite.ts";
import "./shape.suite.ts";
import "./shape-proto.suite.ts";
import "./shape-text.suite.ts";
import "./shape-util.suite.ts";
import "./types.suite.ts";
import "./validate.suite.ts";
