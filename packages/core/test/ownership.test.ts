// Who holds what, and how long: references, buffers, scopes, elements that are objects. Small suites that load the library once.
import "./buffers.suite.ts";
import "./element-ownership.suite.ts";
import "./object-elements.suite.ts";
import "./ref-counted.suite.ts";
import "./refcount-scripts.suite.ts";
import "./resource-handle.suite.ts";
import "./scope.suite.ts";
import "./sub-buffer.suite.ts";
import "./tensor-reference.suite.ts";
import "./weak-ptr.suite.ts";
