/** qr: a matrix as a product of one with orthonormal columns and an upper triangular one. */
import { checkTree } from "@onebuffer/expression/internal";
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkFlags } from "./flags.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { checkMatrix } from "../batch/matrix-sizes.ts";
import { qrNodes } from "../nodes/qr-node.ts";

/**
 * Options of `qr`.
 *
 * @example
 * const options: QrOptions = { fullMatrices: true };
 * const a = tensorMap("float64", Float64Array.of(3, 4), [2, 1]);
 * [...qr(a, options).q.dimensions]; // => [2, 2]
 */
export interface QrOptions {
  /** True to have a square Q and an R with the rows of the matrix; false, the default, to have min(M, N) columns and rows. */
  readonly fullMatrices?: boolean;
}

/**
 * The parts of a QR decomposition.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(3, 4), [2, 1]);
 * const { q, r }: Qr<"float64", 2> = qr(a);
 * evaluate(r).toArray().flat().map(Math.round); // => [-5]
 */
export interface Qr<D extends MatrixDType, R extends number> {
  /** [..., M, K]: orthonormal columns. */
  readonly q: Expression<D, R>;
  /** [..., K, N]: zeros below the diagonal. */
  readonly r: Expression<D, R>;
}

/**
 * Returns Q and R of each matrix A = Q R (`tf.linalg.qr`, `np.linalg.qr`), by Householder's reflectors. Matrices are the last two axes, of any
 * sizes [..., M, N]; K is min(M, N). As in LAPACK, elements on the diagonal of R may be negative; they are real. NaN and infinities give
 * NaN. Both parts are computed once. The gradient of `fullMatrices` is UNIMPLEMENTED for more rows than columns.
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions, for a dtype that is not float32, float64, complex64 or complex128, and for parts of
 * more than 2^53 - 1 elements together. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(3, 0, 4, 5), [2, 2]);
 * const { q, r } = qr(a);
 * evaluate(r).toArray().flat().map(Math.round); // => [-5, -4, 0, 3]
 * evaluate(q.matMul(r)).toArray().flat().map(Math.round); // => [3, 0, 4, 5]
 * qr(tensorMap("int32", Int32Array.of(1), [1, 1]) as never); // throws INVALID_ARGUMENT
 */
export function qr<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>, options: QrOptions = {}): Qr<D, R> {
  checkOptions("qr", options, ["fullMatrices"]);
  const tree = checkTree("qr", matrix);
  checkMatrix("qr", tree);
  const [q, r] = qrNodes(tree, { call: "qr", ...checkFlags("qr", options, { fullMatrices: false }) });
  return { q, r } as unknown as Qr<D, R>;
}
