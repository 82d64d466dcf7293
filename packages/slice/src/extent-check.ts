/**
 * Checks the invariant of every TensorSlice: start, length and end = start + length of each dimension are exact integers.
 *
 * TensorFlow stores any int64 pair and lets the end overflow. Here numbers are exact only to 2^53 - 1, so larger numbers
 * are refused. Nothing else is checked: negative starts, zero lengths and lengths below -1 are valid, as in TensorFlow's
 * unvalidated extents.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/** The length that, with start 0, means the whole dimension, of any size. */
export const kFullExtent = -1;

/** Throws INVALID_ARGUMENT unless start, length and end are integers that JavaScript numbers hold exactly. */
export function checkExtent(start: number, length: number): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(length)) {
    throw new InvalidArgumentError(
      `Expected start and length to be integers up to ${Number.MAX_SAFE_INTEGER} but got start = ${shownValue(start)}, length = ${shownValue(length)}`,
    );
  }
  if (!Number.isSafeInteger(start + length)) {
    throw new InvalidArgumentError(
      `Extent end exceeds the maximum possible size ${Number.MAX_SAFE_INTEGER}: start = ${start}, length = ${length}`,
    );
  }
}
