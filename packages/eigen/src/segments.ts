/**
 * The functions `segmentSum` and so on: adjacent rows combined by the number of their segment (tf.math.segment_sum). They compute at once: the
 * number of segments is that of the last row, plus 1.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { evaluate } from "./evaluate.ts";
import { checkTree, combined, shownCall } from "@onebuffer/expression/internal";
import { select, unsortedSegmentMean, unsortedSegmentProd, unsortedSegmentSum } from "@onebuffer/expression";
import type {
  ComplexDType,
  Expression,
  FloatDType,
  NumericDType,
  OperandLike,
  OperandSource,
  RealDType,
  TensorMap,
} from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import { tensorMap } from "./map/wrap-typed-array.ts";

/** Numbers of segments, ascending. */
type Ids = OperandLike<"int32" | "int64", 1> | OperandSource<"int32" | "int64", number>;

/**
 * Returns the sums of adjacent rows with equal ids (`tf.math.segment_sum`): a map over a new array with a row for each number from 0 to the
 * last id. A segment without rows is 0.
 *
 * Throws INVALID_ARGUMENT unless there is one id per row, none is negative, and they ascend; RESOURCE_EXHAUSTED if the ids have so large
 * gaps that the result would be 16 times larger than the data and have a million elements: `unsortedSegmentSum` takes the number of segments.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 4, 8), [4]);
 * segmentSum(x, tensorMap("int32", Int32Array.of(0, 0, 2, 2), [4])).toArray(); // => [3, 0, 12]
 * segmentSum(x, tensorMap("int32", Int32Array.of(0, 2, 1, 2), [4])); // throws INVALID_ARGUMENT
 */
export function segmentSum<D extends NumericDType>(data: OperandLike<D, number>, ids: Ids): TensorMap<D, number> {
  const { held, count } = sorted("segmentSum", data, ids);
  return evaluate(unsortedSegmentSum(data, held, count));
}

/**
 * Returns the products of adjacent rows with equal ids (`tf.math.segment_prod`): as `segmentSum`, a segment without rows is 1.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(3, 5, 7), [3]);
 * segmentProd(x, tensorMap("int32", Int32Array.of(0, 0, 2), [3])).toArray(); // => [15, 1, 7]
 */
export function segmentProd<D extends NumericDType>(data: OperandLike<D, number>, ids: Ids): TensorMap<D, number> {
  const { held, count } = sorted("segmentProd", data, ids);
  return evaluate(unsortedSegmentProd(data, held, count));
}

/**
 * Returns the means of adjacent rows with equal ids (`tf.math.segment_mean`): as `segmentSum`, a segment without rows is 0. For floats and
 * complex numbers; cast integers first.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(3, 6, 7), [3]);
 * segmentMean(x, tensorMap("int32", Int32Array.of(0, 0, 2), [3])).toArray(); // => [4.5, 0, 7]
 */
export function segmentMean<D extends FloatDType | ComplexDType>(data: OperandLike<D, number>, ids: Ids): TensorMap<D, number> {
  const { held, count } = sorted("segmentMean", data, ids);
  return evaluate(unsortedSegmentMean(data, held, count));
}

/**
 * Returns the largest of adjacent rows with equal ids (`tf.math.segment_max`): as `segmentSum`; NaN if there is a NaN. A segment without rows
 * is 0.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(3, 5, -7), [3]);
 * segmentMax(x, tensorMap("int32", Int32Array.of(0, 0, 2), [3])).toArray(); // => [5, 0, -7]
 */
export function segmentMax<D extends RealDType>(data: OperandLike<D, number>, ids: Ids): TensorMap<D, number> {
  return extreme("segmentMax", "max", "lowest", data, ids);
}

/**
 * Returns the smallest of adjacent rows with equal ids (`tf.math.segment_min`): as `segmentSum`; NaN if there is a NaN. A segment without rows
 * is 0.
 *
 * @example
 * const x = tensorMap("int32", Int32Array.of(3, 5, 7), [3]);
 * segmentMin(x, tensorMap("int32", Int32Array.of(0, 0, 2), [3])).toArray(); // => [3, 0, 7]
 */
export function segmentMin<D extends RealDType>(data: OperandLike<D, number>, ids: Ids): TensorMap<D, number> {
  return extreme("segmentMin", "min", "highest", data, ids);
}

/** Returns the largest or smallest rows. They begin with the infinity `end`, so that segments of infinities stay what they are. */
function extreme<D extends RealDType>(
  call: string,
  op: "max" | "min",
  end: "lowest" | "highest",
  data: OperandLike<D, number>,
  ids: Ids,
): TensorMap<D, number> {
  const { held, count, present } = sorted(call, data, ids);
  const result = combined(call, op, data, held, count, end, true) as Expression<"float32", number>;
  const mask = present.reshape([count, ...result.dimensions.slice(1).map(() => 1)]) as Expression<"bool", number>;
  return evaluate(select(mask, result, 0)) as unknown as TensorMap<D, number>;
}

/** Results of more elements than this, and 16 times more than the data, are refused. */
const kManyElements = 2 ** 20;

/** Checks the ids and returns them computed, the number of segments, and which of them have rows. */
function sorted(
  call: string,
  data: OperandLike<DType, number>,
  ids: Ids,
): {
  readonly held: TensorMap<"int32" | "int64", 1>;
  readonly count: number;
  readonly present: TensorMap<"bool", 1>;
} {
  const [rows, tree] = [checkTree(call, data), checkTree(call, ids)];
  const shown = shownCall(call, [rows, tree]);
  if (tree.dimensions.length !== 1 || tree.dimensions[0] !== rows.dimensions[0]) {
    throw new InvalidArgumentError(`${shown}: one id for each row of the data`);
  }
  if (tree.dtype !== "int32" && tree.dtype !== "int64") throw new InvalidArgumentError(`${shown}: ids are int32 or int64`);
  const held = evaluate(ids) as TensorMap<"int32" | "int64", 1>;
  const list = Array.from(held as Iterable<number | bigint>, Number);
  list.forEach((id, k) => {
    if (id >= (list[k - 1] ?? 0)) return;
    const advice = id < 0 ? "" : `; unsorted${call[0]?.toUpperCase()}${call.slice(1)} takes them in any order`;
    throw new InvalidArgumentError(`${shown}: segment ids are not increasing from 0, ids[${k}] is ${id}${advice}`);
  });
  const count = (list.at(-1) ?? -1) + 1;
  const inner = Math.max(1, product(rows.dimensions.slice(1)));
  if (count * inner > kManyElements && count > 16 * list.length) {
    throw new ResourceExhaustedError(
      `${shown}: ${count} segments of ${list.length} rows; unsortedSegment functions take the number of segments`,
    );
  }
  const present = new Uint8Array(count);
  for (const id of list) present[id] = 1;
  return { held, count, present: tensorMap("bool", present, [count]) };
}
