/** scaled-matrices: vectors as rows and columns of matrices, for products with diagonal matrices, and quotients that may have no value. */
import { chosen, filled, reshaped, sizesOf } from "@onebuffer/expression/internal";
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
