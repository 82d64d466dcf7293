// Runs the suites of tables and checkpoints, so that the library is loaded once.
import "./checkpoint/real-checkpoints.suite.ts";
