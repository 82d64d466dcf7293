/** triangular-solve: systems with triangular matrices. */
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { triangularNode } from "../nodes/triangular-node.ts";
import { checkFlags } from "./flags.ts";
import { checkSystem } from "./operands.ts";
import type { SolutionRank } from "./operands.ts";

/**
 * The options of `triangularSolve`.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(1, 5, 0, 1), [2, 2]);
 * const options: TriangularSolveOptions = { lower: false };
 * evaluate(triangularSolve(a, tensorMap("float64", Float64Array.of(6, 1), [2]), options)).toArray(); // => [1, 1]
 */
export interface TriangularSolveOptions {
  /** True, the default, for the lower triangle; false for the upper one. The other triangle is not read. */
  readonly lower?: boolean;
  /** True for the conjugate transpose of the triangle. */
  readonly adjoint?: boolean;
  /** True if the diagonal is taken as ones, and not read. */
  readonly unitDiagonal?: boolean;
}

/**
 * Returns the solution x of T x = b, where T is a triangle of each matrix (`tf.linalg.triangular_solve`, `scipy.linalg.solve_triangular`). b is
 * [..., n, k] or vectors, as for `solve`. A 0 on the diagonal gives infinities and NaN.
 *
 * Throws INVALID_ARGUMENT for operands that do not fit. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 9, 1, 4), [2, 2]);
 * const b = tensorMap("float64", Float64Array.of(2, 5), [2]);
 * evaluate(triangularSolve(a, b)).toArray(); // => [1, 1]
 * triangularSolve(a, b.reshape([1, 2])); // throws INVALID_ARGUMENT
 */
export function triangularSolve<D extends MatrixDType, A extends number, B extends number>(
  matrix: OperandLike<D, A>,
  rhs: OperandLike<NoInfer<D>, B>,
  options: TriangularSolveOptions = {},
): Expression<D, SolutionRank<A, B>> {
  checkOptions("triangularSolve", options, ["lower", "adjoint", "unitDiagonal"]);
  const flags = checkFlags("triangularSolve", options, { lower: true, adjoint: false, unitDiagonal: false });
  const { matrix: a, right, shaped } = checkSystem("triangularSolve", matrix, rhs);
  return shaped(
    triangularNode(a, right, { lower: flags.lower, adjoint: flags.adjoint, isUnit: flags.unitDiagonal }),
  ) as unknown as Expression<D, SolutionRank<A, B>>;
}
