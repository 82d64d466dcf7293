// Imports the suites of the assembler, vector programs and math functions, so that one process loads the package once for all of them.
import "./assembler/assembler.suite.ts";
import "./assembler/assembler-text.suite.ts";
import "./math/math.suite.ts";
import "./vector/vector-builder.suite.ts";
import "./vector/vector-guard.suite.ts";
import "./vector/vector-methods.suite.ts";
