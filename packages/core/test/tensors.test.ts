// Tensors: made, read, written through, evaluated and refused. Small suites that load the library once.
import "./empty-shapes.suite.ts";
import "./float4.suite.ts";
import "./foreign-buffer.suite.ts";
import "./hostile-input.suite.ts";
import "./lying-arrays.suite.ts";
import "./tensor.suite.ts";
import "./tensor-array-buffer.suite.ts";
import "./tensor-errors.suite.ts";
import "./tensor-evaluate.suite.ts";
import "./tensor-strided.suite.ts";
import "./tensor-types.suite.ts";
import "./tensor-util.suite.ts";
import "./tensor-write-through.suite.ts";
