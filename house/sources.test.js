// The rules that are read from the sources: floors and rooms, packages, the build, releases and CONTRIBUTING.md.
import "./build.suite.js";
import "./floors.suite.js";
import "./packages.suite.js";
import "./release.suite.js";
import "./source-rules.suite.js";
