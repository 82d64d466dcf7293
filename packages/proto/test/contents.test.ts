// What messages hold: tensors, objects, owners of memory, real files. Small suites that load the library once.
import "./hostile-tensors.suite.ts";
import "./memory-owner.suite.ts";
import "./object-content.suite.ts";
import "./real-files.suite.ts";
