/**
 * Encodes a plain object into the bytes of a message (in C++: the generated SerializeToArray).
 *
 * The order is protobuf's canonical one: the known fields by number, with repeated numbers packed and proto3's default values
 * left out, then the unknown fields unchanged. The entries of a map keep the order of the Map. Fields are written from the last to the
 * first (back-writer.ts).
 */
import { memoryOwnerOf, withMemoryOwner } from "@onebuffer/storage/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { BackWriter } from "./back-writer.ts";
import type { MapEntry } from "./field-values.ts";
import { bytes, checkOneof, elements, floating, integer64, mapEntries, messageObject, text, word, wrongValue } from "./field-values.ts";
import type { Field, MessageObject, MessageType } from "./message-type.ts";
import { kKeyTag, Kind, kValueTag, Label, Wire } from "./message-type.ts";
import { writePacked } from "./packed-payload.ts";
import { kMaxRecursion, WireReader } from "./wire-reader.ts";

/** The writer of the previous message, to be reused. It is null while in use: a getter in the message may encode another message. */
let spare: BackWriter | null = null;

/** Returns the chunks of the encoded message, in order. Payloads of at least 4096 bytes are the message's own arrays, not copies. */
export function encodeMessage(type: MessageType, message: unknown, recursionLimit: number): Uint8Array[] {
  const writer = spare ?? new BackWriter();
  spare = null;
  try {
    writeFields(writer, type, messageObject(type.typeName, message), recursionLimit);
    return writer.finish();
  } finally {
    writer.reset();
    spare = writer;
  }
}

function writeFields(writer: BackWriter, type: MessageType, message: MessageObject, depth: number): void {
  if (depth < 0) throw new InvalidArgumentError(`${type.typeName}: messages nested deeper than the recursionLimit`);
  const unknown = message["unknownFields"];
  if (unknown !== undefined && unknown !== null) writeUnknown(writer, type, unknown);
  const fields = Object.getPrototypeOf(message) === Object.prototype ? ownFields(type, message) : type.fields;
  for (let i = fields.length - 1; i >= 0; i--) {
    const field = fields[i]!;
    const value = message[field.name];
    if (value === undefined || value === null) continue;
    if (field.oneof !== null) checkOneof(type, field, message);
    if (field.label === Label.PACKED) {
      const before = writer.length;
      writePacked(writer, type, field, elements(type, field, value));
      closeRun(writer, field, before);
    } else if (field.label === Label.LIST) writeList(writer, type, field, elements(type, field, value), depth);
    else if (field.label === Label.MAP) writeMap(writer, type, field, mapEntries(type, field, value), depth);
    else if (writeValue(writer, type, field, value, depth, field.label === Label.OPTIONAL)) writer.varint32(field.tag);
  }
}

/**
 * Returns the fields that are keys of a plain object, sorted by number. Most messages have few of their possible fields, and reading
 * absent properties would take most of the time. For instances of classes all fields are read, because a getter of a class is not
 * among their keys.
 */
function ownFields(type: MessageType, message: MessageObject): Field[] {
  const found: Field[] = [];
  for (const name in message) {
    const field = type.byName.get(name);
    if (field === undefined) continue;
    let at = found.length;
    for (; at > 0 && found[at - 1]!.no > field.no; at--) found[at] = found[at - 1]!;
    found[at] = field;
  }
  return found;
}

/** Writes the length and the tag of a packed run, unless it is empty. */
function closeRun(writer: BackWriter, field: Field, before: number): void {
  const length = writer.length - before;
  if (length === 0) return;
  writer.varint32(length);
  writer.varint32(field.tag);
}

function writeList(writer: BackWriter, type: MessageType, field: Field, values: ArrayLike<unknown>, depth: number): void {
  const before = writer.length;
  for (let i = values.length - 1; i >= 0; i--) {
    writeValue(writer, type, field, values[i], depth, true);
    if (field.kind >= Kind.STRING) writer.varint32(field.tag);
  }
  if (field.kind < Kind.STRING) closeRun(writer, field, before);
}

