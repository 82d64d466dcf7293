/**
 * Prints a message in protobuf's text format (in C++: TextFormat::PrintToString; the same text as Python's text_format.MessageToString).
 *
 *     model_checkpoint_path: "ckpt-3"
 *     features {
 *       feature {
 *         key: "x"
 *         value {
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { bytes, checkOneof, elements, floating, integer64, mapEntries, messageObject, text, word } from "../wire/field-values.ts";
import { enumName } from "../wire/json-value.ts";
import type { EncodeOptions, MessageCodec } from "../wire/message-codec.ts";
import { depthOf } from "../wire/message-codec.ts";
import type { Field, MessageType } from "../wire/message-type.ts";
import { Kind, Label } from "../wire/message-type.ts";
import { isDefault, shortestFloat } from "../wire/to-json.ts";
import { checkCodec } from "./check-codec.ts";

const kEscapes: ReadonlyMap<number, string> = new Map([
  [9, "\\t"],
  [10, "\\n"],
  [13, "\\r"],
  [34, '\\"'],
  [39, "\\'"],
  [92, "\\\\"],
]);

/**
 * Returns the message in protobuf's text format, one line for each value. Default values and unknown fields are left out, and the entries of
 * a map are sorted by key. In texts control characters are escaped, in bytes all that is not printable ASCII.
 *
 * Throws INVALID_ARGUMENT if a field cannot hold its value.
 *
 * @example
 * toTextFormat(checkpointStateCodec, { modelCheckpointPath: "c-2" }); // => 'model_checkpoint_path: "c-2"\n'
 */
export function toTextFormat<M extends object>(codec: MessageCodec<M>, message: M, options?: EncodeOptions): string {
  checkCodec(codec);
  const lines: string[] = [];
  writeFields(lines, codec.type, message, "", depthOf(options));
  return lines.join("");
}

function writeFields(lines: string[], type: MessageType, value: unknown, indent: string, depth: number): void {
  if (depth < 0) throw new InvalidArgumentError(`${type.typeName}: messages nested deeper than the recursionLimit`);
  const message = messageObject(type.typeName, value);
  for (const field of type.fields) {
    const held = message[field.name];
    if (held === undefined || held === null) continue;
    if (field.oneof !== null) checkOneof(type, field, message);
    if (field.label === Label.MAP) writeEntries(lines, type, field, held, indent, depth);
    else if (field.label >= Label.LIST) {
      const values = elements(type, field, held);
      for (let i = 0; i < values.length; i++) writeValue(lines, type, field, values[i], indent, depth);
    } else {
      const before = lines.length;
      writeValue(lines, type, field, held, indent, depth);
      // Written first, so that a value that the field cannot hold is refused.
      if (field.label !== Label.OPTIONAL && isDefault(field, held)) lines.length = before;
    }
  }
}

function writeEntries(lines: string[], type: MessageType, field: Field, held: unknown, indent: string, depth: number): void {
  const entries = mapEntries(type, field, held).map(([key, value]) => [text(type, field, key), value] as const);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [key, value] of entries) {
    lines.push(`${indent}${field.protoName} {\n`);
    if (key !== "") lines.push(`${indent}  key: ${quoted(key)}\n`);
    lines.push(`${indent}  value {\n`);
    writeFields(lines, field.message!(), value, `${indent}    `, depth - 2);
    lines.push(`${indent}  }\n${indent}}\n`);
  }
}

function writeValue(lines: string[], type: MessageType, field: Field, value: unknown, indent: string, depth: number): void {
  if (field.kind === Kind.MESSAGE) {
    lines.push(`${indent}${field.protoName} {\n`);
    writeFields(lines, field.message!(), value, `${indent}  `, depth - 1);
    lines.push(`${indent}}\n`);
  } else lines.push(`${indent}${field.protoName}: ${scalarText(type, field, value)}\n`);
}

function scalarText(type: MessageType, field: Field, value: unknown): string {
  switch (field.kind) {
    case Kind.STRING:
      return quoted(text(type, field, value));
    case Kind.BYTES:
      return quoted(bytes(type, field, value));
    case Kind.FLOAT:
    case Kind.DOUBLE: {
      const number = floating(type, field, value);
      return floatText(field.kind === Kind.FLOAT && Number.isFinite(number) && number !== 0 ? shortestFloat(number) : number);
    }
    case Kind.BOOL:
      return word(type, field, value) === 1 ? "true" : "false";
    case Kind.INT64:
    case Kind.UINT64:
      return String(integer64(type, field, value));
    default: {
      const number = word(type, field, value);
      return field.kind === Kind.ENUM ? (enumName(field, number) ?? String(number)) : String(number);
    }
  }
}

/** Returns a number as Python prints it: 1.0, 1e-05, 1e+16, inf, nan. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) return value.toExponential().replace(/e([+-])(\d)$/, "e$10$2");
  const digits = Object.is(value, -0) ? "-0" : String(value);
  return Number.isInteger(value) ? `${digits}.0` : digits;
}

/** Returns a text, or bytes, as a string literal. */
function quoted(value: string | Uint8Array): string {
  let literal = '"';
  for (let i = 0; i < value.length; i++) {
    const code = typeof value === "string" ? value.charCodeAt(i) : value[i]!;
    const octal = code < 32 || code === 127 || (code > 127 && typeof value !== "string");
    literal += kEscapes.get(code) ?? (octal ? `\\${code.toString(8).padStart(3, "0")}` : String.fromCharCode(code));
  }
  return `${literal}"`;
}
