// Tensors as text: descriptions, summaries, NumPy's print, the matchers' messages. Small suites in one file, so that the library is loaded once.
import "./text/console-text.suite.ts";
import "./text/describe.suite.ts";
import "./testing/expect-tensors.suite.ts";
import "./text/numpy-print.suite.ts";
import "./text/summarize-value.suite.ts";
