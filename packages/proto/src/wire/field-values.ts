/**
 * Checks the field values of a message object before they are encoded (in C++ the types of protobuf's setters ensure this).
 *
 * Integers are never truncated: a value that the field cannot hold throws INVALID_ARGUMENT naming the field.
 */
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import type { StatusError } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { Field, MessageObject, MessageType } from "./message-type.ts";
import { Kind } from "./message-type.ts";

const { checkUtf8 } = getTextEncoding();

/** Returns the error for a value that the field cannot hold. */
export function wrongValue(type: MessageType, field: Field, expected: string, value: unknown): StatusError {
  return new InvalidArgumentError(`${type.typeName}.${field.protoName}: expected ${expected}, got ${shownValue(value)}`);
}

/** Returns the value as an object of fields. Throws INVALID_ARGUMENT if it is not an object, or is an array or a view. */
export function messageObject(typeName: string, value: unknown): MessageObject {
  if (typeof value !== "object" || value === null || Array.isArray(value) || ArrayBuffer.isView(value))
    throw new InvalidArgumentError(`Expected a ${typeName}, got ${shownValue(value)}`);
  return value as MessageObject;
}

/** Returns the value of an integer field of up to 32 bits, or a bool as 0 or 1. */
export function word(type: MessageType, field: Field, value: unknown): number {
  const { kind } = field;
  if (kind === Kind.BOOL) {
    if (value === true || value === 1) return 1;
    if (value === false || value === 0) return 0;
    throw wrongValue(type, field, "a boolean", value);
  }
  const unsigned = kind === Kind.UINT32 || kind === Kind.FIXED32;
  if (typeof value !== "number" || value !== (unsigned ? value >>> 0 : value | 0))
    throw wrongValue(type, field, unsigned ? "a uint32" : "an int32", value);
  return value;
}

/** Returns the value of a 64-bit field as a number or bigint. The value may be a safe integer, a bigint, or a decimal text. */
export function integer64(type: MessageType, field: Field, value: unknown): number | bigint {
  const unsigned = field.kind !== Kind.INT64;
  if (typeof value === "number" && Number.isSafeInteger(value) && (value >= 0 || !unsigned)) return value;
  const exact = typeof value === "bigint" ? value : typeof value === "string" && /^-?\d{1,20}$/.test(value) ? BigInt(value) : null;
  if (exact === null || exact !== (unsigned ? BigInt.asUintN(64, exact) : BigInt.asIntN(64, exact)))
    throw wrongValue(type, field, unsigned ? "an exact uint64" : "an exact int64", value);
  return exact;
}

/** Returns the value of a FLOAT or DOUBLE field. A finite number beyond the range of a float is refused. */
export function floating(type: MessageType, field: Field, value: unknown): number {
  if (typeof value !== "number") throw wrongValue(type, field, "a number", value);
  if (field.kind === Kind.FLOAT && Number.isFinite(value) && !Number.isFinite(Math.fround(value)))
    throw wrongValue(type, field, "a number that a float can hold", value);
  return value;
}

/** Returns the value of a STRING field. A text with a lone surrogate is refused, because it has no UTF-8 encoding. */
export function text(type: MessageType, field: Field, value: unknown): string {
  if (typeof value !== "string" || !checkUtf8(value)) throw wrongValue(type, field, "well-formed text", value);
  return value;
}

/** Returns the value of a BYTES field: a Uint8Array of any realm. */
export function bytes(type: MessageType, field: Field, value: unknown): Uint8Array {
  if (kindOfView(value) !== "Uint8Array") throw wrongValue(type, field, "a Uint8Array", value);
  return value as Uint8Array;
}

/** Returns the value of a repeated field: an array or a typed array. */
export function elements(type: MessageType, field: Field, value: unknown): ArrayLike<unknown> {
  const view = kindOfView(value);
  if (!Array.isArray(value) && (view === "" || view === "DataView")) throw wrongValue(type, field, "a list", value);
  return value as ArrayLike<unknown>;
}

/** An entry of a map field: a text and a message. */
export type MapEntry = readonly [key: unknown, value: unknown];

/** Returns the entries of a map field: a Map of any realm. */
export function mapEntries(type: MessageType, field: Field, value: unknown): readonly MapEntry[] {
  if (Object.prototype.toString.call(value) !== "[object Map]") throw wrongValue(type, field, "a Map", value);
  const entries: MapEntry[] = [];
  for (const entry of value as ReadonlyMap<unknown, unknown>) entries.push(entry);
  return entries;
}

/** Throws INVALID_ARGUMENT if another field of the oneof that `field` is part of has a value, too. */
export function checkOneof(type: MessageType, field: Field, message: MessageObject): void {
  for (const other of type.fields) {
    const value = other.oneof === field.oneof && other !== field ? message[other.name] : undefined;
    if (value !== undefined && value !== null)
      throw new InvalidArgumentError(
        `${type.typeName}: both ${field.protoName} and ${other.protoName} are set; the oneof ${field.oneof} has one value`,
      );
  }
}

/** Returns the class name of a typed array or DataView of any realm, or "" for any other value. */
export function kindOfView(value: unknown): string {
  return ArrayBuffer.isView(value) ? ((value as unknown as Record<symbol, unknown>)[Symbol.toStringTag] as string) : "";
}
