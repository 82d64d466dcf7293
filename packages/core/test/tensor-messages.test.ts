// Tensors as messages: protocol buffers, variants, transfers between threads. Small suites in one file, so that the library is loaded once.
import "./proto/compress-tensor-proto.suite.ts";
import "./buffer/shared-memory.suite.ts";
import "./proto/tensor-as-proto.suite.ts";
import "./proto/tensor-from-proto.suite.ts";
import "./tensor/transfer-tensor.suite.ts";
import "./element/variant.suite.ts";
import "./proto/variant-proto.suite.ts";
