// Runs the suites of the adapters for other libraries' arrays, so that the library is loaded once.
import "./adapters/adapters.suite.ts";
