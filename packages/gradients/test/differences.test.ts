// Gradients beside differences.
import "./check-gradients.suite.ts";
import "./differences/differences.suite.ts";
import "./random-gradients/random-gradients.suite.ts";
