/**
 * Integers from callers, checked and copied: the lists and numbers that Shape and Layout keep.
 *
 * XLA's are int64; here they are JavaScript numbers up to 2^53 - 1 either way. Larger, fractional and NaN values are
 * refused, never rounded. Whether a value makes sense (a negative size, a repeated dimension) is the validators' question.
 */
import { InvalidArgumentError, isArray, plainTypedArray, typedArrayKind, shownValue } from "@onebuffer/base";

/** More entries than any list of a shape or layout has a use for: a sparse array of billions must not be copied. */
const kLongestList = 2 ** 24;

/** `value` as it is, with -0 as 0. Throws INVALID_ARGUMENT, naming `what`, unless it is a safe integer. */
export function checkedInteger(value: number, what: string): number {
  if (!Number.isSafeInteger(value))
    throw new InvalidArgumentError(`Expected an integer up to 2^53 - 1 as ${what}, got ${shownValue(value)}`);
  return value + 0;
}

/** As checkedInteger, and not negative. */
export function checkedCount(value: number, what: string): number {
  const count = checkedInteger(value, what);
  if (count < 0) throw new InvalidArgumentError(`Expected a non-negative integer as ${what}, got ${count}`);
  return count;
}

/** A frozen copy of a list of integers; `allowed` is one more value that may stand in it. Throws INVALID_ARGUMENT. */
export function checkedIntegers(list: readonly number[], what: string, allowed?: number): readonly number[] {
  const copy = checkedList(list, what);
  for (let i = 0; i < copy.length; i++) {
    const value = copy[i]!;
    if (value !== allowed) copy[i] = checkedInteger(value, `entry ${i} of ${what}`);
  }
  return Object.freeze(copy);
}

/** A copy of a list from outside. Throws INVALID_ARGUMENT, naming `what`, when it is none. */
export function checkedList<T>(list: readonly T[], what: string): T[] {
  if (typedArrayKind(list) !== "") return Array.from(plainTypedArray(list as unknown as ArrayBufferView) as unknown as ArrayLike<T>);
  if (!isArray(list)) throw new InvalidArgumentError(`Expected a list as ${what}, got ${shownValue(list)}`);
  if (list.length > kLongestList) throw new InvalidArgumentError(`Expected at most ${kLongestList} entries as ${what}, got ${list.length}`);
  return Array.from(list as readonly T[]); // a hole becomes undefined, which the element check refuses
}
