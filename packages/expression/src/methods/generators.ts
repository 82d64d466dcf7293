/**
 * Expressions without operands: every element is a function of its index (tf.fill, tf.range, tf.linspace, tf.one_hot; Eigen's
 * nullary expressions). They allocate nothing; their elements are computed where they are used.
 */
import type { DType, ElementOf } from "@onebuffer/base";
import { InvalidArgumentError, isDType } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import type { HigherRank } from "@onebuffer/storage";
import { checkSizes, isIndex } from "@onebuffer/storage/internal";
import { checkAxis } from "../inference/axes.ts";
import { checkCount, shownOperand } from "../inference/broadcast-dims.ts";
import { constantValue, roundToFloat } from "../inference/constant-value.ts";
import type { FloatDType, RealDType } from "../tree/dtype-groups.ts";
import { binaryFields, checkTree, scalarFields, selectFields } from "../inference/elementwise-inference.ts";
import { makeExpression } from "./expression-node.ts";
import type { Expression } from "../tree/expression.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";
import { treeOf } from "../tree/operand.ts";
import { expandDimsFields } from "../inference/movement-inference.ts";
import type { OpName } from "../tree/op-table.ts";
import { opTable } from "../tree/op-table.ts";
import type { Scalar } from "../tree/rank-types.ts";

/** Returns sizes as a list; a number means one dimension. Throws INVALID_ARGUMENT for bad sizes. */
export function checkDims(what: string, dims: number | readonly number[]): readonly number[] {
  const sizes = checkSizes(typeof dims === "number" ? [dims] : dims, what);
  checkCount(sizes, () => what);
  return sizes;
}

/** Throws INVALID_ARGUMENT unless the generator `op` can make elements of `dtype`. `call` is the name of the function that was called. */
export function checkGenerated(op: OpName, dtype: DType, call: string): void {
  if (opTable[op].dtypes.includes(dtype)) return;
  if (isDType(dtype)) throw new InvalidArgumentError(`${call}: not defined for ${shownValue(dtype)}`);
  throw new InvalidArgumentError(`${call}: the first argument is a dtype such as "float32", got ${shownValue(dtype)}`);
}

/**
 * Returns an expression with the same value in every element (`tf.fill`); without sizes a scalar.
 *
 * Throws INVALID_ARGUMENT if the value is not an element of the dtype, and for bad sizes.
 *
 * @example
 * evaluate(constant("int32", 7, [2, 2])).toArray(); // => [[7, 7], [7, 7]]
 * evaluate(constant("float16", 0.1)).at(); // => 0.0999755859375
 * constant("uint8", 256); // throws INVALID_ARGUMENT
 */
export function constant<D extends DType, const S extends readonly number[] = readonly []>(
  dtype: D,
  value: Scalar<D>,
  dims?: S,
): Expression<D, S["length"]> {
  checkGenerated("constant", dtype, "constant");
  const element = constantValue("constant", dtype, value) as ElementOf<"int64">;
  const dimensions = checkDims("constant", dims ?? []);
  return makeExpression({ op: "constant", inputs: [], attributes: { value: element }, dtype, dimensions });
}

/**
 * Returns an expression whose elements are 0, 1, 2, … along an axis; the other axes repeat them (XLA's iota, `tf.range(n)` in one
 * dimension). float16 counts exactly up to 2048, bfloat16 up to 256, float32 up to 2^24; integers wrap around.
 *
 * Throws INVALID_ARGUMENT for bad sizes, a dtype that is not a float or an integer, and an axis out of range.
 *
 * @example
 * evaluate(iota("int32", 4)).toArray(); // => [0, 1, 2, 3]
 * evaluate(iota("float32", [2, 2], 1).mul(0.5)).toArray(); // => [[0, 0.5], [0, 0.5]]
 * iota("int32", [2], 1); // throws INVALID_ARGUMENT
 */
export function iota<D extends RealDType, const S extends number | readonly number[]>(
  dtype: D,
  dims: S,
  axis: number = 0,
): Expression<D, S extends readonly number[] ? S["length"] : 1> {
  checkGenerated("iota", dtype, "iota");
  const dimensions = checkDims("iota", dims);
  const shape = { op: "iota" as const, inputs: [], attributes: { axis: 0 }, dtype, dimensions, depth: 0 };
  return makeExpression({ ...shape, attributes: { axis: checkAxis("iota", axis, shape) } });
}

/**
 * Returns `count` numbers from `start` to `stop`, both included (`tf.linspace`): start + i * (stop - start) / (count - 1), computed in
 * float64 and then rounded. The last is exactly `stop`. With a count of 1 the only number is `start`.
 *
 * Throws INVALID_ARGUMENT for a count below 1 and for dtypes that are not floats.
 *
 * @example
 * evaluate(linspace("float32", 0, 1, 5)).toArray(); // => [0, 0.25, 0.5, 0.75, 1]
 * linspace("float32", 0, 1, 0); // throws INVALID_ARGUMENT
 */
