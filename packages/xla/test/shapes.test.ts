// Runs the suites on shapes (values, text, messages, ShapeUtil) and on layouts (addressing, views, literals), and models of both, for random ones and against
// brute force. In one test file, so that the
// library is loaded only once.
import "./surgery/dimension-surgery.suite.ts";
import "./type/primitive-type.suite.ts";
import "./model/shape.suite.ts";
import "./proto/shape-proto.suite.ts";
import "./text/shape-text.suite.ts";
import "./surgery/shape-util.suite.ts";
import "./type/argument-messages.suite.ts";
import "./type/shown-list.suite.ts";
import "./type/types.suite.ts";
import "./model/validate.suite.ts";
import "./address/addressing.suite.ts";
import "./address/large-arrays.suite.ts";
import "./surgery/for-each-index.suite.ts";
import "./view/kernel-copy.suite.ts";
import "./view/kernel-copy-without-kernels.suite.ts";
import "./surgery/layout-util.suite.ts";
import "./view/layout-view.suite.ts";
import "./view/layout-view-elements.suite.ts";
import "./view/layout-view-errors.suite.ts";
import "./view/literal.suite.ts";
import "./surgery/reshape-analysis.suite.ts";
import "./surgery/shared-buffers.suite.ts";
import "./address/addressing-model.suite.ts";
import "./surgery/bitcast-model.suite.ts";
import "./view/round-trip-model.suite.ts";
