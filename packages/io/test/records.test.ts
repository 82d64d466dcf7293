// Runs the suites of TFRecord files, so that the library is loaded once.
import "./record/parse-example.suite.ts";
import "./record/real-files.suite.ts";
import "./record/tf-records.suite.ts";
