// Tests that kernels agree with the plain evaluator, of their plans, and of products of matrices of every form. The suites run in one file so that the library is loaded only
// once. The first one collects the reasons why kernels did not run.
import "./kernel/agreement/operations.suite.ts";
import "./kernel/agreement/places.suite.ts";
import "./kernel/agreement/divisions.suite.ts";
import "./kernel/neighbor-elements.suite.ts";
import "./kernel/neighbor-rows.suite.ts";
import "./kernel/plan-memory.suite.ts";
import "./kernel/plan-patterns.suite.ts";
import "./kernel/plan-stages.suite.ts";
import "./kernel/staged-plans.suite.ts";
import "./kernel/alike-columns.suite.ts";
import "./kernel/batched-products.suite.ts";
import "./random-products/random-products.suite.ts";
