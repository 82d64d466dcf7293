/**
 * Strides of a plain or padded layout, computed from lists (section "Addressing" of xla/index_util.h).
 *
 *     stride(m2m[k]) = product of the widths of m2m[0] .. m2m[k-1]
 *
 * The widths are the sizes or, in 2017, the padded sizes. Tiled layouts have no strides; tiles are not considered here.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers } from "../type/argument-check.ts";
import { shownList } from "../type/shown-list.ts";
import { checkPermutation } from "../type/permutation-util.ts";

/**
 * Returns the stride of each dimension, in elements, of an array with these widths and this order. Copies: a new list.
 *
 * A zero width makes the stride of every more major dimension 0, as in XLA.
 *
 * Throws INVALID_ARGUMENT if `minorToMajor` is not a permutation of the dimensions, or a stride exceeds 2^53 - 1.
 *
 * @example
 * stridesFromLayout([2, 3], [0, 1]); // => [1, 2]
 * stridesFromLayout([5, 8, 10, 4], [3, 2, 1, 0]); // => [320, 40, 4, 1]
 * stridesFromLayout([2, 3], [1, 1]); // throws INVALID_ARGUMENT
 */
export function stridesFromLayout(widths: readonly number[], minorToMajor: readonly number[]): number[] {
  checkNumbers(widths, "widths");
  checkNumbers(minorToMajor, "minor to major");
  checkPermutation(minorToMajor, widths.length, "minor_to_major");
  const strides = new Array<number>(widths.length).fill(1);
  let stride = 1;
  for (const d of minorToMajor) {
    if (!(stride <= Number.MAX_SAFE_INTEGER))
      throw new InvalidArgumentError(`The stride of dimension ${d} of ${shownList(widths)} exceeds 2^53 - 1`);
    strides[d] = stride;
    stride *= widths[d]!;
  }
  return strides;
}

/**
 * Returns the minor_to_major order whose dense strides are the given ones, or null if there is none: the dimensions of
 * size other than 1, sorted by stride, must have the strides 1, D1, D1*D2, … A dimension of size 1 may have any stride;
 * such dimensions become the most major ones, in descending order. An array without elements fits any layout and gets the
 * descending one. XLA has no such function. Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if the two lists differ in length, or hold a value that is not an integer.
 *
 * @example
 * layoutFromStrides([2, 3, 4], [12, 1, 3]); // => [1, 2, 0]
 * layoutFromStrides([1, 3], [99, 1]); // => [1, 0]
 * layoutFromStrides([2, 3], [5, 1]); // => null
 */
export function layoutFromStrides(dims: readonly number[], strides: readonly number[]): number[] | null {
  checkNumbers(dims, "dims");
  checkNumbers(strides, "strides");
  if (dims.length !== strides.length)
    throw new InvalidArgumentError(`${dims.length} dimensions ${shownList(dims)}, but ${strides.length} strides ${shownList(strides)}`);
  for (const value of [...dims, ...strides]) {
    if (!Number.isSafeInteger(value))
      throw new InvalidArgumentError(
        `Dimensions ${shownList(dims)} and strides ${shownList(strides)} must be integers, not ${String(value)}`,
      );
  }
  const descending = dims.map((_, i) => dims.length - 1 - i);
  if (dims.includes(0)) return descending;
  const wide = descending.filter((d) => dims[d] !== 1).sort((a, b) => strides[a]! - strides[b]!);
  let dense = 1;
  for (const d of wide) {
    if (strides[d] !== dense) return null;
    dense *= dims[d]!;
  }
  return [...wide, ...descending.filter((d) => dims[d] === 1)];
}
