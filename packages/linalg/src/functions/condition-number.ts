/** condition-number: the factor by which inverting a matrix may enlarge errors. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Expression, OperandLike, RankWithout, RealPartDType } from "@onebuffer/expression";
import { chosen, filled, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkSquare } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { svdNodes } from "../nodes/svd-node.ts";
import { inverseOf } from "./inverse.ts";
import { matrixNorm } from "./norm.ts";
import { checkedMatrix } from "./pseudo-inverse.ts";
import { singularValueAt } from "./singular-operands.ts";

const kOrders: readonly unknown[] = [2, -2, "fro", "nuc", 1, -1, Infinity, -Infinity];

/**
 * Returns the condition number of each matrix (`np.linalg.cond`): its norm times that of its inverse. The default order, 2, and -2 take
 * matrices of any sizes and are quotients of singular values: 2 is Infinity for a singular matrix, and both are for a matrix of zeros. The
 * others, which are those of `norm`, take square matrices.
 *
 * Throws INVALID_ARGUMENT for matrices without elements or that are not square, for a dtype that is not float32, float64, complex64 or
 * complex128, and for another order. Computing throws INVALID_ARGUMENT for the inverse of a singular matrix. Copies and computes nothing.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(4, 0, 0, 0.5), [2, 2]);
 * evaluate(conditionNumber(a)).toArray(); // => 8
 * evaluate(conditionNumber(a, { ord: 1 })).toArray(); // => 8
 * conditionNumber(a.reshape([4])); // throws INVALID_ARGUMENT
 */
export function conditionNumber<D extends MatrixDType, R extends number>(
  matrix: OperandLike<D, R>,
  options: { readonly ord?: number | "fro" | "nuc" } = {},
): Expression<RealPartDType<D>, RankWithout<R, 2>> {
  const call = "conditionNumber";
  checkOptions(call, options, ["ord"]);
  const { ord = 2 } = options;
  if (!kOrders.includes(ord)) {
    throw new InvalidArgumentError(`${call}: the order is 2, -2, "fro", "nuc", 1, -1, Infinity or -Infinity, got ${shownValue(ord)}`);
  }
  const a = checkedMatrix(call, matrix);
  if (sizesOf(a).slice(-2).includes(0)) throw new InvalidArgumentError(`${call}: a matrix without elements has no condition number`);
  if (ord === 2 || ord === -2) {
    const { s } = svdNodes(a, { call, computeUv: false, fullMatrices: false });
    const [first, last] = [singularValueAt(call, s, 0), singularValueAt(call, s, sizesOf(s).at(-1)! - 1)];
    // Of a matrix of zeros the quotient would be NaN.
    return chosen(first.equal(0), filled(s.dtype, Infinity, []), ord === 2 ? first.div(last) : last.div(first)) as never;
  }
  checkSquare(call, a);
  const rank = sizesOf(a).length;
  const of = (x: GradientValue): GradientValue => matrixNorm(call, x, ord, [rank - 2, rank - 1], false);
  return of(a).mul(of(inverseOf(call, a, { adjoint: false, check: true }))) as never;
}
