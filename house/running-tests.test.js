// How the tests run: what the repository adds to Jest, and its report. The suites of house run in few files, because a file has a context of its
// own, into which Jest and its matchers are loaded again.
import "./jest-code-cache.suite.js";
import "./jest-expect.suite.js";
import "./jest-limit.suite.js";
import "./jest-modules.suite.js";
import "./jest-test-owner.suite.js";
import "./stopwatch.suite.js";
import "./test-files.suite.js";
import "./test-report.suite.js";
