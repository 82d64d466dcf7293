// Making, reading, writing, evaluating and refusing tensors. Small suites in one file, so that the library is loaded once.
import "./tensor/empty-shapes.suite.ts";
import "./tensor/float4.suite.ts";
import "./buffer/foreign-buffer.suite.ts";
import "./tensor/hostile-input.suite.ts";
import "./lying-arrays.suite.ts";
import "./tensor/stack-tensors.suite.ts";
import "./tensor/tensor.suite.ts";
import "./tensor/tensor-array-buffer.suite.ts";
import "./tensor/slice-hints.suite.ts";
import "./tensor/tensor-errors.suite.ts";
import "./tensor/tensor-evaluate.suite.ts";
import "./tensor/tensor-operands.suite.ts";
import "./tensor/tensor-options.suite.ts";
import "./tensor/tensor-strided.suite.ts";
import "./tensor/tensor-types.suite.ts";
import "./tensor/tensor-util.suite.ts";
import "./tensor/tensor-write-through.suite.ts";
