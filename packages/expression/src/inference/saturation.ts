/**
 * saturation: the range to which `saturateCast` clips. As in tf.saturate_cast the operand is clipped, in its own dtype, to the range that
 * both dtypes can represent, and then cast like any other.
 *
 *     float32 -> int32     [-2147483648, 2147483520]    2147483647 is not a float32
 *     bfloat16 -> float16  [-65280, 65280]              65504 is not a bfloat16
 *     float32 -> float32   the largest finite numbers   infinities are clipped for every pair of dtypes; NaN is not
 *
 * Quirk, not followed: TensorFlow rounds the ends of 64-bit integers to 2^63 and 2^64, which then overflow: every int64 cast to int64
 * becomes -2^63. Here 64-bit integers follow the rule of the other dtypes.
 */
import type { DType } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import { integerRange } from "./constant-value.ts";
import { isBig, isComplexDType } from "../tree/dtype-groups.ts";

/** Returns the number of bits of the significand, including the hidden bit, and the largest finite number; null unless `dtype` is a float. */
function formatOf(dtype: DType): readonly [bits: number, largest: number] | null {
  const { float } = dtypeRows[dtype];
  return float === undefined || isComplexDType(dtype) ? null : [float[0], float[2]];
}

/**
 * Returns the lowest and the highest element of `from` that `to` can represent too, as elements of `from`. Returns null if nothing is
 * clipped: for bool and for complex numbers.
 */
export function saturationRange(
  from: DType,
  to: DType,
): readonly [low: bigint, high: bigint] | readonly [low: number, high: number] | null {
  const integers = integerRange(from);
  const target = integerRange(to) ?? endsOf(formatOf(to)?.[1]);
  if (target === null) return null;
  const [low, high] = target;
  if (integers !== null) {
    const [least, most] = [low > integers[0] ? low : integers[0], high < integers[1] ? high : integers[1]];
    return isBig(from) ? [least, most] : [Number(least), Number(most)];
  }
  const format = formatOf(from);
  if (format === null) return null;
  const [bits, largest] = format;
  return [-Math.min(largest, cutTo(bits, -low)), Math.min(largest, cutTo(bits, high))];
}

/** Returns the range of a float format as integers; its largest finite number is an integer. Null if `largest` is undefined. */
function endsOf(largest: number | undefined): readonly [bigint, bigint] | null {
  return largest === undefined ? null : [-BigInt(largest), BigInt(largest)];
}

/** Returns the float with `bits` bits of significand that is nearest to `end` and not farther from 0. */
function cutTo(bits: number, end: bigint): number {
  const surplus = BigInt(Math.max(end.toString(2).length - bits, 0));
  return Number((end >> surplus) << surplus);
}