export function linspace<D extends FloatDType>(dtype: D, start: number, stop: number, count: number): Expression<D, 1> {
  checkGenerated("linspace", dtype, "linspace");
  if (!isIndex(count, 2 ** 53) || count < 1) throw new InvalidArgumentError(`linspace: the count is 1 or more, got ${shownValue(count)}`);
  if (typeof start !== "number" || typeof stop !== "number") {
    throw new InvalidArgumentError(`linspace: start and stop are numbers, got ${shownValue(start)} and ${shownValue(stop)}`);
  }
  const ends = { start: roundToFloat(dtype, start), stop: roundToFloat(dtype, stop) };
  return makeExpression({ op: "linspace", inputs: [], attributes: ends, dtype, dimensions: [count + 0] });
}

/**
 * The values that `oneHot` uses, and the position of the new axis.
 *
 * @example
 * const options: OneHotOptions<"int8"> = { on: 5, off: 1 };
 * evaluate(oneHot(tensorMap("int32", Int32Array.of(1), [1]), 3, "int8", options)).toArray(); // => [[1, 5, 1]]
 */
export interface OneHotOptions<D extends DType> {
  /** The value at the index; the default is 1, true for bool. */
  readonly on?: Scalar<D>;
  /** The value elsewhere; the default is 0, false for bool. */
  readonly off?: Scalar<D>;
  /** The position of the classes among the result's dimensions; the default is last. */
  readonly axis?: number;
}

/**
 * Returns an expression with a new axis of size `depth`. It is `on` where the index along this axis equals the element, and `off` elsewhere
 * (`tf.one_hot`). For an element outside [0, depth) it is `off` everywhere.
 *
 * Throws INVALID_ARGUMENT for indices that are not uint8, int32 or int64, a negative depth and an axis out of range.
 *
 * @example
 * const labels = tensorMap("int32", Int32Array.of(0, 2), [2]);
 * evaluate(oneHot(labels, 3, "float32")).toArray(); // => [[1, 0, 0], [0, 0, 1]]
 * evaluate(oneHot(labels, 3, "int8", { on: 5, off: -1, axis: 0 })).toArray(); // => [[5, -1], [-1, -1], [-1, 5]]
 * oneHot(labels, -1, "float32"); // throws INVALID_ARGUMENT
 */
export function oneHot<D extends DType, R extends number>(
  indices: OperandLike<"int32" | "int64" | "uint8", R>,
  depth: number,
  dtype: D,
  options: OneHotOptions<NoInfer<D>> = {},
): Expression<D, HigherRank<R>> {
  checkOptions("oneHot", options, ["on", "off", "axis"]);
  const tree = checkTree("oneHot", indices);
  if (tree.dtype !== "int32" && tree.dtype !== "int64" && tree.dtype !== "uint8") {
    const remedy = opTable.cast.dtypes.includes(tree.dtype) ? ': cast("int32") them' : "";
    throw new InvalidArgumentError(`oneHot(${shownOperand(tree)}): indices are uint8, int32 or int64, got ${tree.dtype}${remedy}`);
  }
  if (!isIndex(depth, 2 ** 53)) throw new InvalidArgumentError(`oneHot: depth must be a non-negative integer, got ${shownValue(depth)}`);
  if (!isDType(dtype)) {
    throw new InvalidArgumentError(`oneHot: the third argument is the dtype of the result, such as "float32", got ${shownValue(dtype)}`);
  }
  const axis = checkAxis("oneHot", options.axis ?? -1, tree, 1);
  const filler = (value: unknown): ExpressionTree => makeExpression(scalarFields("oneHot", dtype, value));
  const on = filler(options.on ?? (dtype === "bool" ? true : 1));
  const off = filler(options.off ?? (dtype === "bool" ? false : 0));
  const apart = makeExpression<"int64", number>(expandDimsFields(tree, axis));
  const sizes = sizesOf(treeOf(apart)).map((_, d) => (d === axis ? depth : 1));
  const classes = wideEnough(tree.dtype, depth) ? apart : apart.cast("int64");
  const places = iota(classes.dtype as RealDType, sizes, axis);
  const isIt = makeExpression(binaryFields("equal", treeOf(classes), treeOf(places)));
  return makeExpression(selectFields(isIt, on, off));
}

/** Returns true if an integer dtype can represent depth - 1. */
function wideEnough(dtype: DType, depth: number): boolean {
  return dtype === "int64" || depth <= (dtype === "uint8" ? 256 : 2 ** 31);
}
