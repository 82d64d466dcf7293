/**
 * saturation: where `saturateCast` stops, as tf.saturate_cast does it: the operand is clipped, in its own dtype, to what both
 * dtypes have, and then cast like any other.
 *
 *     float32 -> int32     [-2147483648, 2147483520]    2147483647 is no float32
 *     bfloat16 -> float16  [-65280, 65280]              65504 is no bfloat16
 *     float32 -> float32   the largest finite numbers   infinities are clipped whatever the dtypes are; NaN is not
 *
 * Quirk, not followed: TensorFlow rounds the ends of 64-bit integers to 2^63 and 2^64, which then overflow: of int64 as int64
 * all becomes -2^63. Here the ends are those that the other dtypes show the rule for.
 */
import type { DType } from "@onebuffer/base";
import { integerRange } from "./constant-value.ts";
import { isBig } from "../tree/dtype-groups.ts";

/** Bits of the significand, the hidden one counted, and the largest finite number. */
const floatFormats: Readonly<Partial<Record<DType, readonly [bits: number, largest: number]>>> = {
  float64: [53, Number.MAX_VALUE],
  float32: [24, 3.4028234663852886e38],
  bfloat16: [8, 3.3895313892515355e38],
  float16: [11, 65504],
  float8_e5m2: [3, 57344],
  float8_e5m2fnuz: [3, 57344],
  float8_e4m3fn: [4, 448],
  float8_e4m3fnuz: [4, 240],
  float8_e4m3b11fnuz: [4, 30],
  float4_e2m1fn: [2, 6],
};

/**
 * The least and the largest element of `from` that `to` has, too, as elements of `from`. Null where nothing is clipped: truth
 * values, and complex numbers.
 */
export function saturationRange(
  from: DType,
  to: DType,
): readonly [low: bigint, high: bigint] | readonly [low: number, high: number] | null {
  const integers = integerRange(from);
  const target = integerRange(to) ?? endsOf(floatFormats[to]?.[1]);
  if (target === null) return null;
  const [low, high] = target;
  if (integers !== null) {
    const [least, most] = [low > integers[0] ? low : integers[0], high < integers[1] ? high : integers[1]];
    return isBig(from) ? [least, most] : [Number(least), Number(most)];
  }
  const format = floatFormats[from];
  if (format === undefined) return null;
  const [bits, largest] = format;
  return [-Math.min(largest, cutTo(bits, -low)), Math.min(largest, cutTo(bits, high))];
}

/** Floats have their range on both sides; as integers, which their largest numbers are. */
function endsOf(largest: number | undefined): readonly [bigint, bigint] | null {
  return largest === undefined ? null : [-BigInt(largest), BigInt(largest)];
}

/** The largest float of so many bits that is not above `end`. */
function cutTo(bits: number, end: bigint): number {
  const surplus = BigInt(Math.max(end.toString(2).length - bits, 0));
  return Number((end >> surplus) << surplus);
}
