/**
 * Parses a message in protobuf's text format (in C++: TextFormat::ParseFromString).
 *
 *     message = { name [":"] value [ "," | ";" ] }       a ":" is needed before a value that is not a message
 *     value   = number | "text" | name | "{" message "}" | "<" message ">" | "[" value, … "]"
 */
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { checkOneof, integer64, word, wrongValue } from "../wire/field-values.ts";
import { packedArray } from "../wire/from-json.ts";
import type { DecodeOptions, MessageCodec } from "../wire/message-codec.ts";
import { depthOf } from "../wire/message-codec.ts";
import type { Field, MessageObject, MessageType } from "../wire/message-type.ts";
import { Kind, Label } from "../wire/message-type.ts";
import { checkCodec } from "./check-codec.ts";
import { TextScanner } from "./text-scanner.ts";

const { decodeUtf8 } = getTextEncoding();

/** An integer of 64 bits has at most 20 digits, 22 as an octal one; the rest is for leading zeros. Longer ones take long to convert. */
const kMostDigits = 64;
const kInteger = /^-?(0[xX][0-9a-fA-F]+|0[0-7]*|[1-9]\d*)$/;
const kFloat = /^-?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?[fF]?$/;
const kSpecialFloat = /^(-?)(?:(inf(?:inity)?)|nan)f?$/i;
const kBools: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["True", true],
  ["t", true],
  ["1", true],
  ["false", false],
  ["False", false],
  ["f", false],
  ["0", false],
]);

/**
 * Returns the message that a text in protobuf's text format describes: the form of the file `checkpoint` and of `.pbtxt` files.
 *
 * Throws INVALID_ARGUMENT, with the line and the column, if the text does not follow the format or has an unknown field, a value that its
 * field cannot hold, or a second value for a field that holds one.
 *
 * @example
 * const text = 'model_checkpoint_path: "ckpt-\\062"  # the latest\nall_model_checkpoint_paths: ["ckpt-1", "ckpt-2"]';
 * const state = fromTextFormat(checkpointStateCodec, text);
 * state; // => { modelCheckpointPath: "ckpt-2", allModelCheckpointPaths: ["ckpt-1", "ckpt-2"] }
 * fromTextFormat(checkpointStateCodec, "path: 1"); // throws INVALID_ARGUMENT
 */
export function fromTextFormat<M extends object>(codec: MessageCodec<M>, text: string, options?: Pick<DecodeOptions, "recursionLimit">): M {
  checkCodec(codec);
  if (typeof text !== "string") throw new InvalidArgumentError(`expected the text of a ${codec.typeName}, got ${shownValue(text)}`);
  const scanner = new TextScanner(text);
  return readMessage(scanner, codec.type, "", depthOf(options)) as M;
}

/** Reads fields up to `close`, which is "" for the end of the text. */
function readMessage(scanner: TextScanner, type: MessageType, close: string, depth: number): MessageObject {
  if (depth < 0) throw scanner.malformed(`${type.typeName}: messages nested deeper than the recursionLimit`);
  const message: MessageObject = {};
  while (scanner.next !== close) {
    if (scanner.next === "") throw scanner.malformed(`expected "${close}", got the end of the text`);
    const name = scanner.word("the name of a field");
    const field = type.fields.find((each) => each.protoName === name);
    if (field === undefined) throw scanner.malformed(`${type.typeName} has no field ${shownValue(name)}`);
    const colon = scanner.take(":");
    if (!colon && field.kind !== Kind.MESSAGE) scanner.expect(":");
    if (field.label >= Label.LIST) readMany(scanner, type, message, field, depth);
    else {
      if (message[field.name] !== undefined) throw scanner.malformed(`a second value for ${type.typeName}.${name}`);
      message[field.name] = readValue(scanner, type, field, depth);
      if (field.oneof !== null) checkOneof(type, field, message);
    }
    if (!scanner.take(",")) scanner.take(";");
  }
  for (const field of type.fields) {
    const values = field.label === Label.PACKED ? message[field.name] : undefined;
    if (values !== undefined) message[field.name] = packedArray(field.kind, values as unknown[]);
  }
  return message;
}

