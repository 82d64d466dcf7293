// Rules that are checked against the loaded library: its names, classes and tables, and what pages and scripts say of them. The suites run
// in one file so that the library is loaded only once.
import "./class-diagrams.suite.js";
import "./dtype-names.suite.js";
import "./expressions-page.suite.js";
import "./gradients-page.suite.js";
import "./internal-names.suite.js";
import "./names-page.suite.js";
import "./op-comparisons.suite.js";
import "./page-names.suite.js";
import "./public-names.suite.js";
import "./tool-imports.suite.js";
import "./xla-page.suite.js";
