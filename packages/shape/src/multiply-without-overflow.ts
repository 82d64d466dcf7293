/**
 * Products and sums of sizes that never wrap (TensorFlow: core/util/overflow.h).
 *
 * TensorFlow counts in int64 and limits at 2^63 - 1. Here a size is a JavaScript number, exact up to 2^53 - 1, so that
 * is the limit; a negative result means "did not fit", as it does there. TensorFlow's product may also come back
 * as a wrapped negative number, which its callers treat the same way: here it is always -1.
 */

/**
 * The product of two sizes, or -1 when a factor is negative or no number or the product exceeds 2^53 - 1 (TF: MultiplyWithoutOverflow).
 * A rounded product of two safe integers exceeds the limit exactly when the true one does, so the test is exact.
 * Throws nothing.
 *
 * @example
 * multiplyWithoutOverflow(65536, 65536); // => 4294967296
 * multiplyWithoutOverflow(2 ** 40, 2 ** 40); // => -1
 * multiplyWithoutOverflow(-1, 5); // => -1
 */
export function multiplyWithoutOverflow(x: number, y: number): number {
  if (typeof x !== "number" || typeof y !== "number" || x < 0 || y < 0) return -1;
  const product = x * y;
  return product <= Number.MAX_SAFE_INTEGER ? product : -1;
}

/**
 * The sum of two sizes, or -1 when a term is negative or no number or the sum exceeds 2^53 - 1 (TF: AddWithoutOverflow).
 * Throws nothing.
 *
 * @example
 * addWithoutOverflow(3, 4); // => 7
 * addWithoutOverflow(2 ** 53 - 1, 1); // => -1
 */
export function addWithoutOverflow(x: number, y: number): number {
  if (typeof x !== "number" || typeof y !== "number" || x < 0 || y < 0) return -1;
  const sum = x + y;
  return sum <= Number.MAX_SAFE_INTEGER ? sum : -1;
}
