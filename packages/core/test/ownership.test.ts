// Ownership and lifetime: references, buffers, scopes, object elements. Small suites in one file, so that the library is loaded once.
import "./buffer/buffers.suite.ts";
import "./element/element-ownership.suite.ts";
import "./element/object-elements.suite.ts";
import "./element/resource-handle.suite.ts";
import "./tensor/scope.suite.ts";
import "./buffer/sub-buffer.suite.ts";
import "./tensor/tensor-reference.suite.ts";