/** Writes the entries of a map in their order, each with its key and its value even if these are the defaults. */
function writeMap(writer: BackWriter, type: MessageType, field: Field, entries: readonly MapEntry[], depth: number): void {
  for (let i = entries.length - 1; i >= 0; i--) {
    const [key, value] = entries[i]!;
    const before = writer.length;
    writeValue(writer, type, field, value, depth - 1, true);
    writer.varint32(kValueTag);
    const afterKey = writer.length;
    writer.text(text(type, field, key));
    writer.varint32(writer.length - afterKey);
    writer.varint32(kKeyTag);
    writer.varint32(writer.length - before);
    writer.varint32(field.tag);
  }
}

/** Writes one value without its tag; a default value is written only if `always`. Returns true if it was written. */
function writeValue(writer: BackWriter, type: MessageType, field: Field, value: unknown, depth: number, always: boolean): boolean {
  switch (field.kind) {
    case Kind.MESSAGE: {
      const before = writer.length;
      const sub = field.message!();
      if (typeof value !== "object") throw wrongValue(type, field, `a ${sub.typeName}`, value);
      writeFields(writer, sub, messageObject(sub.typeName, value), depth - 1);
      writer.varint32(writer.length - before);
      return true;
    }
    case Kind.STRING: {
      const checked = text(type, field, value);
      if (checked === "" && !always) return false;
      const before = writer.length;
      writer.text(checked);
      writer.varint32(writer.length - before);
      return true;
    }
    case Kind.BYTES: {
      const { length } = bytes(type, field, value);
      if (length === 0 && !always) return false;
      writer.bytes(value as Uint8Array);
      writer.varint32(length);
      return true;
    }
    case Kind.FLOAT:
    case Kind.DOUBLE: {
      const number = floating(type, field, value);
      if (Object.is(number, 0) && !always) return false;
      if (field.kind === Kind.FLOAT) writer.float(number);
      else writer.double(number);
      return true;
    }
    case Kind.INT64:
    case Kind.UINT64: {
      const exact = integer64(type, field, value);
      if ((exact === 0 || exact === 0n) && !always) return false;
      writer.int64(exact);
      return true;
    }
    default: {
      const number = word(type, field, value);
      if (number === 0 && !always) return false;
      if (field.kind === Kind.FIXED32) writer.fixed32(number);
      else if (field.kind === Kind.UINT32) writer.varint32(number);
      else writer.int32(number);
      return true;
    }
  }
}

/** Writes unknown fields. The data of each must be one value of its wire type: anything else would corrupt the following fields. */
function writeUnknown(writer: BackWriter, type: MessageType, unknown: unknown): void {
  if (!Array.isArray(unknown))
    throw new InvalidArgumentError(`${type.typeName}.unknownFields: expected a list, got ${shownValue(unknown)}`);
  for (let i = unknown.length - 1; i >= 0; i--) {
    const { no, wireType, data } = messageObject("UnknownField", unknown[i]);
    if (typeof no !== "number" || no !== (no | 0) || no < 1 || no > 0x1fffffff)
      throw new InvalidArgumentError(`${type.typeName}.unknownFields[${i}]: ${shownValue(no)} is not a field number`);
    if (typeof wireType !== "number" || wireType !== (wireType & 7) || wireType === Wire.END_GROUP || !ArrayBuffer.isView(data))
      throw new InvalidArgumentError(
        `${type.typeName}.unknownFields[${i}]: expected a wire type and its data, got ${shownValue(wireType)} and ${shownValue(data)}`,
      );
    const raw = withMemoryOwner(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), memoryOwnerOf(data));
    const reader = new WireReader(raw, `${type.typeName}.unknownFields[${i}]`, kMaxRecursion, 0);
    reader.skip((no << 3) | wireType, 0);
    if (reader.pos !== raw.length) throw reader.malformed("more than one value");
    writer.bytes(raw);
    writer.varint32((no << 3) | wireType);
  }
}
