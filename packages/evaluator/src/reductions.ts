/**
 * The reductions of the plain evaluator.
 *
 *     sum, mean, prod   floats accumulate in float64 and are rounded once at the end; sum and mean add in blocks of 128, then pairwise;
 *                       integers wrap
 *     max, min          NaN if any element is NaN; +0 is larger than -0; zero elements give the lowest, or highest, value
 *     argmax, argmin    the first of equal elements; NaN is neither larger nor smaller; index 0 if no element is larger than the
 *                       lowest (smaller than the highest) value, as in TensorFlow's Eigen code
 */
import type { Complex, DType } from "@onebuffer/base";
import { combinations, extremes, integerRange, isComplexDType, isFloat, meanOps, placeOps } from "@onebuffer/expression/internal";
import type { CombiningOp, OpNameOf } from "@onebuffer/expression/internal";
import { accumulationOf, binaryFunction } from "./element-functions.ts";
import type { Read, Value } from "./values.ts";
import { roundTo, smallValue, valueKind } from "./values.ts";

/** Reduces `count` values, of which the k-th is `read(k)`, to one. */
export type Reducer = (read: Read, count: number) => Value;

/** The number of values that are added one after the other; the sums of such blocks are added pairwise. */
const kBlock = 128;

/** Returns the sum of read(from) to read(to - 1). Its error grows with the logarithm of the count. */
function pairwiseSum(read: (k: number) => number, from: number, to: number): number {
  const count = to - from;
  if (count <= kBlock) {
    let sum = 0;
    for (let k = from; k < to; k++) sum += read(k);
    return sum;
  }
  const middle = from + Math.ceil(count / 2 / kBlock) * kBlock;
  return pairwiseSum(read, from, middle) + pairwiseSum(read, middle, to);
}

/** The reducers by the operation that they repeat; `isMean` divides by the number of values. */
const reducers: Readonly<Record<CombiningOp, (dtype: DType, isMean: boolean) => Reducer>> = {
  add: (dtype, isMean) => (isMean ? pairwiseOf(dtype, true) : sumOf(dtype)),
  mul: (dtype) => foldOf("mul", dtype),
  maximum: (dtype) => extremeOf("maximum", dtype),
  minimum: (dtype) => extremeOf("minimum", dtype),
  logicalOr: () => (read, count) => truth(read, count, 1),
  logicalAnd: () => (read, count) => truth(read, count, 0),
};

/** Returns the reducer of an operation. `dtype` is the operand's, `result` the result's. */
export function reducerOf(op: OpNameOf<"reduction">, dtype: DType, result: DType): Reducer {
  if (placeOps.has(op)) return placeOf(extremes[op]!, dtype, result);
  return reducers[combinations[op]](dtype, meanOps.has(op));
}

/** Returns the reducer of sums or means of floats or complex numbers. */
function pairwiseOf(dtype: DType, isMean: boolean): Reducer {
  if (isComplexDType(dtype)) {
    const part = pairwiseOf(dtype === "complex64" ? "float32" : "float64", isMean) as (read: Read, count: number) => number;
    return (read, count) => [part((k) => (read(k) as Complex)[0], count), part((k) => (read(k) as Complex)[1], count)];
  }
  const round = roundTo(dtype);
  return (read, count) => {
    const sum = pairwiseSum(read as (k: number) => number, 0, count);
    return round(isMean ? sum / count : sum);
  };
}

function sumOf(dtype: DType): Reducer {
  return isFloat(dtype) || isComplexDType(dtype) ? pairwiseOf(dtype, false) : foldOf("add", dtype);
}

/** Returns the reducer that combines one value after the other. */
function foldOf(op: CombiningOp, dtype: DType): Reducer {
  const { wide, rounded } = accumulationOf(dtype);
  const combine = binaryFunction(op, wide);
  const first = identityOf(op, dtype);
  return (read, count) => {
    let total = first;
    for (let k = 0; k < count; k++) total = combine(total, read(k));
    return rounded(total);
  };
}

/** The identities of the operations that are repeated. */
const identities: Readonly<Record<CombiningOp, (dtype: DType) => Value>> = {
  add: (dtype) => smallValue(dtype, 0),
  mul: (dtype) => smallValue(dtype, 1),
  maximum: lowestOf,
  minimum: highestOf,
  logicalOr: () => 0,
  logicalAnd: () => 1,
};

/** Returns the value that changes no other when it is combined with it: the result for no elements. */
export function identityOf(op: CombiningOp, dtype: DType): Value {
  return identities[op](dtype);
}

function lowestOf(dtype: DType): Value {
  return endOf(dtype, 0, -Infinity);
}

function highestOf(dtype: DType): Value {
  return endOf(dtype, 1, Infinity);
}

/** Returns an end of the range of an integer dtype, or the infinity that is given. */
function endOf(dtype: DType, end: 0 | 1, infinity: number): Value {
  const range = integerRange(dtype);
  return range === null ? infinity : valueKind(dtype) === "bigint" ? range[end] : Number(range[end]);
}

function extremeOf(op: CombiningOp, dtype: DType): Reducer {
  const pick = binaryFunction(op, dtype);
  const limit = identityOf(op, dtype);
  return (read, count) => {
    let best = count === 0 ? limit : read(0);
    for (let k = 1; k < count; k++) best = pick(best, read(k));
    return best;
  };
}

function placeOf(extreme: "largest" | "smallest", dtype: DType, result: DType): Reducer {
  const isLargest = extreme === "largest";
  const better = binaryFunction(isLargest ? "greater" : "less", dtype);
  const limit = isLargest ? lowestOf(dtype) : highestOf(dtype);
  const big = valueKind(result) === "bigint";
  return (read, count) => {
    let best: Value = limit;
    let place = 0;
    for (let k = 0; k < count; k++) {
      const value = read(k);
      if (better(value, best) === 0) continue;
      best = value;
      place = k;
    }
    return big ? BigInt(place) : place;
  };
}

/** Returns `decisive` if any value equals it, otherwise 1 - decisive: `any` is decided by a 1, `all` by a 0. */
function truth(read: Read, count: number, decisive: 0 | 1): Value {
  for (let k = 0; k < count; k++) if (read(k) === decisive) return decisive;
  return 1 - decisive;
}
