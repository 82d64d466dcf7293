/**
 * Multiplies and adds sizes and detects overflow (TensorFlow: core/util/overflow.h).
 *
 * TensorFlow counts in int64 and limits at 2^63 - 1. Here a size is a JavaScript number, exact up to 2^53 - 1, so that
 * is the limit. A negative result means overflow, as in TensorFlow. TensorFlow may return any negative number for an
 * overflowing product; here it is always -1.
 */

/**
 * Returns the product of two sizes, or -1 if a factor is negative or not a number or the product exceeds 2^53 - 1 (TF:
 * MultiplyWithoutOverflow). The rounded product of two safe integers exceeds the limit exactly if the true product does, so the test
 * is exact. Never throws.
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
 * Returns the sum of two sizes, or -1 if a term is negative or not a number or the sum exceeds 2^53 - 1 (TF: AddWithoutOverflow).
 * Never throws.
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
