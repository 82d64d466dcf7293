/**
 * @onebuffer/linalg: linear algebra, as functions of matrices that return expressions (TensorFlow's tf.linalg).
 */
export { assignInSteps } from "./functions/assign-in-steps.ts";
export type { StepOptions, StepProgress } from "./functions/assign-in-steps.ts";
export { cholesky, choleskySolve } from "./functions/cholesky.ts";
export { determinant, logDeterminant } from "./functions/determinant.ts";
export type { LogDeterminant } from "./functions/determinant.ts";
export { conditionNumber } from "./functions/condition-number.ts";
export { bandPart, diag, diagPart, setDiag } from "./functions/diagonals.ts";
export { eig, eigvals } from "./functions/eig.ts";
export type { Eig, EigenDType } from "./functions/eig.ts";
export { eigh, eigvalsh } from "./functions/eigh.ts";
export type { Eigh } from "./functions/eigh.ts";
export { inverse } from "./functions/inverse.ts";
export { lstsq } from "./functions/lstsq.ts";
export type { LstsqOptions } from "./functions/lstsq.ts";
export { lu, luSolve } from "./functions/lu.ts";
export type { Lu } from "./functions/lu.ts";
export { expm, logm, sqrtm } from "./functions/matrix-functions.ts";
export { norm } from "./functions/norm.ts";
export type { NormOptions } from "./functions/norm.ts";
export { cross, kron, matrixPower } from "./functions/products.ts";
export { matrixRank, pseudoInverse } from "./functions/pseudo-inverse.ts";
export { qr } from "./functions/qr.ts";
export type { Qr, QrOptions } from "./functions/qr.ts";
export { schur } from "./functions/schur.ts";
export type { Schur } from "./functions/schur.ts";
export { solve } from "./functions/solve.ts";
export type { SolveOptions } from "./functions/solve.ts";
export { svd } from "./functions/svd.ts";
export type { Svd, SvdOptions } from "./functions/svd.ts";
export { tensorsolve } from "./functions/tensorsolve.ts";
export type { TensorsolveOptions } from "./functions/tensorsolve.ts";
export { trace } from "./functions/trace.ts";
export { triangularSolve } from "./functions/triangular-solve.ts";
export type { TriangularSolveOptions } from "./functions/triangular-solve.ts";
export { tridiagonalSolve } from "./functions/tridiagonal-solve.ts";
export type { MatrixDType } from "./batch/matrix-sizes.ts";
