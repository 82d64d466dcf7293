/** tensorsolve: systems of linear equations between tensors. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkAxis, checkTree, reshaped, shownCall, shuffled, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { checkMatrixDType } from "../batch/matrix-sizes.ts";
import type { MatrixDType } from "../batch/matrix-sizes.ts";
import { checkSameDType } from "./operands.ts";
import { solutionOf } from "./solve.ts";

/**
 * The options of `tensorsolve`.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(0, 1, 2, 0), [2, 2]);
 * const options: TensorsolveOptions = { axes: [0] };
 * evaluate(tensorsolve(a, tensorMap("float64", Float64Array.of(4, 3), [2]), options)).toArray(); // => [3, 2]
 */
export interface TensorsolveOptions {
  /** Axes of the first operand that are moved behind its others, in this order; none by default. */
  readonly axes?: readonly number[];
}

/**
 * Returns the tensor x for which the sum of the products of a's last axes with x is b (`np.linalg.tensorsolve`): x has the sizes of the axes of a
 * behind as many as b has, and the elements of x are as many as those of b. It is one system of linear equations, solved as `solve` does;
 * there are no batches.
 *
 * Throws INVALID_ARGUMENT for operands that do not fit, and for axes that are out of range or named twice. Computing throws INVALID_ARGUMENT for
 * a system that has not one solution; the target stays as it was. Copies nothing before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(2, 0, 0, 4), [2, 1, 2]);
 * const b = tensorMap("float64", Float64Array.of(2, 8), [2]);
 * evaluate(tensorsolve(a, b)).toArray(); // => [[1, 2]]
 * tensorsolve(a, b.slice([0, 1])); // throws INVALID_ARGUMENT
 */
export function tensorsolve<D extends MatrixDType>(
  a: OperandLike<D, number>,
  b: OperandLike<NoInfer<D>, number>,
  options: TensorsolveOptions = {},
): Expression<D, number> {
  checkOptions("tensorsolve", options, ["axes"]);
  const [given, right] = [checkTree("tensorsolve", a) as GradientValue, checkTree("tensorsolve", b) as GradientValue];
  checkMatrixDType("tensorsolve", given);
  checkSameDType("tensorsolve", given, right);
  const moved = axesBehind(options.axes ?? [], given);
  const order = sizesOf(given).map((_, d) => d);
  const left = shuffled(given, [...order.filter((d) => !moved.includes(d)), ...moved]);
  const sizes = sizesOf(left).slice(sizesOf(right).length);
  const n = product(sizes);
  if (product(sizesOf(left)) !== n * n || product(sizesOf(right)) !== n) {
    throw new InvalidArgumentError(
      `${shownCall("tensorsolve", [given, right])}: b has as many elements as x, which has sizes [${sizes}], and a the square of that`,
    );
  }
  const x = solutionOf("tensorsolve", reshaped(left, [n, n]), reshaped(right, [n]), { adjoint: false, check: true });
  return reshaped(x, sizes) as unknown as Expression<D, number>;
}

/** Returns the axes that are moved. Throws INVALID_ARGUMENT for what is no list of different axes. */
function axesBehind(axes: unknown, a: GradientValue): readonly number[] {
  const rank = sizesOf(a).length;
  const fail = (what: string, got: string): never => {
    throw new InvalidArgumentError(`${shownCall("tensorsolve", [a])}: axes is a list of ${what}, got ${got}`);
  };
  if (!isArray(axes)) return fail("different axes", shownValue(axes));
  // The length comes first: a list may have billions of holes.
  if (axes.length > rank) fail(`at most ${rank} different axes`, String(axes.length));
  const given = Array.from(axes);
  const list = given.map((axis) => checkAxis("tensorsolve", axis, a));
  return new Set(list).size === list.length ? list : fail("different axes", `[${given.join(", ")}]`);
}
