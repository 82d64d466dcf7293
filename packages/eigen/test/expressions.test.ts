// Expressions, their types, errors, values and functions: small suites that load the library once.
import "./axes.suite.ts";
import "./cast-table.suite.ts";
import "./evaluator-values.suite.ts";
import "./expression-errors.suite.ts";
import "./expression-tree.suite.ts";
import "./expression-types.suite.ts";
import "./generated.suite.ts";
import "./math.suite.ts";
import "./tensorflow-results.suite.ts";
