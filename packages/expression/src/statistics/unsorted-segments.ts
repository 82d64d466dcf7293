/**
 * The functions `unsortedSegmentSum` and so on: rows combined by the number of their segment (tf.math.unsorted_segment_sum), as a scatter onto
 * rows that begin with the result of no rows.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { dtypeRows, shownValue } from "@onebuffer/base/internal";
import { isIndex, product, sameSizes } from "@onebuffer/storage/internal";
import { checkCount, shownCall } from "../inference/broadcast-dims.ts";
import { integerRange } from "../inference/constant-value.ts";
import { checkDType, checkTree } from "../inference/elementwise-inference.ts";
import { reshapeFields, scatterFields } from "../inference/movement-inference.ts";
import { constant } from "../methods/generators.ts";
import { makeDeferred, makeExpression } from "../methods/expression-node.ts";
import { isInteger } from "../tree/dtype-groups.ts";
import type { ComplexDType, FloatDType, NumericDType, RealDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import type { ExpressionTree, ScatterReduction } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";

/** Numbers of segments. */
type Ids = OperandLike<"int32" | "int64", number>;

/**
 * Returns the sums of the rows of `data` with equal ids: row s of the result, of `numSegments` rows, is the sum of those with id s
 * (`tf.math.unsorted_segment_sum`). The sizes of `ids` are the first sizes of `data`. Rows with a negative id are dropped; a segment without
 * rows is 0. Rows are added in their order, float32 in float32.
 *
 * Throws INVALID_ARGUMENT for other sizes or dtypes; assign throws it for an id of `numSegments` or more.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 4, 8), [4]);
 * const ids = tensorMap("int32", Int32Array.of(2, 0, 2, -1), [4]);
 * evaluate(unsortedSegmentSum(x, ids, 3)).toArray(); // => [2, 0, 5]
 * unsortedSegmentSum(x, ids, -1); // throws INVALID_ARGUMENT
 */
export function unsortedSegmentSum<D extends NumericDType>(
  data: OperandLike<D, number>,
  ids: Ids,
  numSegments: number,
): Expression<D, number> {
  return combined("unsortedSegmentSum", "add", data, ids, numSegments, 0);
}

/**
 * Returns the products of the rows with equal ids (`tf.math.unsorted_segment_prod`): as `unsortedSegmentSum`, a segment without rows is 1.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(3, 5, 7), [3]);
 * const ids = tensorMap("int32", Int32Array.of(1, 1, 0), [3]);
 * evaluate(unsortedSegmentProd(x, ids, 3)).toArray(); // => [7, 15, 1]
 */
export function unsortedSegmentProd<D extends NumericDType>(
  data: OperandLike<D, number>,
  ids: Ids,
  numSegments: number,
): Expression<D, number> {
  return combined("unsortedSegmentProd", "mul", data, ids, numSegments, 1);
}

/**
 * Returns the largest of the rows with equal ids (`tf.math.unsorted_segment_max`): as `unsortedSegmentSum`; NaN if there is a NaN. A segment
 * without rows is the lowest finite value, as in TensorFlow, and so is one whose elements are all -Infinity.
 *
 * @example
 * const x = tensorMap("int8", Int8Array.of(3, 5, 7), [3]);
 * const ids = tensorMap("int32", Int32Array.of(1, 1, 0), [3]);
 * evaluate(unsortedSegmentMax(x, ids, 3)).toArray(); // => [7, 5, -128]
 */
export function unsortedSegmentMax<D extends RealDType>(
  data: OperandLike<D, number>,
  ids: Ids,
  numSegments: number,
): Expression<D, number> {
  return combined("unsortedSegmentMax", "max", data, ids, numSegments, "lowest");
}

/**
 * Returns the smallest of the rows with equal ids (`tf.math.unsorted_segment_min`): as `unsortedSegmentSum`; NaN if there is a NaN. A segment
 * without rows is the highest finite value, as in TensorFlow, and so is one whose elements are all Infinity.
 *
 * @example
 * const x = tensorMap("int8", Int8Array.of(3, 5, 7), [3]);
 * const ids = tensorMap("int32", Int32Array.of(1, 1, 0), [3]);
 * evaluate(unsortedSegmentMin(x, ids, 3)).toArray(); // => [7, 3, 127]
 */
export function unsortedSegmentMin<D extends RealDType>(
  data: OperandLike<D, number>,
  ids: Ids,
  numSegments: number,
): Expression<D, number> {
  return combined("unsortedSegmentMin", "min", data, ids, numSegments, "highest");
}

