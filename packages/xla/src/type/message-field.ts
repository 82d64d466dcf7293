/**
 * Fields of messages from outside: plain objects whose values are checked before use (in C++: generated protobuf code).
 *
 * An int64 may come as a number, a bigint or decimal text: JSON gives text, wire readers give bigint, people write
 * numbers. Values beyond 2^53 - 1 are refused, never rounded; the one exception is INT64_MIN, XLA's mark for an unbounded
 * dimension and for a combined tile entry.
 */
import type { Int64Field } from "@onebuffer/base";
import { InvalidArgumentError, shownValue } from "@onebuffer/base";
import { readInt64Field } from "@onebuffer/base/internal";

/** INT64_MIN as messages carry it. */
export const kInt64Min: bigint = -(2n ** 63n);

/**
 * An int64 field as a number; undefined and null are proto3's 0. INT64_MIN becomes `ofMin`, if one is given. Throws
 * INVALID_ARGUMENT, naming `what`, for what is no int64 and for values beyond 2^53 - 1.
 */
export function int64Of(value: Int64Field | null | undefined, what: string, ofMin?: number): number {
  if (value === undefined || value === null) return 0;
  if (ofMin !== undefined && (value === kInt64Min || value === "-9223372036854775808" || value === -(2 ** 63))) return ofMin;
  const exact = readInt64Field(value, what);
  if (typeof exact === "bigint") throw new InvalidArgumentError(`Expected an int64 up to 2^53 - 1 as ${what}, got ${shownValue(value)}`);
  return exact;
}

/** A repeated field as a list without holes, empty if left out. Throws INVALID_ARGUMENT, naming `what`, if it is none. */
export function repeated<T>(list: readonly T[] | null | undefined, what: string): T[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new InvalidArgumentError(`Expected a list as ${what}, got ${shownValue(list)}`);
  return Array.from(list as readonly T[]);
}

/** A repeated int64 field. */
export function int64sOf(list: readonly Int64Field[] | null | undefined, what: string, ofMin?: number): number[] {
  return repeated(list, what).map((value, i) => int64Of(value, `${what}[${i}]`, ofMin));
}

/** A message, which must be an object. */
export function message<T extends object>(value: T, what: string): T {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidArgumentError(`Expected a ${what}, got ${shownValue(value)}`);
  return value;
}

/** An enum field: `value` if `valid` says so, else `otherwise`. */
export function enumOf<T extends number>(value: unknown, valid: (value: unknown) => value is T, otherwise: T): T {
  return valid(value) ? value : otherwise;
}
