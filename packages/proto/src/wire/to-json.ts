/**
 * Converts a message to proto3 JSON (in C++: util::MessageToJsonString).
 *
 * Default values are left out. 64-bit integers become text, bytes base64, and enum values their names. NaN and the infinities become
 * their names, and -0.0 becomes "-0". Unknown fields are left out, because they have no names. A float is written with the fewest
 * digits, from six to nine, that parse to the same float.
 */
import { base64Encode } from "@bufbuild/protobuf/wire";
import { checkObject } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { exactDigits } from "@onebuffer/storage/internal";
import { bytes, checkOneof, elements, floating, integer64, mapEntries, messageObject, text, word } from "./field-values.ts";
import type { JsonValue } from "./json-value.ts";
import { enumName } from "./json-value.ts";
import type { Field, MessageType } from "./message-type.ts";
import { Kind, Label } from "./message-type.ts";

/** The options of `toJson`. */
export interface ToJsonOptions {
  /** True to write `tensor_shape` instead of `tensorShape`. */
  readonly useProtoFieldName?: boolean;
  /** True to write 1 instead of `DT_FLOAT`. */
  readonly enumAsInteger?: boolean;
  /** The maximum depth of nested messages. Default: 100. */
  readonly recursionLimit?: number;
}

/** Returns the message as JSON. Throws INVALID_ARGUMENT if a field cannot hold its value. */
export function messageToJson(type: MessageType, value: unknown, options: ToJsonOptions, depth: number): JsonValue {
  checkObject(options, "options");
  if (depth < 0) throw new InvalidArgumentError(`${type.typeName}: messages nested deeper than the recursionLimit`);
  const message = messageObject(type.typeName, value);
  const { wrapped } = type;
  if (wrapped !== null) return valueToJson(type, wrapped, message[wrapped.name] ?? false, options, depth);
  const json: Record<string, JsonValue> = {};
  for (const field of type.fields) {
    const held = message[field.name];
    if (held === undefined || held === null) continue;
    if (field.oneof !== null) checkOneof(type, field, message);
    const name = options.useProtoFieldName === true ? field.protoName : field.name;
    if (field.label === Label.MAP) {
      const entries = mapEntries(type, field, held);
      // Object.fromEntries defines properties, so a key may be "__proto__".
      if (entries.length > 0)
        json[name] = Object.fromEntries(
          entries.map(([key, each]) => [text(type, field, key), valueToJson(type, field, each, options, depth)]),
        );
    } else if (field.label >= Label.LIST) {
      const list = elements(type, field, held);
      if (list.length > 0) json[name] = Array.from(list, (each) => valueToJson(type, field, each, options, depth));
    } else {
      const written = valueToJson(type, field, held, options, depth);
      if (field.label === Label.OPTIONAL || !isDefault(field, held)) json[name] = written;
    }
  }
  return json;
}

/** Returns true if a checked value is proto3's default value; -0.0 is not. */
export function isDefault(field: Field, value: unknown): boolean {
  if (field.kind === Kind.MESSAGE) return false;
  if (field.kind === Kind.BYTES) return (value as Uint8Array).length === 0;
  if (field.kind === Kind.FLOAT || field.kind === Kind.DOUBLE) return Object.is(value, 0);
  if (field.kind === Kind.STRING) return value === "";
  return value === false || (typeof value === "string" ? BigInt(value) === 0n : Number(value) === 0);
}

function valueToJson(type: MessageType, field: Field, value: unknown, options: ToJsonOptions, depth: number): JsonValue {
  switch (field.kind) {
    case Kind.MESSAGE:
      return messageToJson(field.message!(), value, options, depth - 1);
    case Kind.STRING:
      return text(type, field, value);
    case Kind.BYTES:
      return base64Encode(bytes(type, field, value));
    case Kind.FLOAT:
    case Kind.DOUBLE: {
      const number = floating(type, field, value);
      if (!Number.isFinite(number)) return String(number);
      if (Object.is(number, -0)) return "-0"; // JSON.stringify would write 0
      return field.kind === Kind.FLOAT ? shortestFloat(number) : number;
    }
    case Kind.BOOL:
      return word(type, field, value) === 1;
    case Kind.ENUM: {
      const number = word(type, field, value);
      return options.enumAsInteger === true ? number : (enumName(field, number) ?? number);
    }
    case Kind.INT64:
    case Kind.UINT64:
      return String(integer64(type, field, value));
    default:
      return word(type, field, value);
  }
}

/** Returns the number with the fewest digits that rounds to the same float: 0.1, not 0.10000000149011612. */
export function shortestFloat(value: number): number {
  const float = Math.fround(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = rounded(float, digits);
    if (Math.fround(short) === float) return short;
  }
  return rounded(float, 9);
}

/** Returns a number rounded to some digits, ties to even, as C prints it. `toPrecision` rounds ties up. */
function rounded(float: number, count: number): number {
  const more = float.toPrecision(count + 1);
  const isTie = /5(e|$)/.test(more) && Number(more) === float;
  if (!isTie) return Number(float.toPrecision(count));
  const { digits, exponent } = exactDigits(Math.abs(float), count);
  return Math.sign(float) * Number(`${digits}e${exponent - count + 1}`);
}
