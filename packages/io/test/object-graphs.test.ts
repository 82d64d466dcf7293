// Runs the suites of object graphs, `checkpoint` files and SavedModels, so that the library is loaded once.
import "./object-graph/checkpoint-state.suite.ts";
import "./object-graph/object-graph.suite.ts";
import "./object-graph/real-graphs.suite.ts";
