// Messages in both forms, their bytes and their JSON: small suites that load the library once.
import "./decode.suite.ts";
import "./encode.suite.ts";
import "./json.suite.ts";
import "./protos.suite.ts";
