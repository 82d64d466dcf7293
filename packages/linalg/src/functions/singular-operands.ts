/** singular-operands: what functions of singular values have in common: their options and cutoffs, and one value of each matrix. */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { partAlong, reshaped, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";

/** Returns a number that an option has, at least 0; null if it is undefined. Throws INVALID_ARGUMENT for others. */
export function checkSize(call: string, name: string, value: unknown): number | null {
  if (value === undefined) return null;
  if (typeof value === "number" && value >= 0) return value;
  throw new InvalidArgumentError(`${call}: ${name} is a number from 0, got ${shownValue(value)}`);
}

/** Returns the larger size of matrices times the unit of their dtype: the part of the largest singular value below which others are rounding. */
export function defaultCutoff({ dtype, dimensions }: GradientValue): number {
  const unit = dtype === "float32" || dtype === "complex64" ? 2 ** -23 : 2 ** -52;
  return Math.max(...dimensions.slice(-2)) * unit;
}

/** Returns one singular value of each matrix. Throws INVALID_ARGUMENT if there are none. */
export function singularValueAt(call: string, s: GradientValue, place: number): GradientValue {
  const sizes = sizesOf(s);
  if (sizes.at(-1) === 0) throw new InvalidArgumentError(`${call}: a matrix without elements has no singular values`);
  return reshaped(partAlong(s, sizes.length - 1, place, place + 1), sizes.slice(0, -1));
}
