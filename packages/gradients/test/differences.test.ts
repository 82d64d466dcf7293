// Gradients beside differences, and rules with operations of their own beside exact adjoints.
import "./check-gradients.suite.ts";
import "./differences/differences.suite.ts";
import "./random-gradients/random-gradients.suite.ts";
import "./scan-rules.suite.ts";
import "./window-rules.suite.ts";
