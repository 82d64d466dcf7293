// What an element, a row or a column gives depends on nothing beside it: small suites that load the library once.
import "./neighbor-elements.suite.ts";
import "./neighbor-rows.suite.ts";
