// Runs the suites on layouts: addressing, views, literals. In one test file, so that the library is loaded only once.
import "./address/addressing.suite.ts";
import "./surgery/for-each-index.suite.ts";
import "./view/kernel-copy.suite.ts";
import "./surgery/layout-util.suite.ts";
import "./view/layout-view.suite.ts";
import "./view/literal.suite.ts";
import "./surgery/reshape-analysis.suite.ts";
