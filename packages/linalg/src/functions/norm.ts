/** norm: norms of vectors and of matrices. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import type { ComplexDType, Expression, FloatDType, OperandLike, RealPartDType } from "@onebuffer/expression";
import {
  checkAxis,
  checkTree,
  isComplexDType,
  isFloat,
  made,
  reduceFields,
  reshaped,
  shownCall,
  shuffleFields,
  sizesOf,
} from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkMatrixDType } from "../batch/matrix-sizes.ts";
import { svdNodes } from "../nodes/svd-node.ts";
import { checkFlags } from "./flags.ts";
import { singularValueAt } from "./singular-operands.ts";

/**
 * The options of `norm`.
 *
 * @example
 * const x = tensorMap("float64", Float64Array.of(3, -4), [2]);
 * const options: NormOptions = { ord: 1 };
 * evaluate(norm(x, options)).toArray(); // => 7
 */
export interface NormOptions {
  /**
   * The order. Of vectors: any number, of which 0 counts elements that are not 0; Infinity is the largest absolute value, -Infinity the smallest.
   * Of matrices: "fro", 1 and -1 (the largest and smallest sum of a column), Infinity and -Infinity (of a row), and by singular values 2 and -2
   * (the largest and smallest) and "nuc" (their sum). By default 2 of vectors and "fro" of
   * matrices, which are the square root of the sum of squares. The norm of no elements is 0, as in NumPy. The smallest of no numbers is Infinity,
   * and so is a negative order of no elements of vectors.
   */
  readonly ord?: number | "fro" | "euclidean" | "nuc";
  /** One axis: vectors. Two: matrices, their rows first. By default all elements are one vector. */
  readonly axes?: number | readonly [number, number] | null;
  /** True if the axes are kept, with size 1. */
  readonly keepDims?: boolean;
}

/**
 * Returns norms of vectors or matrices (`tf.norm`, `np.linalg.norm`). Complex operands have real norms.
 *
 * Throws INVALID_ARGUMENT for integers, axes out of range, orders that there are not, and order -2 of matrices without elements. Copies nothing
 * before it is computed.
 *
 * @example
 * const a = tensorMap("float64", Float64Array.of(3, 0, 4, 1), [2, 2]);
 * evaluate(norm(a, { axes: 0 })).toArray(); // => [5, 1]
 * evaluate(norm(a, { ord: Infinity, axes: [0, 1] })).toArray(); // => 5
 * norm(a, { ord: "max" as never }); // throws INVALID_ARGUMENT
 */
export function norm<D extends FloatDType | ComplexDType>(
  x: OperandLike<D, number>,
  options: NormOptions = {},
): Expression<RealPartDType<D>, number> {
  checkOptions("norm", options, ["ord", "axes", "keepDims"]);
  const a = checkTree("norm", x) as GradientValue;
  if (!isFloat(a.dtype) && !isComplexDType(a.dtype)) {
    throw new InvalidArgumentError(`${shownCall("norm", [a])}: floats or complex numbers, not ${a.dtype}: cast("float32") first`);
  }
  const { keepDims } = checkFlags("norm", options, { keepDims: false });
  const axes = axesOf(options.axes ?? null, a);
  const isMatrix = isArray(options.axes);
  const ord = options.ord ?? "euclidean";
  const norms = isMatrix ? matrixNorm("norm", a, ord, axes, keepDims) : ofVectors(a.abs(), ord, axes, keepDims);
  return norms as unknown as Expression<RealPartDType<D>, number>;
}

/** Returns norms of matrices, whose rows are along the first axis; `call` is the function that messages name. */
export function matrixNorm(call: string, a: GradientValue, ord: unknown, axes: readonly number[], keepDims: boolean): GradientValue {
  if (isRoot(ord)) return squares(a.abs(), axes, keepDims);
  return isSpectral(ord) ? bySingularValues(call, a, ord, axes, keepDims) : ofMatrices(a.abs(), ord, axes, keepDims);
}

/** Returns the axes, in the order in which they were given. */
function axesOf(given: unknown, a: GradientValue): readonly number[] {
  if (given === null) return sizesOf(a).map((_, d) => d);
  if (typeof given === "number") return [checkAxis("norm", given, a)];
  const list = isArray(given) && given.length === 2 ? [checkAxis("norm", given[0], a), checkAxis("norm", given[1], a)] : [];
  if (list.length === 2 && list[0] !== list[1]) return list;
  throw new InvalidArgumentError(`norm: axes is one axis, a pair of different ones or null, got ${shownValue(given)}`);
}

