/**
 * Casts between all numeric dtypes, including the storage-only ones (TensorFlow's Cast kernels and tf.saturate_cast).
 *
 *     float -> integer     truncates. C++ leaves values out of range to the machine; here they become what x86 gives: up to 16 bits
 *                          the low bits of an int32, which is -2^31 for values outside its range; unsigned integers wrap around
 *                          from the lowest int32 or int64 on and are 2^31 or 2^63 outside (docs/expressions.md has the table)
 *     integer -> integer   wraps around
 *     anything -> bool     x != 0, so NaN is true
 *     complex -> real      drops the imaginary part; only a cast to bool looks at it
 *     -> float16 and below through float32, so a float64 is rounded twice, as in TensorFlow
 *     float16, bfloat16 -> the value is a float32 inside an expression (values.ts), so it is first rounded to its own dtype
 *
 * A saturating cast first clips in the dtype that it casts from (saturation.ts). NaN is not clipped: it casts as without saturation.
 */
import type { Complex, DType } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import { integerRange, isComplexDType, roundToFloat, saturationRange } from "@onebuffer/expression/internal";
import type { UnaryFunction } from "./element-functions.ts";
import { roundTo, valueKind, wrapBig } from "./values.ts";

/** Returns the cast from values of one dtype, as they are inside an expression, to values of another. */
export function castFunction(from: DType, to: DType, saturate: boolean): UnaryFunction {
  const cast = castOfElements(from, to, saturate);
  return from === "float16" || from === "bfloat16" ? (x) => cast(roundToFloat(from, x as number)) : cast;
}

/** Returns the cast from values that are already rounded to their dtype. */
function castOfElements(from: DType, to: DType, saturate: boolean): UnaryFunction {
  if (to === "bool") return toBool(from);
  if (isComplexDType(to)) return toComplex(from, to);
  if (isComplexDType(from)) return fromComplex(castOfElements(from === "complex64" ? "float32" : "float64", to, saturate));
  const range = saturate ? saturationRange(from, to) : null;
  if (range !== null) return clipped(range, castOfElements(from, to, false));
  if (integerRange(to) === null) return toFloat(from, to);
  if (valueKind(from) === "bigint" || integerRange(from) !== null || from === "bool") {
    return integerToInteger(valueKind(from) === "bigint", to);
  }
  return truncatedInteger(to);
}

/** Returns a cast that first clips values outside the range to its nearest end; NaN stays. */
function clipped([low, high]: readonly [number | bigint, number | bigint], cast: UnaryFunction): UnaryFunction {
  return (x) => {
    const value = x as number | bigint;
    return cast(value > high ? high : value < low ? low : value);
  };
}

function toBool(from: DType): UnaryFunction {
  if (isComplexDType(from)) return (x) => ((x as Complex)[0] !== 0 || (x as Complex)[1] !== 0 ? 1 : 0);
  if (valueKind(from) === "bigint") return (x) => (x === 0n ? 0 : 1);
  return (x) => (x === 0 ? 0 : 1);
}

function toComplex(from: DType, to: "complex64" | "complex128"): UnaryFunction {
  if (isComplexDType(from)) {
    return to === "complex128" ? (x) => x : (x) => [Math.fround((x as Complex)[0]), Math.fround((x as Complex)[1])];
  }
  const real = castOfElements(from, to === "complex64" ? "float32" : "float64", false);
  return (x) => [real(x) as number, 0];
}

function fromComplex(real: UnaryFunction): UnaryFunction {
  return (x) => real((x as Complex)[0]);
}

/** Returns the cast from a real dtype to a float dtype. */
function toFloat(from: DType, to: DType): UnaryFunction {
  const wide = to === "float64";
  const single: UnaryFunction =
    valueKind(from) === "bigint"
      ? wide
        ? (x) => Number(x as bigint)
        : (x) => bigToFloat32(x as bigint)
      : wide
        ? (x) => x
        : (x) => Math.fround(x as number);
  return wide || to === "float32" ? single : (x) => roundToFloat(to, single(x) as number);
}

/**
 * Returns the float32 nearest to a 64-bit integer, rounded once: bits that a float64 cannot hold are replaced by one sticky bit, which
 * only breaks ties.
 */
function bigToFloat32(x: bigint): number {
  const size = x < 0n ? -x : x;
  if (size < 9007199254740992n) return Math.fround(Number(x));
  const top = size >> 11n;
  const sticky = top << 11n === size ? top : top | 1n;
  const value = Number(sticky) * 2048;
  return Math.fround(x < 0n ? -value : value);
}

function integerToInteger(big: boolean, to: DType): UnaryFunction {
  if (valueKind(to) === "bigint") return big ? (x) => wrapBig(to, x as bigint) : (x) => wrapBig(to, BigInt(x as number));
  const round = roundTo(to);
  return big ? (x) => round(Number(BigInt.asIntN(32, x as bigint))) : (x) => round(x as number);
}

/** Returns C++'s conversion from a float to an integer dtype, as x86 does it. */
function truncatedInteger(to: DType): UnaryFunction {
  if (to === "int64") return (x) => (inside(x as number, 2 ** 63) ? BigInt(Math.trunc(x as number)) : -(2n ** 63n));
  if (to === "uint64") {
    return (x) => (inside(x as number, 2 ** 64) ? BigInt.asUintN(64, BigInt(Math.trunc(x as number))) : 2n ** 63n);
  }
  if (to === "uint32") return (x) => (inside(x as number, 2 ** 32) ? Math.trunc(x as number) >>> 0 : 2 ** 31);
  const round = roundTo(to);
  return (x) => round(inside(x as number, 2 ** 31) ? Math.trunc(x as number) : -(2 ** 31));
}

/**
 * Returns true if trunc(x) is below `end` and not below the lowest int32 (for an end up to 2^32) or the lowest int64. The constant
 * -(2^63) - 1025 rounds to the next float64 below -(2^63).
 */
function inside(x: number, end: number): boolean {
  return x < end && x > (end <= 2 ** 32 ? -(2 ** 31) - 1 : -(2 ** 63) - 1025);
}

/** Returns true for dtypes whose values are float32 inside an expression and are rounded when they are stored. */
export function isRoundedWhenStored(dtype: DType): boolean {
  const { float, bits } = dtypeRows[dtype];
  return float !== undefined && bits <= 16;
}
