// Runs the suites of sources and sinks, and of collections of tensors, so that the library is loaded once.
import "./source/byte-sinks.suite.ts";
import "./source/byte-sources.suite.ts";
import "./source/http-source.suite.ts";
import "./source/read-plan.suite.ts";
import "./tensor/tensors-by-name.suite.ts";