/**
 * Returns the means of the rows with equal ids (`tf.math.unsorted_segment_mean`): as `unsortedSegmentSum`, a segment without rows is 0. For
 * floats and complex numbers; cast integers first.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(3, 6, 7), [3]);
 * const ids = tensorMap("int32", Int32Array.of(1, 1, 0), [3]);
 * evaluate(unsortedSegmentMean(x, ids, 3)).toArray(); // => [7, 4.5, 0]
 */
export function unsortedSegmentMean<D extends FloatDType | ComplexDType>(
  data: OperandLike<D, number>,
  ids: Ids,
  numSegments: number,
): Expression<D, number> {
  const call = "unsortedSegmentMean";
  const tree = checkTree(call, data);
  checkDType("reciprocal", tree, call);
  const segments = checkTree(call, ids);
  const index = segments as unknown as Ids;
  const make = (): ExpressionTree => {
    const sizes = tree.dimensions.slice(0, segments.dimensions.length);
    // Neither the sum nor the number of so many rows may be a float16.
    const isWidened = tree.dtype === "float16" && product(sizes) > largestOf("float16");
    const rows = isWidened ? (tree as unknown as Expression<"float16", number>).cast("float32") : tree;
    const sums = combined<"float32">(call, "add", rows as unknown as OperandLike<"float32", number>, index, numSegments, 0);
    // A float32 would not count further than 2^24.
    const ones = constant("int32", 1, sizes);
    const counts = combined<"int32">(call, "add", ones, index, numSegments, 0).maximum(1);
    const divisors = counts.reshape([numSegments, ...sums.dimensions.slice(1).map(() => 1)]).cast(sums.dtype);
    const means = sums.div(divisors);
    return (isWidened ? means.cast("float16") : means) as unknown as ExpressionTree;
  };
  // Only numbers are compared with those of earlier calls; `make` refuses everything else.
  const result = typeof numSegments === "number" ? makeDeferred(call, [tree, segments], [numSegments], make) : make();
  return result as unknown as Expression<D, number>;
}

/** Returns rows combined by a scatter. `start` is the result of no rows; `isInfinite` makes the lowest and the highest float an infinity. */
export function combined<D extends NumericDType>(
  call: string,
  reduction: ScatterReduction,
  data: OperandLike<D, number>,
  ids: Ids,
  numSegments: number,
  start: number | "lowest" | "highest",
  isInfinite: boolean = false,
): Expression<D, number> {
  const [rows, segments] = [checkTree(call, data), checkTree(call, ids)];
  checkDType(reduction === "update" ? "add" : reduction, rows, call);
  const shown = shownCall(call, [rows, segments]);
  const rank = segments.dimensions.length;
  if (rank === 0 || !sameSizes(rows.dimensions.slice(0, rank), segments.dimensions)) {
    throw new InvalidArgumentError(`${shown}: the sizes of the ids are the first sizes of the data`);
  }
  if (!isIndex(numSegments, 2 ** 31)) {
    throw new InvalidArgumentError(
      `${shown}: the number of segments is an integer from 0 to ${2 ** 31 - 1}, got ${shownValue(numSegments)}`,
    );
  }
  const dimensions = [numSegments, ...rows.dimensions.slice(rank)];
  checkCount(dimensions, () => shown);
  const value = (typeof start === "number" ? start : extremeOf(rows, start, isInfinite)) as 0;
  const empty = constant(rows.dtype as "float32", value, dimensions) as unknown as ExpressionTree;
  const count = product(segments.dimensions);
  const flat = rank === 1 ? rows : makeExpression(reshapeFields(rows, [count, ...dimensions.slice(1)]));
  const flatIds = rank === 1 ? segments : makeExpression(reshapeFields(segments, [count]));
  return makeExpression(scatterFields(empty, flatIds, flat, 0, reduction, "negative"));
}

/** The largest finite number of a float dtype. */
const largestOf = (dtype: DType): number => dtypeRows[dtype].float![2];

function extremeOf({ dtype }: ExpressionTree, end: "lowest" | "highest", isInfinite: boolean): number | bigint {
  if (!isInteger(dtype)) return (end === "lowest" ? -1 : 1) * (isInfinite ? Infinity : largestOf(dtype));
  const value = integerRange(dtype)![end === "lowest" ? 0 : 1];
  return dtype.endsWith("int64") ? value : Number(value);
}
