// Runs the suites about messages as bytes and as JSON and about their contents (tensors, objects, memory owners, real files) in one file,
// so that the library is loaded once.
import "./decode.suite.ts";
import "./encode.suite.ts";
import "./example.suite.ts";
import "./fuzz.suite.ts";
import "./hostile-tensors.suite.ts";
import "./json.suite.ts";
import "./memory-owner.suite.ts";
import "./object-content.suite.ts";
import "./oracle-model.suite.ts";
import "./protos.suite.ts";
import "./real-files.suite.ts";
import "./text-format.suite.ts";
