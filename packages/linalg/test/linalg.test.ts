// Linear algebra: factors, solutions, what is composed of them, operations that bring their record with them; decompositions: LAPACK's
// ratios, conventions, gradients, faults. Kernels that load later.
import "./any-address.suite.ts";
import "./composed.suite.ts";
import "./custom-calls.suite.ts";
import "./gradients.suite.ts";
import "./later-kernels.suite.ts";
import "./memory-faults.suite.ts";
import "./ratios.suite.ts";
import "./singular.suite.ts";
import "./small-batches.suite.ts";
import "./stablehlo.suite.ts";
import "./trace.suite.ts";
import "./types.suite.ts";
import "./decompositions/eig.suite.ts";
import "./decompositions/eigh.suite.ts";
import "./decompositions/out-of-memory.suite.ts";
import "./decompositions/qr.suite.ts";
import "./decompositions/random.suite.ts";
import "./decompositions/schur.suite.ts";
import "./decompositions/singular-functions.suite.ts";
import "./decompositions/steps.suite.ts";
import "./decompositions/svd.suite.ts";
