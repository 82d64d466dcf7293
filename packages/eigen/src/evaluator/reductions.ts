/**
 * The reductions of the plain evaluator.
 *
 *     sum, mean, prod   floats accumulate in float64 and are rounded once at the end; sum and mean add in blocks of 128, then pairwise;
 *                       integers wrap
 *     max, min          NaN if any element is NaN; +0 is larger than -0; zero elements give the lowest, or highest, value
 *     argmax, argmin    the first of equal elements; NaN is neither larger nor smaller; index 0 if no element is larger than the
 *                       lowest (smaller than the highest) value, as in TensorFlow's Eigen code
 *     mean of integers  the sum wraps at 64 bits, then is divided and truncated; zero elements give 0
 */
import type { Complex, DType } from "@onebuffer/base";
import { integerRange } from "../expression/inference/constant-value.ts";
import { isFloat, isInteger } from "../expression/tree/dtype-groups.ts";
import type { OpNameOf } from "../expression/tree/op-table.ts";
import { binaryFunction, fitComplex } from "./element-functions.ts";
import { castFunction } from "./cast-function.ts";
import type { Read, Value } from "./values.ts";
import { roundTo, valueKind, wrapBig } from "./values.ts";

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

/** Returns the reducer of an operation. `dtype` is the operand's, `result` the result's. */
export function reducerOf(op: OpNameOf<"reduction">, dtype: DType, result: DType): Reducer {
  switch (op) {
    case "sum":
      return sumOf(dtype);
    case "mean":
      return meanOf(dtype);
    case "prod":
      return foldOf(dtype);
    case "max":
    case "min":
      return extremeOf(op, dtype);
    case "any":
      return (read, count) => truth(read, count, 1);
    case "all":
      return (read, count) => truth(read, count, 0);
    default:
      return placeOf(op, dtype, result);
  }
}

function sumOf(dtype: DType): Reducer {
  if (valueKind(dtype) === "complex") {
    const round = dtype === "complex64" ? Math.fround : (x: number): number => x;
    return (read, count) => [
      round(pairwiseSum((k) => (read(k) as Complex)[0], 0, count)),
      round(pairwiseSum((k) => (read(k) as Complex)[1], 0, count)),
    ];
  }
  if (isFloat(dtype)) {
    const round = roundTo(dtype);
    return (read, count) => round(pairwiseSum(read as (k: number) => number, 0, count));
  }
  const add = binaryFunction("add", dtype);
  const zero: Value = valueKind(dtype) === "bigint" ? 0n : 0;
  return (read, count) => {
    let sum: Value = zero;
    for (let k = 0; k < count; k++) sum = add(sum, read(k));
    return sum;
  };
}

function meanOf(dtype: DType): Reducer {
  if (valueKind(dtype) === "complex") {
    const round = dtype === "complex64" ? Math.fround : (x: number): number => x;
    return (read, count) => [
      round(pairwiseSum((k) => (read(k) as Complex)[0], 0, count) / count),
      round(pairwiseSum((k) => (read(k) as Complex)[1], 0, count) / count),
    ];
  }
  if (!isInteger(dtype)) {
    const round = roundTo(dtype);
    return (read, count) => round(pairwiseSum(read as (k: number) => number, 0, count) / count);
  }
  const wide = dtype === "uint64" ? dtype : "int64";
  const toValue = castFunction(wide, dtype, false);
  return (read, count) => {
    let sum = 0n;
    for (let k = 0; k < count; k++) sum += BigInt(read(k) as number | bigint);
    return toValue(count === 0 ? 0n : wrapBig(wide, sum) / BigInt(count));
  };
}

/** Returns the reducer of products. Floats and complex numbers are multiplied in float64 and rounded at the end. */
function foldOf(dtype: DType): Reducer {
  if (isFloat(dtype)) {
    const round = roundTo(dtype);
    return (read, count) => {
      let product = 1;
      for (let k = 0; k < count; k++) product *= read(k) as number;
      return round(product);
    };
  }
  const kind = valueKind(dtype);
  const mul = binaryFunction("mul", kind === "complex" ? "complex128" : dtype);
  const one: Value = kind === "bigint" ? 1n : kind === "complex" ? [1, 0] : 1;
  return (read, count) => {
    let product = one;
    for (let k = 0; k < count; k++) product = mul(product, read(k));
    return kind === "complex" ? fitComplex(dtype, product as Complex) : product;
  };
}

/** Returns the identity of max (the lowest value) or min (the highest value). */
export function limitOf(op: "max" | "min", dtype: DType): Value {
  const range = integerRange(dtype);
  if (range === null) return op === "max" ? -Infinity : Infinity;
  const end = op === "max" ? range[0] : range[1];
  return valueKind(dtype) === "bigint" ? end : Number(end);
}

function extremeOf(op: "max" | "min", dtype: DType): Reducer {
  const pick = binaryFunction(op === "max" ? "maximum" : "minimum", dtype);
  const limit = limitOf(op, dtype);
  return (read, count) => {
    let best = count === 0 ? limit : read(0);
    for (let k = 1; k < count; k++) best = pick(best, read(k));
    return best;
  };
}

function placeOf(op: "argmax" | "argmin", dtype: DType, result: DType): Reducer {
  const better = binaryFunction(op === "argmax" ? "greater" : "less", dtype);
  const limit = limitOf(op === "argmax" ? "max" : "min", dtype);
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
