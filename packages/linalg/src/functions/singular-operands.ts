/** singular-operands: what functions of singular values have in common: cut values and their inverses. */
import { chosen, filled, made, partAlong, reduceFields, reshaped, sizesOf } from "@onebuffer/expression/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { inverseOrZero } from "../nodes/scaled-matrices.ts";

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

/** Returns the largest singular value of each matrix, with an axis of size 1; 0 if there are none. */
export function largestOf(s: GradientValue): GradientValue {
  const sizes = sizesOf(s);
  if (sizes.at(-1) === 0) return filled(s.dtype, 0, [...sizes.slice(0, -1), 1]);
  return made(reduceFields("max", s, -1, true));
}

/** Returns the inverses of singular values, and 0 for those of at most `cutoff` times the largest. */
export function cutInverse(s: GradientValue, cutoff: number): GradientValue {
  const isKept = s.greater(largestOf(s).mul(cutoff));
  return inverseOrZero(chosen(isKept, s, filled(s.dtype, 0, [])));
}

/** Returns one singular value of each matrix. Throws INVALID_ARGUMENT if there are none. */
export function singularValueAt(call: string, s: GradientValue, place: number): GradientValue {
  const sizes = sizesOf(s);
  if (sizes.at(-1) === 0) throw new InvalidArgumentError(`${call}: a matrix without elements has no singular values`);
  return reshaped(partAlong(s, sizes.length - 1, place, place + 1), sizes.slice(0, -1));
}
