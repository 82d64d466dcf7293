/**
 * Converts proto3 JSON to a message (in C++: util::JsonStringToMessage).
 *
 * It accepts everything that protobuf requires of a parser: both names of a field, numbers as text, enums by name or number, base64
 * in both alphabets, and null for an absent field. Anything else throws INVALID_ARGUMENT naming the field; so do unknown fields,
 * unless `ignoreUnknown` is set.
 */
import { base64Decode } from "@bufbuild/protobuf/wire";
import type { StatusError } from "@onebuffer/base";
import { checkObject, shownValue } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOneof, floating, integer64, text, word } from "./field-values.ts";
import type { JsonValue } from "./json-value.ts";
import { kFloatWords } from "./json-value.ts";
import type { Field, MessageObject, MessageType } from "./message-type.ts";
import { Kind, Label } from "./message-type.ts";

/** The options of `fromJson`. */
export interface FromJsonOptions {
  /** True to ignore unknown field names and unknown enum names. */
  readonly ignoreUnknown?: boolean;
  /** The maximum depth of nested messages. Default: 100. */
  readonly recursionLimit?: number;
}

/** The result for an unknown enum name that is to be ignored. */
const kIgnored = Symbol("ignored");

/** Returns the message that the JSON describes. Throws INVALID_ARGUMENT if it does not fit the message type. */
export function messageFromJson(type: MessageType, json: unknown, options: FromJsonOptions, depth: number): MessageObject {
  checkObject(options, "options");
  if (depth < 0) throw new InvalidArgumentError(`${type.typeName}: JSON nested deeper than the recursionLimit`);
  const { wrapped } = type;
  if (wrapped !== null) return { [wrapped.name]: valueFromJson(type, wrapped, json, options, depth) };
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw new InvalidArgumentError(`${type.typeName}: expected a JSON object, got ${shownValue(json)}`);
  const message: MessageObject = {};
  for (const [name, value] of Object.entries(json as Record<string, JsonValue>)) {
    const field = type.fields.find((each) => each.name === name || each.protoName === name);
    if (field === undefined) {
      if (options.ignoreUnknown === true) continue;
      throw new InvalidArgumentError(`${type.typeName} has no field ${shownValue(name)}`);
    }
    if (value === null) continue;
    if (Object.hasOwn(message, field.name)) throw wrongJson(type, field, "only one of its two names", value);
    const read = fieldFromJson(type, field, value, options, depth);
    if (read === kIgnored) continue;
    message[field.name] = read;
    if (field.oneof !== null) checkOneof(type, field, message);
  }
  return message;
}

/** Converts the value of a field, which is one value, a list or a map. */
function fieldFromJson(type: MessageType, field: Field, json: JsonValue, options: FromJsonOptions, depth: number): unknown {
  if (field.label === Label.MAP) return mapFromJson(type, field, json, options, depth);
  return field.label >= Label.LIST ? listFromJson(type, field, json, options, depth) : valueFromJson(type, field, json, options, depth);
}

/** Converts a map, which is an object in JSON. */
function mapFromJson(type: MessageType, field: Field, json: JsonValue, options: FromJsonOptions, depth: number): Map<string, unknown> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) throw wrongJson(type, field, "an object", json);
  const values = new Map<string, unknown>();
  for (const [key, each] of Object.entries(json)) values.set(text(type, field, key), valueFromJson(type, field, each, options, depth));
  return values;
}

function wrongJson(type: MessageType, field: Field, expected: string, value: unknown): StatusError {
  return new InvalidArgumentError(`${type.typeName}.${field.protoName}: expected ${expected}, got ${shownValue(value)}`);
}

/** Converts a repeated field to the same typed array or plain array as decoding does. */
function listFromJson(type: MessageType, field: Field, json: JsonValue, options: FromJsonOptions, depth: number): unknown {
  if (!Array.isArray(json)) throw wrongJson(type, field, "a list", json);
  const values = json.map((each) => valueFromJson(type, field, each, options, depth)).filter((each) => each !== kIgnored);
  return field.label === Label.LIST ? values : packedArray(field.kind, values);
}

/** Returns checked numbers or bools in the typed array that decoding makes for a packed field. */
export function packedArray(kind: Kind, values: readonly unknown[]): ArrayLike<unknown> {
  switch (kind) {
    case Kind.FLOAT:
      return Float32Array.from(values as number[]);
    case Kind.DOUBLE:
      return Float64Array.from(values as number[]);
    case Kind.INT64:
      return BigInt64Array.from((values as (number | bigint)[]).map(BigInt));
    case Kind.UINT64:
      return BigUint64Array.from((values as (number | bigint)[]).map(BigInt));
    case Kind.UINT32:
      return Uint32Array.from(values as number[]);
    case Kind.BOOL:
      return Uint8Array.from((values as boolean[]).map(Number));
    default:
      return Int32Array.from(values as number[]);
  }
}

function valueFromJson(type: MessageType, field: Field, json: unknown, options: FromJsonOptions, depth: number): unknown {
  switch (field.kind) {
    case Kind.MESSAGE:
      return messageFromJson(field.message!(), json, options, depth - 1);
    case Kind.STRING:
      return text(type, field, json);
    case Kind.BYTES:
      return bytesFromJson(type, field, json);
    case Kind.BOOL:
      if (typeof json !== "boolean") throw wrongJson(type, field, "a boolean", json);
      return json;
    case Kind.ENUM:
      return enumFromJson(type, field, json, options);
    case Kind.FLOAT:
    case Kind.DOUBLE:
      return floating(type, field, numberFromJson(json));
    case Kind.INT64:
    case Kind.UINT64:
      return exactNumber(integer64(type, field, typeof json === "string" && !/^-?\d+$/.test(json) ? numberFromJson(json) : json));
    default:
      return word(type, field, numberFromJson(json));
  }
}

/** Converts a text that stands for a number. Any other value is returned unchanged, and refused by the caller if it is not a number. */
function numberFromJson(json: unknown): unknown {
  if (typeof json !== "string") return json;
  const special = kFloatWords.get(json);
  if (special !== undefined) return special;
  return /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(json) ? Number(json) : json;
}

/** Returns a 64-bit integer as decoding does: a number if it is a safe integer, otherwise a bigint. */
function exactNumber(value: number | bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number + 0 : value;
}

function enumFromJson(type: MessageType, field: Field, json: unknown, options: FromJsonOptions): unknown {
  if (typeof json !== "string") return word(type, field, json);
  const numbers = field.enumNumbers!;
  if (Object.hasOwn(numbers, json)) return numbers[json];
  if (options.ignoreUnknown === true) return kIgnored;
  throw wrongJson(type, field, "the name of an enum value", json);
}

function bytesFromJson(type: MessageType, field: Field, json: unknown): Uint8Array {
  if (typeof json === "string" && /^[A-Za-z0-9+/_-]*={0,2}$/.test(json)) {
    try {
      return base64Decode(json);
    } catch {
      throw wrongJson(type, field, "base64", json);
    }
  }
  throw wrongJson(type, field, "base64", json);
}
