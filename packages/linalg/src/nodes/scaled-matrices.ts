/** scaled-matrices: vectors as rows and columns of matrices, for products with diagonal matrices, and inverses that may have no value. */
import { chosen, filled, made, reduceFields, reshaped, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";

/** Returns vectors as matrices of one row: a product with them scales columns. */
export function rowOf(vectors: GradientValue): GradientValue {
  const sizes = sizesOf(vectors);
  return reshaped(vectors, [...sizes.slice(0, -1), 1, sizes.at(-1)!]);
}

/** Returns vectors as matrices of one column: a product with them scales rows. */
export function columnOf(vectors: GradientValue): GradientValue {
  return reshaped(vectors, [...sizesOf(vectors), 1]);
}

/** Returns 1 / x, and 0 where x is 0. Both, and all gradients of it, are finite. */
export function inverseOrZero(x: GradientValue): GradientValue {
  const isZero = x.equal(0);
  const one = filled(x.dtype, 1, []);
  return chosen(isZero, filled(x.dtype, 0, []), one.div(chosen(isZero, one, x)));
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
