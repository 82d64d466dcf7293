// Runs the suites about the contents of messages (tensors, objects, memory owners, real files) in one file, so that the library is
// loaded once.
import "./hostile-tensors.suite.ts";
import "./memory-owner.suite.ts";
import "./object-content.suite.ts";
import "./real-files.suite.ts";
