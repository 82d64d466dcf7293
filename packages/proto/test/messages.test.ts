// Runs the suites about messages as bytes and as JSON in one file, so that the library is loaded once.
import "./decode.suite.ts";
import "./encode.suite.ts";
import "./json.suite.ts";
import "./protos.suite.ts";
