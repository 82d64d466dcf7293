// Tensors on their way: protocol messages, variants, transfers between threads. Small suites that load the library once.
import "./compress-tensor-proto.suite.ts";
import "./shared-memory.suite.ts";
import "./tensor-as-proto.suite.ts";
import "./tensor-from-proto.suite.ts";
import "./transfer-tensor.suite.ts";
import "./variant.suite.ts";
import "./variant-proto.suite.ts";
