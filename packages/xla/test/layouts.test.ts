// Layouts: where elements lie, views and literals over them. Small suites that load the library once.
import "./addressing.suite.ts";
import "./for-each-index.suite.ts";
import "./kernel-copy.suite.ts";
import "./layout-util.suite.ts";
import "./layout-view.suite.ts";
import "./literal.suite.ts";
import "./reshape-analysis.suite.ts";
