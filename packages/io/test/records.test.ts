// Runs the suites of TFRecord files, so that the library is loaded once.
import "./record/real-files.suite.ts";
import "./record/tf-records.suite.ts";
