// Making, reading, writing, evaluating and refusing tensors; tensors as messages (protocol buffers, variants, transfers between threads)
// and as text (descriptions, summaries, NumPy's print, the matchers' messages); ownership, lifetime and allocation: references, buffers,
// scopes, object elements, allocators and the arena. Small suites in one file, so that the library is loaded once.
import { configureMemory } from "@onebuffer/allocator";
import "./buffer/foreign-buffer.suite.ts";
import "./lying-arrays.suite.ts";
import "./tensor/array-equality.suite.ts";
import "./tensor/empty-shapes.suite.ts";
import "./tensor/factories.suite.ts";
import "./tensor/flat-views.suite.ts";
import "./tensor/float4.suite.ts";
import "./tensor/hostile-input.suite.ts";
import "./tensor/slice-hints.suite.ts";
import "./tensor/stack-tensors.suite.ts";
import "./tensor/tensor-array-buffer.suite.ts";
import "./tensor/tensor-errors.suite.ts";
import "./tensor/tensor-evaluate.suite.ts";
import "./tensor/tensor-model.suite.ts";
import "./tensor/tensor-operands.suite.ts";
import "./tensor/tensor-options.suite.ts";
import "./tensor/tensor-strided.suite.ts";
import "./tensor/tensor-types.suite.ts";
import "./tensor/tensor-util.suite.ts";
import "./tensor/tensor-write-through.suite.ts";
import "./tensor/tensor.suite.ts";
import "./buffer/shared-memory.suite.ts";
import "./element/variant.suite.ts";
import "./proto/compress-tensor-proto.suite.ts";
import "./proto/tensor-as-proto.suite.ts";
import "./proto/tensor-from-proto.suite.ts";
import "./proto/variant-proto.suite.ts";
import "./tensor/transfer-tensor.suite.ts";
import "./testing/expect-tensors.suite.ts";
import "./text/console-text.suite.ts";
import "./text/describe.suite.ts";
import "./text/numpy-print.suite.ts";
import "./text/summarize-value.suite.ts";
import "./buffer/buffers.suite.ts";
import "./element/element-ownership.suite.ts";
import "./element/object-elements.suite.ts";
import "./element/resource-handle.suite.ts";
import "./tensor/scope/scope.suite.ts";
import "./tensor/scope/scope-async.suite.ts";
import "./tensor/scope/scope-errors.suite.ts";
import "./buffer/sub-buffer.suite.ts";
import "./tensor/tensor-reference.suite.ts";
import "./buffer/allocators.suite.ts";
import "./buffer/bfc-tensors.suite.ts";
import "./arena/allocation-faults.suite.ts";

// Many of these tests ask for more memory than there is, or fill small arenas. Without this setting each refusal would run a garbage
// collection of the whole test runner. The tests in lifetime/ and threads/ have sweeps.
configureMemory({ sweep: false });
