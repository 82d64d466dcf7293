// Maps and strided views: small suites that load the library once.
import "./map-errors.suite.ts";
import "./slice-text.suite.ts";
import "./strided-copy.suite.ts";
import "./strided-errors.suite.ts";
import "./strided-reshape.suite.ts";
import "./strided-types.suite.ts";
import "./tensor-map-types.suite.ts";
import "./write-through.suite.ts";
