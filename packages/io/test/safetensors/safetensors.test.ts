// Runs the suites of safetensors, so that the library is loaded once.
import "./header-verdicts.suite.ts";
import "./read-safetensors.suite.ts";
import "./real-files.suite.ts";
import "./safetensors-file.suite.ts";
import "./safetensors-model.suite.ts";
import "./write-safetensors.suite.ts";
