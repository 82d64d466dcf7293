// Runs the suites of tables, checkpoints, object graphs, TFRecord files and files of any format, so that the library is loaded once.
import "./checkpoint/bundle-round-trip.suite.ts";
import "./checkpoint/bundle-writer.suite.ts";
import "./checkpoint/checkpoint-reader.suite.ts";
import "./checkpoint/malformed-bundles.suite.ts";
import "./checkpoint/real-checkpoints.suite.ts";
import "./formats/formats.suite.ts";
import "./formats/real-files.suite.ts";
import "./object-graph/checkpoint-state.suite.ts";
import "./object-graph/object-graph.suite.ts";
import "./object-graph/real-graphs.suite.ts";
import "./record/parse-example.suite.ts";
import "./record/real-files.suite.ts";
import "./record/tf-records.suite.ts";
import "./table/table.suite.ts";
