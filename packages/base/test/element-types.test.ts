// Runs the suites of packages/base, so that the library is loaded once.
import "./callers-values.suite.ts";
import "./data-types.suite.ts";
import "./dtype-table.suite.ts";
import "./element-codec.suite.ts";
import "./options-check.suite.ts";
import "./small-numbers.suite.ts";
import "./status-error.suite.ts";
import "./typed-array-view.suite.ts";
import "./types.suite.ts";
