// The suites of the assembler, vector programs and their math: one file, so that the package is loaded once.
import "./assembler/assembler.suite.ts";
import "./math/math.suite.ts";
import "./vector/vector-builder.suite.ts";
import "./vector/vector-guard.suite.ts";
