// What tensors are told as: descriptions, summaries, NumPy's print, the matchers' messages. Small suites that load the library once.
import "./describe.suite.ts";
import "./expect-tensors.suite.ts";
import "./numpy-print.suite.ts";
import "./summarize-value.suite.ts";
