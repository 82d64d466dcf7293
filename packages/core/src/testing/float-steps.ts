/**
 * Returns how many representable numbers apart two floats are: units in the last place, as googletest's FloatingPoint counts them
 * and TensorFlow's tensor_testutil.cc does for half.
 *
 *     bits        ... 0x80000001  0x80000000 | 0x00000000  0x00000001 ... 0x7f7fffff  0x7f800000
 *     number      ... -2^-149     -0         | 0           2^-149     ... largest     Infinity
 *     place       ... -1           0         | 0           1          ...
 *
 * Quirk: counted this way the largest number is one step from Infinity. NaN has no place.
 */
import type { DType } from "@onebuffer/base";
import { floatToHalf } from "@onebuffer/base";

const words: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(8));

function place16(x: number): number {
  const bits = floatToHalf(x);
  return bits & 0x8000 ? -(bits & 0x7fff) : bits;
}

function place32(x: number): number {
  words.setFloat32(0, x);
  const bits = words.getInt32(0);
  return bits < 0 ? -(bits & 0x7fffffff) : bits;
}

function place64(x: number): bigint {
  words.setFloat64(0, x);
  const bits = words.getBigInt64(0);
  return bits < 0n ? -(bits & 0x7fffffffffffffffn) : bits;
}

/**
 * The dtypes whose elements (or complex parts) are compared in steps. TensorFlow compares bfloat16 and float8 exactly, and so is
 * float4 here.
 */
export const stepDTypes: readonly DType[] = ["float16", "float32", "float64", "complex64", "complex128"];

/**
 * Returns the number of steps from one float to another in the format of the dtype or of its parts. Both must be of that format and
 * not NaN.
 */
export function floatSteps(dtype: DType, x: number, y: number): number {
  if (dtype === "float16") return Math.abs(place16(x) - place16(y));
  if (dtype === "float32" || dtype === "complex64") return Math.abs(place32(x) - place32(y));
  const distance = place64(x) - place64(y);
  return Number(distance < 0n ? -distance : distance);
}