type Reduction = "sum" | "max" | "min";

const reduced = (op: Reduction, x: GradientValue, axes: readonly number[] | number, keepDims: boolean): GradientValue =>
  made(reduceFields(op, x, axes, keepDims));

/** Returns the largest magnitude along axes; 0 of no elements, as in NumPy, which is their sum. */
function largest(sizes: GradientValue, axes: readonly number[], keepDims: boolean): GradientValue {
  const isEmpty = axes.some((axis) => sizesOf(sizes)[axis] === 0);
  return reduced(isEmpty ? "sum" : "max", sizes, axes, keepDims);
}

const squares = (sizes: GradientValue, axes: readonly number[], keepDims: boolean): GradientValue =>
  reduced("sum", sizes.square(), axes, keepDims).sqrt();

/** Returns true for the orders that are the square root of the sum of squares, of vectors and of matrices. */
const isRoot = (ord: unknown): boolean => ord === "euclidean" || ord === "fro";

/** Returns the error for an order that there is not. */
const orderError = (what: string, ord: unknown, remedy = ""): Error =>
  new InvalidArgumentError(`norm: of ${what} there is no order ${shownValue(ord)}${remedy}`);

function ofVectors(sizes: GradientValue, ord: unknown, axes: readonly number[], keepDims: boolean): GradientValue {
  if (isRoot(ord)) return squares(sizes, axes, keepDims);
  if (typeof ord !== "number" || Number.isNaN(ord)) {
    throw orderError("vectors", ord, ord === "nuc" ? ", but of matrices: { axes: [-2, -1] }" : "");
  }
  if (ord === Infinity) return largest(sizes, axes, keepDims);
  if (ord === -Infinity) return reduced("min", sizes, axes, keepDims);
  if (ord === 0) return reduced("sum", sizes.notEqual(0).cast(sizes.dtype), axes, keepDims);
  if (ord === 1) return reduced("sum", sizes, axes, keepDims);
  if (ord === 2) return squares(sizes, axes, keepDims);
  return reduced("sum", sizes.pow(ord), axes, keepDims).pow(1 / ord);
}

function ofMatrices(sizes: GradientValue, ord: unknown, [rows, columns]: readonly number[], keepDims: boolean): GradientValue {
  if (ord !== 1 && ord !== -1 && ord !== Infinity && ord !== -Infinity) throw orderError("matrices", ord);
  const [summed, other] = Math.abs(ord) === 1 ? [rows!, columns!] : [columns!, rows!];
  const sums = reduced("sum", sizes, summed, true);
  const both = [summed, other];
  return ord > 0 ? largest(sums, both, keepDims) : reduced("min", sums, both, keepDims);
}

/** Returns true for the orders that are functions of singular values. */
const isSpectral = (ord: unknown): ord is 2 | -2 | "nuc" => ord === 2 || ord === -2 || ord === "nuc";

/** Returns the norm of matrices by their singular values, which descend. */
function normOfValues(call: string, s: GradientValue, ord: 2 | -2 | "nuc"): GradientValue {
  const count = sizesOf(s).at(-1)!;
  // The sum of no values is 0, which is the largest of none, too.
  if (ord === "nuc" || (ord === 2 && count === 0)) return reduced("sum", s, -1, false);
  return singularValueAt(call, s, ord === 2 ? 0 : count - 1);
}

function bySingularValues(call: string, a: GradientValue, ord: 2 | -2 | "nuc", axes: readonly number[], keepDims: boolean): GradientValue {
  checkMatrixDType(call, a);
  const sizes = sizesOf(a);
  const others = sizes.map((_, d) => d).filter((d) => !axes.includes(d));
  const matrices = made(shuffleFields(a, [...others, ...axes]));
  const { s } = svdNodes(matrices, { call, computeUv: false, fullMatrices: false });
  const value = normOfValues(call, s, ord);
  return keepDims
    ? reshaped(
        value,
        sizes.map((size, d) => (axes.includes(d) ? 1 : size)),
      )
    : value;
}
