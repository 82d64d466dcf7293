// What tensors are told as: descriptions, summaries, NumPy's print, the matchers' messages. Small suites that load the library once.
import "./text/describe.suite.ts";
import "./testing/expect-tensors.suite.ts";
import "./text/numpy-print.suite.ts";
import "./text/summarize-value.suite.ts";
