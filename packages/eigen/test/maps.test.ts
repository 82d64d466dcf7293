// Tests of maps and strided views. The suites run in one file so that the library is loaded only once.
import "./map/map-errors.suite.ts";
import "./geometry/slice-text.suite.ts";
import "./map/strided-copy.suite.ts";
import "./map/strided-errors.suite.ts";
import "./map/strided-reshape.suite.ts";
import "./map/strided-types.suite.ts";
import "./map/tensor-map-types.suite.ts";
import "./map/write-through.suite.ts";
import "./map/strided-model.suite.ts";
import "./map/tensor-map-model.suite.ts";
