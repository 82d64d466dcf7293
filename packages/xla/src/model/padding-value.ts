/**
 * PaddingValue: the value that fills the padding of a 2017 layout (PaddingValue in the r1.3 xla_data.proto; removed since).
 *
 * Padding exists only at the end of a dimension and is not part of the logical shape:
 *
 *     f32[2,3] padded to [3,5], {0,1}, ZERO_PAD      a d 0  b e 0  c f 0  0 0 0  0 0 0
 */
import { shownValue } from "@onebuffer/base/internal";

/**
 * The 2017 padding value numbers by their names in the proto: the element type's zero, one, lowest value (for maximum
 * reductions) or highest value (for minimum reductions), or an unspecified value.
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

/** Returns true if `value` is the number of a padding value; INVALID_PAD counts. */
export function isPaddingValue(value: unknown): value is PaddingValue {
  return typeof value === "number" && kNames[value] !== undefined;
}

/**
 * Returns the name of a padding value, or the value's text if it has no name.
 *
 * @example
 * paddingValueName(PaddingValue.LOWEST_PAD); // => "LOWEST_PAD"
 */
export function paddingValueName(value: PaddingValue): string {
  return (typeof value === "number" ? kNames[value] : undefined) ?? shownValue(value);
}
