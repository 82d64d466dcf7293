// Tensors as messages (protocol buffers, variants, transfers between threads) and as text (descriptions, summaries, NumPy's print, the
// matchers' messages). Small suites in one file, so that the library is loaded once.
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
