// Who holds what, and how long: references, buffers, scopes, elements that are objects. Small suites that load the library once.
import "./buffer/buffers.suite.ts";
import "./element/element-ownership.suite.ts";
import "./element/object-elements.suite.ts";
import "./element/resource-handle.suite.ts";
import "./tensor/scope.suite.ts";
import "./buffer/sub-buffer.suite.ts";
import "./tensor/tensor-reference.suite.ts";
