/** solve: systems of linear equations. */
import type { Expression, OperandLike } from "@onebuffer/expression";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkOptions } from "@onebuffer/base/internal";
import { luNode } from "../nodes/lu-node.ts";
import { luSolveNode } from "../nodes/lu-solve-node.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { checkFlags } from "./flags.ts";
import { checkSystem } from "./operands.ts";
import type { SolutionRank } from "./operands.ts";

/**
 * The options of `solve` and `inverse`.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(0, 1, 2, 0), [2, 2]);
 * const options: SolveOptions = { adjoint: true };
 * evaluate(solve(a, tensorMap("float64", Float64Array.of(4, 3), [2]), options)).toArray(); // => [3, 2]
 */
export interface SolveOptions {
  /** True for the conjugate transpose of the matrices. */
  readonly adjoint?: boolean;
  /** False if a matrix that is not invertible gives NaN; by default it is an error. */
  readonly check?: boolean;
}

/**
 * Returns the solution x of A x = b, by LU with partial pivoting (`tf.linalg.solve`, `np.linalg.solve`). Matrices are [..., n, n]; b is
 * [..., n, k] or vectors [..., n], one dimension less than the matrices or of rank 1. Batches are broadcast: for vectors x has one dimension less
 * than the matrices, otherwise the larger rank of both.
 *
 * Throws INVALID_ARGUMENT for operands that do not fit. Computing throws INVALID_ARGUMENT, with the matrix and the pivot, for a matrix that is
 * not invertible; the target stays as it was. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 1, 1, 3), [2, 2]);
 * const b = tensorMap("float64", Float64Array.of(3, 5), [2]);
 * evaluate(solve(a, b)).toArray(); // => [0.8, 1.4]
 * evaluate(solve(a.mul(0), b)); // throws INVALID_ARGUMENT
 */
export function solve<D extends MatrixDType, A extends number, B extends number>(
  matrix: OperandLike<D, A>,
  rhs: OperandLike<NoInfer<D>, B>,
  options: SolveOptions = {},
): Expression<D, SolutionRank<A, B>> {
  checkOptions("solve", options, ["adjoint", "check"]);
  const { adjoint, check } = checkFlags("solve", options, { adjoint: false, check: true });
  return solutionOf("solve", matrix, rhs, { adjoint, check }) as unknown as Expression<D, SolutionRank<A, B>>;
}

/** Returns the solution of a system that `checkSystem` takes; `call` is the function that messages name. */
export function solutionOf(call: string, matrix: unknown, rhs: unknown, { adjoint, check }: Required<SolveOptions>): GradientValue {
  const { matrix: a, right, shaped } = checkSystem(call, matrix, rhs);
  const packed = luNode(a, { call, singular: check ? "error" : "nan" });
  return shaped(luSolveNode(packed, right, a, { adjoint }));
}
