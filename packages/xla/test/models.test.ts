// Models of shapes and layouts, for random ones and against brute force. In one test file, so that the library is loaded only once.
import "./address/addressing-model.suite.ts";
import "./surgery/bitcast-model.suite.ts";
import "./view/round-trip-model.suite.ts";
