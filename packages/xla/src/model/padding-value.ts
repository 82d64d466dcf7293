/**
 * PaddingValue: what stands in the padding of a 2017 layout (PaddingValue in the r1.3 xla_data.proto; gone today).
 *
 * Padding sits at the end of a dimension only and is no part of the logical shape:
 *
 *     f32[2,3] padded to [3,5], {0,1}, ZERO_PAD      a d 0  b e 0  c f 0  0 0 0  0 0 0
 */
import { shownValue } from "@onebuffer/base";

/**
 * The 2017 padding values by their names in the proto: zero or one of the element type, its lowest value (for maximum
 * reductions), its largest (for minimum reductions), or anything at all.
 *
 * @example
 * PaddingValue.ZERO_PAD; // => 1
 * PaddingValue.UNKNOWN_PAD; // => 5
 */
export const PaddingValue = {
  INVALID_PAD: 0,
  ZERO_PAD: 1,
  ONE_PAD: 2,
  LOWEST_PAD: 3,
  HIGHEST_PAD: 4,
  UNKNOWN_PAD: 5,
} as const;

/** The name of a padding value: `"ZERO_PAD"`, … */
export type PaddingValueName = keyof typeof PaddingValue;

/** One of the 2017 padding value numbers. */
export type PaddingValue = (typeof PaddingValue)[PaddingValueName];

const kNames: readonly string[] = Object.keys(PaddingValue);

/** Whether `value` is a padding value's number, INVALID_PAD included. */
export function isPaddingValue(value: unknown): value is PaddingValue {
  return typeof value === "number" && kNames[value] !== undefined;
}

/**
 * The name of a padding value, or its digits if it has none.
 *
 * @example
 * paddingValueName(PaddingValue.LOWEST_PAD); // => "LOWEST_PAD"
 */
export function paddingValueName(value: PaddingValue): string {
  return (typeof value === "number" ? kNames[value] : undefined) ?? shownValue(value);
}
