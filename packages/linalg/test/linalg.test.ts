// Linear algebra: factors, solutions, what is composed of them, and operations that bring their record with them.
import "./composed.suite.ts";
import "./custom-calls.suite.ts";
import "./gradients.suite.ts";
import "./memory-faults.suite.ts";
import "./ratios.suite.ts";
import "./singular.suite.ts";
import "./small-batches.suite.ts";
import "./stablehlo.suite.ts";
import "./trace.suite.ts";
import "./types.suite.ts";
