/**
 * Checks and copies the integers and lists that callers pass in: the numbers that Shape and Layout keep.
 *
 * In XLA they are int64; here they are JavaScript numbers from -(2^53 - 1) to 2^53 - 1. Larger numbers, fractions and NaN
 * are refused, never rounded. The validators check whether a value makes sense (a negative size, a repeated dimension).
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, plainTypedArray, typedArrayKind, shownValue } from "@onebuffer/base/internal";

/** The longest list that is copied. No shape or layout needs more entries, and a sparse array may claim billions. */
const kMaxListLength = 2 ** 24;

/** Returns `value`, with -0 as 0. Throws INVALID_ARGUMENT, naming `what`, if it is not a safe integer. */
export function checkedInteger(value: number, what: string): number {
  if (!Number.isSafeInteger(value))
    throw new InvalidArgumentError(`Expected an integer up to 2^53 - 1 as ${what}, got ${shownValue(value)}`);
  return value + 0;
}

/** Like checkedInteger, but refuses negative numbers too. */
export function checkedCount(value: number, what: string): number {
  const count = checkedInteger(value, what);
  if (count < 0) throw new InvalidArgumentError(`Expected a non-negative integer as ${what}, got ${count}`);
  return count;
}

/** Returns a frozen copy of a list of integers, which may also contain `allowed`. Throws INVALID_ARGUMENT for any other value. */
export function checkedIntegers(list: readonly number[], what: string, allowed?: number): readonly number[] {
  const copy = checkedList(list, what);
  for (let i = 0; i < copy.length; i++) {
    const value = copy[i]!;
    if (value !== allowed) copy[i] = checkedInteger(value, `entry ${i} of ${what}`);
  }
  return Object.freeze(copy);
}

/** Returns a copy of a caller's list. Throws INVALID_ARGUMENT, naming `what`, if it is not a list or has more than 2^24 entries. */
export function checkedList<T>(list: readonly T[], what: string): T[] {
  if (typedArrayKind(list) !== "") return Array.from(plainTypedArray(list as unknown as ArrayBufferView) as unknown as ArrayLike<T>);
  if (!isArray(list)) throw new InvalidArgumentError(`Expected a list as ${what}, got ${shownValue(list)}`);
  if (list.length > kMaxListLength)
    throw new InvalidArgumentError(`Expected at most ${kMaxListLength} entries as ${what}, got ${list.length}`);
  return Array.from(list as readonly T[]); // a hole becomes undefined, which the check of the elements refuses
}
