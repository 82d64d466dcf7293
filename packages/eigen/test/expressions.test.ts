// Expressions, their types, errors, values and functions: small suites that load the library once.
import "./expression/axes.suite.ts";
import "./evaluator/cast-table.suite.ts";
import "./evaluator/evaluator-values.suite.ts";
import "./expression/expression-errors.suite.ts";
import "./expression/expression-tree.suite.ts";
import "./expression/expression-types.suite.ts";
import "./map/generated.suite.ts";
import "./evaluator/tensorflow-results.suite.ts";
