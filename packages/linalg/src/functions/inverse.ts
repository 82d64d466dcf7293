/** inverse: the inverses of matrices. */
import type { Expression, ExpressionTree, OperandLike } from "@onebuffer/expression";
import { checkOptions } from "@onebuffer/base/internal";
import { checkTree, repeated, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { luNode } from "../nodes/lu-node.ts";
import { luSolveNode } from "../nodes/lu-solve-node.ts";
import { identity } from "../nodes/matrix-nodes.ts";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { checkFlags } from "./flags.ts";
import type { SolveOptions } from "./solve.ts";

/**
 * Returns the inverse of each matrix of [..., n, n] (`tf.linalg.inv`, `np.linalg.inv`). To solve a system, `solve` is faster and more exact.
 *
 * Throws INVALID_ARGUMENT for matrices that are not square. Computing throws INVALID_ARGUMENT for a matrix that is not invertible; the target
 * stays as it was. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(0, 2, 4, 0), [2, 2]);
 * evaluate(inverse(a)).toArray(); // => [[0, 0.25], [0.5, 0]]
 * inverse(a.reshape([4, 1])); // throws INVALID_ARGUMENT
 */
export function inverse<D extends MatrixDType, R extends number>(matrix: OperandLike<D, R>, options: SolveOptions = {}): Expression<D, R> {
  checkOptions("inverse", options, ["adjoint", "check"]);
  const { adjoint, check } = checkFlags("inverse", options, { adjoint: false, check: true });
  const a = checkTree("inverse", matrix);
  checkSquare("inverse", a);
  return inverseOf("inverse", a, { adjoint, check }) as unknown as Expression<D, R>;
}

/** Returns the inverses of square matrices, or of their conjugate transposes; `call` is the function that messages name. */
export function inverseOf(call: string, a: ExpressionTree, { adjoint, check }: Required<SolveOptions>): GradientValue {
  const sizes = sizesOf(a);
  const packed = luNode(a, { call, singular: check ? "error" : "nan" });
  return luSolveNode(packed, repeated(identity(a.dtype, sizes.at(-1)!), sizes), a, { adjoint });
}
