/**
 * A message as proto3 JSON (in C++: util::MessageToJsonString).
 *
 * Defaults are left out; 64-bit integers are text, bytes base64, enums their names, NaN and the infinities words, -0.0 is "-0". Unknown
 * fields have no names, so JSON does not have them. A float is the first decimal of six to nine digits that reads as the same float.
 */
import { base64Encode } from "@bufbuild/protobuf/wire";
import { checkObject, InvalidArgumentError } from "@onebuffer/base";
import { bytes, elements, floating, integer64, messageObject, text, word } from "./field-values.ts";
import type { JsonValue } from "./json-value.ts";
import { enumName } from "./json-value.ts";
import type { Field, MessageType } from "./message-type.ts";
import { Kind, Label } from "./message-type.ts";

/** How toJson writes. */
export interface ToJsonOptions {
  /** `tensor_shape` instead of `tensorShape`. */
  readonly useProtoFieldName?: boolean;
  /** 1 instead of `DT_FLOAT`. */
  readonly enumAsInteger?: boolean;
  /** How deep messages may be nested; the default is 100. */
  readonly recursionLimit?: number;
}

/** The message's JSON, checked as encoding checks it. */
export function messageToJson(type: MessageType, value: unknown, options: ToJsonOptions, depth: number): JsonValue {
  checkObject(options, "options");
  if (depth < 0) throw new InvalidArgumentError(`${type.typeName}: messages nested deeper than the recursionLimit`);
  const message = messageObject(type.typeName, value);
  const json: Record<string, JsonValue> = {};
  for (const field of type.fields) {
    const held = message[field.name];
    if (held === undefined || held === null) continue;
    const name = options.useProtoFieldName === true ? field.protoName : field.name;
    if (field.label >= Label.LIST) {
      const list = elements(type, field, held);
      if (list.length > 0) json[name] = Array.from(list, (each) => valueToJson(type, field, each, options, depth));
    } else {
      const written = valueToJson(type, field, held, options, depth);
      if (field.label === Label.OPTIONAL || !isDefault(field, held)) json[name] = written;
    }
  }
  return json;
}

/** Whether a checked value is proto3's default; -0.0 is none. */
function isDefault(field: Field, value: unknown): boolean {
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

/** The float in as few digits as tell it from its neighbours: 0.1, not 0.10000000149011612. */
function shortestFloat(value: number): number {
  const float = Math.fround(value);
  for (let digits = 6; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits));
    if (Math.fround(short) === float) return short;
  }
  return Number(float.toPrecision(9));
}
