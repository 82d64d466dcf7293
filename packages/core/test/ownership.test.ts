// Ownership, lifetime and allocation: references, buffers, scopes, object elements, allocators and the arena. Small suites in one file, so
// that the library is loaded once.
import { configureMemory } from "@onebuffer/allocator";
import "./buffer/buffers.suite.ts";
import "./element/element-ownership.suite.ts";
import "./element/object-elements.suite.ts";
import "./element/resource-handle.suite.ts";
import "./tensor/scope.suite.ts";
import "./buffer/sub-buffer.suite.ts";
import "./tensor/tensor-reference.suite.ts";
import "./buffer/allocators.suite.ts";
import "./buffer/bfc-tensors.suite.ts";
import "./arena/allocation-faults.suite.ts";

// Many of these tests fill small arenas. Without this setting each refusal would run a garbage collection of the whole test runner.
configureMemory({ sweep: false });
