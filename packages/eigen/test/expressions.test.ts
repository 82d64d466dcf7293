// Tests of expressions: the tree, types, errors and values, products over any axes and what is made of them. The suites run in one file so
// that the library is loaded only once.
import "./expression/axes.suite.ts";
import "./evaluator/cast-table.suite.ts";
import "./evaluator/complex-special.suite.ts";
import "./evaluator/evaluator-values.suite.ts";
import "./evaluator/gamma-poles.suite.ts";
import "./expression/expression-errors.suite.ts";
import "./expression/expression-tree.suite.ts";
import "./expression/expression-types.suite.ts";
import "./expression/immutable-expressions.suite.ts";
import "./expression/matrix-operations.suite.ts";
import "./expression/operation-options.suite.ts";
import "./expression/refused-sums.suite.ts";
import "./expression/statistics.suite.ts";
import "./map/generated.suite.ts";
import "./evaluator/tensorflow-results.suite.ts";
import "./evaluator/evaluator-model.suite.ts";
import "./kernel/general-products.suite.ts";
import "./kernel/product-epilogues.suite.ts";
import "./expression/einsum.suite.ts";
import "./expression/convolve.suite.ts";
