// What gradients are: adjoints, variables, orders.
import "./adjoints.suite.ts";
import "./gradient-types.suite.ts";
import "./orders.suite.ts";
import "./variables.suite.ts";
