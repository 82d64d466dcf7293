// Data types, their elements' bytes and the errors that name them: small suites that load the library once.
import "./data-types.suite.ts";
import "./element-codec.suite.ts";
import "./status-error.suite.ts";
import "./typed-array-view.suite.ts";
import "./types.suite.ts";
