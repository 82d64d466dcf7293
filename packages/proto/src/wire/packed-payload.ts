/**
 * Encodes the payload of a packed field, from a typed array of the field's kind or any other list of values (in C++: the functions
 * Write…Packed of io::EpsCopyOutputStream).
 *
 * The bytes of a typed array of floats or doubles already are the payload, because engines and the wire format are little-endian.
 * Varints are written one by one, from the last to the first.
 */
import { memoryOwnerOf, withMemoryOwner } from "@onebuffer/storage/internal";
import type { BackWriter } from "./back-writer.ts";
import { floating, integer64, kindOfView, word } from "./field-values.ts";
import type { Field, MessageType } from "./message-type.ts";
import { Kind } from "./message-type.ts";

/**
 * Writes the values, without length and tag. Floats and doubles in a typed array of their kind are not copied from 4096 bytes on; all
 * other values are copied once. Throws INVALID_ARGUMENT if the field cannot hold a value.
 */
export function writePacked(writer: BackWriter, type: MessageType, field: Field, values: ArrayLike<unknown>): void {
  switch (field.kind) {
    case Kind.FLOAT:
      return writer.bytes(byteView(floatArray(type, field, values)));
    case Kind.DOUBLE:
      return writer.bytes(byteView(floatArray(type, field, values)));
    case Kind.BOOL:
      return writer.bytes(boolBytes(type, field, values));
    case Kind.INT64:
    case Kind.UINT64:
      return writeWords(writer, wordPairs(type, field, values));
    default:
      return writeVarints(writer, type, field, values);
  }
}

/** Returns a view of the bytes of an array, which carries the array's memory owner. */
function byteView(array: Float32Array | Float64Array): Uint8Array {
  return withMemoryOwner(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), memoryOwnerOf(array));
}

/** Returns the values in a typed array of the field's kind. Copies them if they are in another kind of list. */
function floatArray(type: MessageType, field: Field, values: ArrayLike<unknown>): Float32Array | Float64Array {
  const floats = field.kind === Kind.FLOAT;
  if (kindOfView(values) === (floats ? "Float32Array" : "Float64Array")) return values as unknown as Float32Array;
  const array = floats ? new Float32Array(values.length) : new Float64Array(values.length);
  for (let i = 0; i < array.length; i++) array[i] = floating(type, field, values[i]);
  return array;
}

/** Returns one byte per bool, which is also its varint. Copies unless the values are in a Uint8Array. */
function boolBytes(type: MessageType, field: Field, values: ArrayLike<unknown>): Uint8Array {
  const given = kindOfView(values) === "Uint8Array" ? (values as Uint8Array) : null;
  const array = given ?? new Uint8Array(values.length);
  for (let i = 0; i < array.length; i++) {
    const bit = word(type, field, values[i]);
    if (given === null) array[i] = bit;
  }
  return array;
}

/** Returns 64-bit values as pairs of words, the low word first. Copies them if they are not in a typed array of the field's kind. */
function wordPairs(type: MessageType, field: Field, values: ArrayLike<unknown>): Int32Array {
  const signed = field.kind === Kind.INT64;
  const given = kindOfView(values) === (signed ? "BigInt64Array" : "BigUint64Array") ? (values as unknown as BigInt64Array) : null;
  const array = given ?? new BigInt64Array(values.length);
  if (given === null) for (let i = 0; i < array.length; i++) array[i] = BigInt(integer64(type, field, values[i]));
  return new Int32Array(array.buffer, array.byteOffset, array.length * 2);
}

function writeWords(writer: BackWriter, words: Int32Array): void {
  for (let i = words.length - 2; i >= 0; i -= 2) writer.varint64(words[i]!, words[i + 1]!);
}

function writeVarints(writer: BackWriter, type: MessageType, field: Field, values: ArrayLike<unknown>): void {
  const unsigned = field.kind === Kind.UINT32;
  for (let i = values.length - 1; i >= 0; i--) {
    const value = word(type, field, values[i]);
    if (unsigned) writer.varint32(value);
    else writer.int32(value);
  }
}
