// Maps and strided views: small suites that load the library once.
import "./map/map-errors.suite.ts";
import "./geometry/slice-text.suite.ts";
import "./map/strided-copy.suite.ts";
import "./map/strided-errors.suite.ts";
import "./map/strided-reshape.suite.ts";
import "./map/strided-types.suite.ts";
import "./map/tensor-map-types.suite.ts";
import "./map/write-through.suite.ts";
