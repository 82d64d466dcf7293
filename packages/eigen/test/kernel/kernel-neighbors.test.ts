// The result of an element, a row or a column does not depend on its neighbors. These suites run together, so that the library
// loads once.
import "./neighbor-elements.suite.ts";
import "./neighbor-rows.suite.ts";
