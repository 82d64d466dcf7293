/** lstsq: least squares, by QR or by the normal equations. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Expression, ExpressionTree, OperandLike } from "@onebuffer/expression";
import { filled, joined, repeated, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { choleskyNode } from "../nodes/cholesky-node.ts";
import { adjointOf, identity, multiplied } from "../nodes/matrix-nodes.ts";
import { checkMatrix, checkMatrixDType } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { qrNodes } from "../nodes/qr-node.ts";
import { leastSquaresNode } from "../nodes/pseudo-inverse-node.ts";
import { triangularNode } from "../nodes/triangular-node.ts";
import { checkFlags } from "./flags.ts";
import { checkSystem } from "./operands.ts";
import type { SolutionRank } from "./operands.ts";
import { checkSize } from "./singular-operands.ts";

/**
 * The options of `lstsq`.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 1), [2, 1]);
 * const options: LstsqOptions = { l2Regularizer: 2 };
 * evaluate(lstsq(a, tensorMap("float64", Float64Array.of(4, 4), [2]), options)).toArray().map(Math.round); // => [2]
 */
export interface LstsqOptions {
  /** The weight of the squares of x beside those of the residual; 0 by default. */
  readonly l2Regularizer?: number;
  /** True for the normal equations, which take half the time and square the condition; false, the default, for QR. */
  readonly fast?: boolean;
  /**
   * Computes x by singular values, for an A that may not have full rank: those of at most this part of the largest are taken for 0, and x is the
   * shortest one. max(m, n) times the unit of the dtype leaves what rounding makes of 0. With an `l2Regularizer` there is one x of any A, and
   * nothing is cut.
   */
  readonly rcond?: number;
}

/**
 * Returns the x for which the sum of squares of A x - b is least (`tf.linalg.lstsq`, `np.linalg.lstsq`); of a wide A the shortest x with A x = b.
 * Matrices are [..., m, n], b is [..., m, k], or vectors as for `solve`. A has full rank: otherwise the result has infinities, NaN or large
 * numbers, unless `l2Regularizer` is positive or `rcond` is given.
 *
 * Throws INVALID_ARGUMENT for operands that do not fit. With `fast`, computing throws INVALID_ARGUMENT for an A that has not full rank. Copies
 * nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 0, 1, 1, 1, 2), [3, 2]);
 * const x = evaluate(lstsq(a, tensorMap("float64", Float64Array.of(1, 3, 5), [3])));
 * x.toArray().map((each) => Math.round(each)); // => [1, 2]
 * lstsq(a, x); // throws INVALID_ARGUMENT
 */
export function lstsq<D extends MatrixDType, A extends number, B extends number>(
  matrix: OperandLike<D, A>,
  rhs: OperandLike<NoInfer<D>, B>,
  options: LstsqOptions = {},
): Expression<D, SolutionRank<A, B>> {
  checkOptions("lstsq", options, ["l2Regularizer", "fast", "rcond"]);
  const { l2Regularizer = 0 } = options;
  const { fast } = checkFlags("lstsq", options, { fast: false });
  if (typeof l2Regularizer !== "number" || !(l2Regularizer >= 0) || l2Regularizer === Infinity) {
    throw new InvalidArgumentError(`lstsq: l2Regularizer is a number from 0, got ${shownValue(l2Regularizer)}`);
  }
  const rcond = checkSize("lstsq", "rcond", options.rcond);
  if (rcond !== null && fast) throw new InvalidArgumentError("lstsq: fast and rcond exclude each other");
  const { matrix: a, right: b, shaped } = checkSystem("lstsq", matrix, rhs, checkRectangular);
  return shaped(solved(a, b, { l2Regularizer, fast, rcond })) as unknown as Expression<D, SolutionRank<A, B>>;
}

/** Throws INVALID_ARGUMENT unless an operand is matrices, of any sizes, of a dtype that is factored. */
function checkRectangular(call: string, matrix: ExpressionTree): void {
  checkMatrix(call, matrix);
  checkMatrixDType(call, matrix);
}

/** How a system is solved. */
interface Way {
  readonly l2Regularizer: number;
  readonly fast: boolean;
  readonly rcond: number | null;
}

function solved(a: GradientValue, b: GradientValue, { l2Regularizer, fast, rcond }: Way): GradientValue {
  if (fast) return byNormalEquations(a, b, l2Regularizer);
  if (l2Regularizer > 0) return byQr(...augmented(a, b, l2Regularizer));
  return rcond === null ? byQr(a, b) : leastSquaresNode(a, b, rcond);
}

const kUpper = { lower: false, adjoint: false, isUnit: false };

function byQr(a: GradientValue, b: GradientValue): GradientValue {
  const [m, n] = sizesOf(a).slice(-2) as [number, number];
  if (m >= n) {
    const [q, r] = qrNodes(a, { call: "lstsq", fullMatrices: false });
    return triangularNode(r, multiplied(q, b, true), kUpper);
  }
  const [q, r] = qrNodes(adjointOf(a), { call: "lstsq", fullMatrices: false });
  return multiplied(q, triangularNode(r, b, { ...kUpper, adjoint: true }));
}

/** Returns the operands with rows sqrt(weight) x = 0 at their end. */
function augmented(a: GradientValue, b: GradientValue, weight: number): [GradientValue, GradientValue] {
  const [sizes, rightSizes] = [sizesOf(a), sizesOf(b)];
  const axis = sizes.length - 2;
  const n = sizes.at(-1)!;
  const rows = repeated(identity(a.dtype, n).mul(Math.sqrt(weight)), sizes.with(axis, n));
  return [joined([a, rows], axis), joined([b, filled(b.dtype, 0, rightSizes.with(axis, n))], axis)];
}

function byNormalEquations(a: GradientValue, b: GradientValue, weight: number): GradientValue {
  const [m, n] = sizesOf(a).slice(-2) as [number, number];
  const isTall = m >= n;
  const products = isTall ? multiplied(a, a, true) : multiplied(a, a, false, true);
  const weighted = weight === 0 ? products : products.add(identity(a.dtype, Math.min(m, n)).mul(weight));
  const factor = choleskyNode(weighted, { call: "lstsq", check: true });
  const lower = { lower: true, isUnit: false };
  const half = triangularNode(factor, isTall ? multiplied(a, b, true) : b, { ...lower, adjoint: false });
  const x = triangularNode(factor, half, { ...lower, adjoint: true });
  return isTall ? x : multiplied(a, x, true);
}