/** Reads one value of a repeated field or a map, or a list of them in brackets. */
function readMany(scanner: TextScanner, type: MessageType, message: MessageObject, field: Field, depth: number): void {
  const isMap = field.label === Label.MAP;
  const values = (message[field.name] ??= isMap ? new Map() : []) as unknown[] | Map<string, unknown>;
  const readOne = (): void => {
    if (Array.isArray(values)) values.push(readValue(scanner, type, field, depth));
    else readEntry(scanner, values, field, depth);
  };
  if (!scanner.take("[")) readOne();
  else if (!scanner.take("]")) {
    do readOne();
    while (scanner.take(","));
    scanner.expect("]");
  }
}

/** Reads an entry of a map: a message with the fields `key` and `value`. */
function readEntry(scanner: TextScanner, values: Map<string, unknown>, field: Field, depth: number): void {
  const close = openBrace(scanner);
  let key: string | undefined;
  let value: MessageObject | undefined;
  while (!scanner.take(close)) {
    const name = scanner.word("key or value");
    const colon = scanner.take(":");
    if (name === "key" && key === undefined) {
      if (!colon) scanner.expect(":");
      key = readText(scanner);
    } else if (name === "value" && value === undefined) value = readBraces(scanner, field.message!(), depth - 2);
    else throw scanner.malformed(`expected one key and one value in an entry of ${field.protoName}, got ${shownValue(name)}`);
    if (!scanner.take(",")) scanner.take(";");
  }
  values.set(key ?? "", value ?? {});
}

function openBrace(scanner: TextScanner): string {
  if (scanner.take("<")) return ">";
  scanner.expect("{");
  return "}";
}

/** Reads a message in braces. */
function readBraces(scanner: TextScanner, type: MessageType, depth: number): MessageObject {
  const close = openBrace(scanner);
  const message = readMessage(scanner, type, close, depth);
  scanner.expect(close);
  return message;
}

function readText(scanner: TextScanner): string {
  const bytes = scanner.bytes();
  try {
    return decodeUtf8(bytes, true);
  } catch {
    throw scanner.malformed("the text before this is not UTF-8");
  }
}

function readValue(scanner: TextScanner, type: MessageType, field: Field, depth: number): unknown {
  switch (field.kind) {
    case Kind.MESSAGE:
      return readBraces(scanner, field.message!(), depth - 1);
    case Kind.STRING:
      return readText(scanner);
    case Kind.BYTES:
      return scanner.bytes();
    case Kind.FLOAT:
      return Math.fround(floatOf(scanner)); // beyond the range of a float it is infinity, as in protobuf
    case Kind.DOUBLE:
      return floatOf(scanner);
    default:
      return integerOf(scanner, type, field);
  }
}

/** Reads a decimal number, an infinity or NaN. */
function floatOf(scanner: TextScanner): number {
  const text = scanner.word("a number");
  const special = kSpecialFloat.exec(text);
  if (special !== null) {
    const [, sign, infinity] = special;
    return infinity === undefined ? Number.NaN : sign === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  }
  if (!kFloat.test(text)) throw scanner.malformed(`expected a number, got ${shownValue(text)}`);
  return Number.parseFloat(text);
}

/** Reads an integer, decimal, octal or hexadecimal, a bool or the name of an enum value. */
function integerOf(scanner: TextScanner, type: MessageType, field: Field): unknown {
  const text = scanner.word("a value");
  if (field.kind === Kind.BOOL) {
    const value = kBools.get(text);
    if (value === undefined) throw wrongValue(type, field, "true or false", text);
    return value;
  }
  const numbers = field.enumNumbers;
  if (numbers !== null && Object.hasOwn(numbers, text)) return numbers[text];
  if (text.length > kMostDigits || !kInteger.test(text))
    throw wrongValue(type, field, numbers === null ? "an integer" : "the name of an enum value", text);
  const digits = text.replace("-", "");
  const size = BigInt(/^0[0-7]/.test(digits) ? `0o${digits.slice(1)}` : digits);
  const value = text.startsWith("-") ? -size : size;
  const number = Number(value) + 0;
  const wide = field.kind === Kind.INT64 || field.kind === Kind.UINT64;
  return wide ? integer64(type, field, Number.isSafeInteger(number) ? number : value) : word(type, field, number);
}
