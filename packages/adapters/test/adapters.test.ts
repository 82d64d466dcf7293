// Runs the suites of arrays of other libraries and of pictures, so that the library is loaded once.
import "./adapters.suite.ts";
import "./camera-loop.suite.ts";
import "./element-memory.suite.ts";
import "./exported-dtypes.suite.ts";
import "./images.suite.ts";
