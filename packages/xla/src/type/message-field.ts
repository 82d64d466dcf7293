/**
 * Reads the fields of messages that callers pass as plain objects, and checks every value (in C++: generated protobuf
 * code).
 *
 * An int64 may be a number, a bigint or decimal text: JSON gives text, wire readers give bigint, people write numbers.
 * Values beyond 2^53 - 1 are refused, never rounded. The one exception is INT64_MIN, with which XLA marks an unbounded
 * dimension and a combined tile entry.
 */
import type { Int64Field } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue, readInt64Field } from "@onebuffer/base/internal";

/** INT64_MIN as messages hold it. */
export const kInt64Min: bigint = -(2n ** 63n);

/**
 * Returns an int64 field as a number; undefined and null are 0, proto3's default. INT64_MIN becomes `ofMin`, if given.
 * Throws INVALID_ARGUMENT, naming `what`, if the value is not an int64 or is beyond 2^53 - 1.
 */
export function int64Of(value: Int64Field | null | undefined, what: string, ofMin?: number): number {
  if (value === undefined || value === null) return 0;
  if (ofMin !== undefined && (value === kInt64Min || value === "-9223372036854775808" || value === -(2 ** 63))) return ofMin;
  const exact = readInt64Field(value, what);
  if (typeof exact === "bigint") throw new InvalidArgumentError(`Expected an int64 up to 2^53 - 1 as ${what}, got ${shownValue(value)}`);
  return exact;
}

/** Returns a copy of a repeated field, empty if the field is left out. Throws INVALID_ARGUMENT, naming `what`, if it is not an array. */
export function repeated<T>(list: readonly T[] | null | undefined, what: string): T[] {
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) throw new InvalidArgumentError(`Expected a list as ${what}, got ${shownValue(list)}`);
  return Array.from(list as readonly T[]);
}

/** Returns a repeated int64 field as numbers. Throws as int64Of and repeated do. */
export function int64sOf(list: readonly Int64Field[] | null | undefined, what: string, ofMin?: number): number[] {
  return repeated(list, what).map((value, i) => int64Of(value, `${what}[${i}]`, ofMin));
}

/** Returns `value`. Throws INVALID_ARGUMENT, naming `what`, if it is not an object. */
export function message<T extends object>(value: T, what: string): T {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new InvalidArgumentError(`Expected a ${what}, got ${shownValue(value)}`);
  return value;
}

/** Returns an enum field: `value` if `valid` accepts it, else `otherwise`. */
export function enumOf<T extends number>(value: unknown, valid: (value: unknown) => value is T, otherwise: T): T {
  return valid(value) ? value : otherwise;
}
