// What gradients are: adjoints, variables, orders, networks, steps of training.
import "./adjoints.suite.ts";
import "./gradient-types.suite.ts";
import "./misuse.suite.ts";
import "./networks/evaluation.suite.ts";
import "./networks/training-steps.suite.ts";
import "./orders.suite.ts";
import "./training-steps.suite.ts";
import "./update-rules.suite.ts";
import "./variable-ranges.suite.ts";
import "./variables.suite.ts";
