/**
 * Decodes the bytes of a message into a plain object (in C++: the generated ParseFromString).
 *
 * It follows protobuf's rules: if a singular field occurs several times, the last value counts, but several occurrences of a
 * sub-message are merged; repeated numbers may be packed or not; a field with the wrong wire type is treated as unknown; unknown
 * fields are kept. The last field of a oneof clears the others. The last entry of a map with the same key counts, and is not merged.
 */
import type { UnknownField } from "@onebuffer/base";
import type { Field, MessageObject, MessageType } from "./message-type.ts";
import { kKeyTag, Kind, kValueTag, Label, Wire } from "./message-type.ts";
import { finishGrowing, readPacked, readUnpacked } from "./packed-values.ts";
import { WireReader } from "./wire-reader.ts";

/** Returns the message that the bytes encode. Throws as `MessageCodec.decode` does. */
export function decodeMessage(type: MessageType, bytes: Uint8Array, recursionLimit: number, objectLimit: number): MessageObject {
  const reader = new WireReader(bytes, type.typeName, recursionLimit, objectLimit);
  const message: MessageObject = {};
  readFields(reader, type, message, 0);
  finishGrowing(reader);
  return message;
}

/** Reads fields up to the reader's end into `message`, which may already have some. */
function readFields(reader: WireReader, type: MessageType, message: MessageObject, depth: number): void {
  reader.checkDepth(depth);
  const { byNumber } = type;
  while (reader.pos < reader.end) {
    const start = reader.pos;
    const tag = reader.tag();
    const field = byNumber[tag >>> 3];
    const wireType = tag & 7;
    if (field === undefined) keepUnknown(reader, message, tag, depth);
    else if (wireType === field.wireType) {
      if (field.label === Label.PACKED) readUnpacked(reader, message, field, start);
      else if (field.label === Label.LIST) {
        if (field.kind < Kind.STRING) reader.countObject();
        const values = (message[field.name] ??= []) as unknown[];
        values.push(readValue(reader, field, undefined, depth));
      } else if (field.label === Label.MAP) readEntry(reader, message, field, depth);
      else {
        if (field.oneof !== null) clearOthers(type, message, field);
        message[field.name] = readValue(reader, field, field.kind === Kind.MESSAGE ? message[field.name] : undefined, depth);
      }
    } else if (wireType === Wire.LENGTH && field.label === Label.PACKED) readPacked(reader, message, field, reader.length());
    else if (wireType === Wire.LENGTH && field.label === Label.LIST) readPackedList(reader, message, field, depth);
    else keepUnknown(reader, message, tag, depth);
  }
}

/** Removes the other fields of the oneof that `field` is part of. */
function clearOthers(type: MessageType, message: MessageObject, field: Field): void {
  for (const other of type.fields) {
    if (other.oneof === field.oneof && other !== field && message[other.name] !== undefined) delete message[other.name];
  }
}

/** Reads an entry of a map: a message of a key, field 1, and a value, field 2. Other fields of an entry are dropped, as in protobuf. */
function readEntry(reader: WireReader, message: MessageObject, field: Field, depth: number): void {
  const length = reader.length();
  const outer = reader.end;
  reader.end = reader.pos + length;
  reader.checkDepth(depth + 1);
  let key = "";
  let value: MessageObject | undefined;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === kKeyTag) key = reader.text(reader.length());
    else if (tag === kValueTag) value = readMessage(reader, field.message!(), value, depth + 1);
    else reader.skip(tag, depth + 1);
  }
  if (value === undefined) {
    reader.countObject();
    value = {};
  }
  reader.end = outer;
  const values = (message[field.name] ??= new Map()) as Map<string, MessageObject>;
  values.set(key, value);
}

/** Reads one value. `held` is the existing sub-message to merge into, or undefined. */
function readValue(reader: WireReader, field: Field, held: unknown, depth: number): unknown {
  const { kind } = field;
  if (kind < Kind.FIXED32) {
    reader.varint();
    switch (kind) {
      case Kind.BOOL:
        return (reader.lo | reader.hi) !== 0;
      case Kind.UINT32:
        return reader.lo >>> 0;
      case Kind.INT64:
        return reader.int64();
      case Kind.UINT64:
        return reader.uint64();
      default:
        return reader.lo;
    }
  }
  switch (kind) {
    case Kind.MESSAGE:
      return readMessage(reader, field.message!(), held as MessageObject | undefined, depth);
    case Kind.STRING:
      return reader.text(reader.length());
    case Kind.BYTES:
      return reader.view(reader.length());
    default:
      return readFixed(reader, kind);
  }
}

function readMessage(reader: WireReader, type: MessageType, held: MessageObject | undefined, depth: number): MessageObject {
  const length = reader.length();
  let message = held;
  if (message === undefined) {
    reader.countObject();
    message = {};
  }
  const outer = reader.end;
  reader.end = reader.pos + length;
  readFields(reader, type, message, depth + 1);
  reader.end = outer;
  return message;
}

function readFixed(reader: WireReader, kind: Kind): number {
  const size = kind === Kind.DOUBLE ? 8 : 4;
  const { bytes } = reader;
  const view = new DataView(bytes.buffer, bytes.byteOffset + reader.fixed(size), size);
  if (kind === Kind.FIXED32) return view.getUint32(0, true);
  return kind === Kind.FLOAT ? view.getFloat32(0, true) : view.getFloat64(0, true);
}

/** Reads packed values into a plain array. Numbers in plain arrays are always varints. */
function readPackedList(reader: WireReader, message: MessageObject, field: Field, depth: number): void {
  const length = reader.length();
  if (length === 0) return;
  const values = (message[field.name] ??= []) as unknown[];
  const outer = reader.end;
  reader.end = reader.pos + length;
  while (reader.pos < reader.end) {
    reader.countObject();
    values.push(readValue(reader, field, undefined, depth));
  }
  reader.end = outer;
}

function keepUnknown(reader: WireReader, message: MessageObject, tag: number, depth: number): void {
  const start = reader.pos;
  reader.skip(tag, depth);
  const length = reader.pos - start;
  reader.pos = start;
  reader.countObject();
  const field: UnknownField = { no: tag >>> 3, wireType: tag & 7, data: reader.view(length) };
  const known = message["unknownFields"] as UnknownField[] | undefined;
  if (known === undefined) message["unknownFields"] = [field];
  else known.push(field);
}
