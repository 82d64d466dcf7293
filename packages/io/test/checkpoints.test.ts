// Runs the suites of tables and checkpoints, so that the library is loaded once.
import "./checkpoint/bundle-round-trip.suite.ts";
import "./checkpoint/bundle-writer.suite.ts";
import "./checkpoint/checkpoint-reader.suite.ts";
import "./checkpoint/malformed-bundles.suite.ts";
import "./checkpoint/real-checkpoints.suite.ts";
import "./table/table.suite.ts";
