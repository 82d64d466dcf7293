// The pages: their links, programs and figures. What they say of the library is checked in loaded-library.test.js.
import "./codes-page.suite.js";
import "./links.suite.js";
import "./page-programs.suite.js";
import "./readme.suite.js";
