// What gradients are: adjoints, variables, orders, networks, steps of training; gradients beside differences, and rules with operations of
// their own beside exact adjoints.
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
import "./check-gradients.suite.ts";
import "./differences/differences.suite.ts";
import "./random-gradients/random-gradients.suite.ts";
import "./folded-windows.suite.ts";
import "./special-points.suite.ts";
import "./row-rules.suite.ts";
import "./scan-rules.suite.ts";
import "./window-rules.suite.ts";
