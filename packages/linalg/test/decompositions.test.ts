// Decompositions: LAPACK's ratios, conventions, gradients, faults.
import "./decompositions/eig.suite.ts";
import "./decompositions/eigh.suite.ts";
import "./decompositions/out-of-memory.suite.ts";
import "./decompositions/qr.suite.ts";
import "./decompositions/random.suite.ts";
import "./decompositions/schur.suite.ts";
import "./decompositions/singular-functions.suite.ts";
import "./decompositions/steps.suite.ts";
import "./decompositions/svd.suite.ts";
