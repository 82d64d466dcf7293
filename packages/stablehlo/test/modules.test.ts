/** The tests of the package's text half. */
import "./modules.suite.ts";
import "./refusals.suite.ts";
