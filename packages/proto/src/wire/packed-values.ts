/**
 * Decodes the repeated numbers of a field into one typed array (in C++: the functions Packed…Parser of parse_context.h).
 *
 *     tag length value value value ...          packed: the form that encoders write
 *     tag value tag value tag value ...         unpacked: the form of old encoders; a decoder must accept both, and any mixture
 *
 * Values of a fixed size are copied as one block, which preserves every bit of a NaN. Varints are counted first, by their last bytes,
 * so that the array gets the right length and hostile lengths allocate nothing. If more values of the same field follow later, the
 * array grows by doubling, so that no order of fields takes quadratic time.
 */
import type { Field, MessageObject } from "./message-type.ts";
import { Kind } from "./message-type.ts";
import type { WireReader } from "./wire-reader.ts";

type Packed = Float32Array | Float64Array | Int32Array | Uint32Array | BigInt64Array | BigUint64Array | Uint8Array;

/** Up to this many floats or doubles are copied through a scratch array: for so few, accessing a typed array's buffer costs more. */
const kFew = 16;
/** Fewer 64-bit varints than this are read as bigints one by one, instead of as words through the array's buffer. */
const kFewBigints = 4;
const scratchFloats = new Float32Array(kFew);
const scratchFloatBytes = new Uint8Array(scratchFloats.buffer);
const scratchDoubles = new Float64Array(kFew);
const scratchDoubleBytes = new Uint8Array(scratchDoubles.buffer);

/** Reads a packed run of `length` bytes. The caller has checked that the bytes exist. */
export function readPacked(reader: WireReader, message: MessageObject, field: Field, length: number): void {
  const { kind, name } = field;
  const { pos } = reader;
  const end = pos + length;
  if (kind === Kind.FLOAT || kind === Kind.DOUBLE) {
    const size = kind === Kind.FLOAT ? 4 : 8;
    if (length % size !== 0) throw reader.malformed(`${length} bytes of packed ${field.protoName}, not a multiple of ${size},`);
    const count = length / size;
    if (count <= kFew && message[name] === undefined) {
      message[name] = fewFixed(reader.bytes, kind, pos, length, count);
    } else if (count > 0) {
      const array = reserve(reader, message, field, count);
      copyBytes(reader, array, (usedOf(reader, array) - count) * size, pos, length);
    }
  } else {
    const count = countVarints(reader, pos, end);
    if (count > 0) {
      const array = reserve(reader, message, field, count);
      fillVarints(reader, kind, array, usedOf(reader, array) - count, end);
    }
  }
  reader.pos = end;
}

/** Reads a run of unpacked values, each with the same tag. The first tag starts at `tagStart` and ends at the reader's position. */
export function readUnpacked(reader: WireReader, message: MessageObject, field: Field, tagStart: number): void {
  const { bytes, pos } = reader;
  const tagLength = pos - tagStart;
  const size = field.kind < Kind.FIXED32 ? 0 : field.kind === Kind.DOUBLE ? 8 : 4;
  let count = 0;
  let at = tagStart;
  while (at < reader.end && sameBytes(bytes, tagStart, at, tagLength)) {
    reader.pos = at + tagLength;
    if (size === 0) reader.varint();
    else reader.fixed(size);
    at = reader.pos;
    count++;
  }
  const array = reserve(reader, message, field, count);
  let index = usedOf(reader, array) - count;
  const target = size === 0 ? null : new Uint8Array(array.buffer, 0, array.byteLength);
  reader.pos = tagStart;
  for (let i = 0; i < count; i++, index++) {
    reader.pos += tagLength;
    if (target === null) {
      reader.varint();
      setVarint(reader, field.kind, array, index);
    } else {
      for (let b = 0; b < size; b++) target[index * size + b] = bytes[reader.pos + b]!;
      reader.pos += size;
    }
  }
}

/** Truncates the arrays that grew to the elements in use. Called at the end of a message. */
export function finishGrowing(reader: WireReader): void {
  if (reader.growing === null) return;
  for (const [array, { message, name, used }] of reader.growing) message[name] = (array as Packed).slice(0, used);
}

/** Returns the field's array with room for `count` more values, and counts these values as used. */
function reserve(reader: WireReader, message: MessageObject, field: Field, count: number): Packed {
  const held = message[field.name] as Packed | undefined;
  if (held === undefined) return (message[field.name] = emptyArray(field.kind, count)) as Packed;
  const known = reader.growing?.get(held);
  const before = known?.used ?? held.length;
  const used = before + count;
  if (known !== undefined && used <= held.length) {
    known.used = used;
    return held;
  }
  const longer = emptyArray(field.kind, Math.max(used, 2 * before));
  new Uint8Array(longer.buffer).set(new Uint8Array(held.buffer, 0, before * held.BYTES_PER_ELEMENT));
  reader.growing ??= new Map();
  reader.growing.delete(held);
  reader.growing.set(longer, { message, name: field.name, used });
  message[field.name] = longer;
  return longer;
}

function usedOf(reader: WireReader, array: Packed): number {
  return reader.growing === null ? array.length : (reader.growing.get(array)?.used ?? array.length);
}

function fewFixed(bytes: Uint8Array, kind: Kind, pos: number, length: number, count: number): Packed {
  const floats = kind === Kind.FLOAT;
  const target = floats ? scratchFloatBytes : scratchDoubleBytes;
  for (let i = 0; i < length; i++) target[i] = bytes[pos + i]!;
  return floats ? scratchFloats.slice(0, count) : scratchDoubles.slice(0, count);
}

function copyBytes(reader: WireReader, array: Packed, to: number, from: number, length: number): void {
  new Uint8Array(array.buffer, to, length).set(reader.bytes.subarray(from, from + length));
}

/** Returns the number of varints in a run. Throws INVALID_ARGUMENT if the run ends inside a varint. */
function countVarints(reader: WireReader, pos: number, end: number): number {
  const { bytes } = reader;
  let count = 0;
  for (let i = pos; i < end; i++) if (bytes[i]! < 0x80) count++;
  if (end > pos && bytes[end - 1]! >= 0x80) throw reader.malformed("packed varints of which the last one is incomplete", pos);
  return count;
}

function fillVarints(reader: WireReader, kind: Kind, array: Packed, from: number, end: number): void {
  const to = usedOf(reader, array);
  const { bytes, pos } = reader;
  if (kind === Kind.BOOL) fillBools(reader, array as Uint8Array, from, to);
  else if (kind !== Kind.INT64 && kind !== Kind.UINT64) {
    if (end - pos === to - from) for (let i = from; i < to; i++) array[i] = bytes[pos + i - from]!;
    else fillInt32s(reader, array as Int32Array, from, to);
  } else if (to - from < kFewBigints) {
    for (let i = from; i < to; i++) {
      reader.varint();
      array[i] = reader.uint64BigInt();
    }
  } else fillWords(reader, new Int32Array(array.buffer, from * 8, (to - from) * 2));
}

function fillBools(reader: WireReader, array: Uint8Array, from: number, to: number): void {
  const { bytes } = reader;
  let { pos } = reader;
  for (let i = from; i < to; i++) {
    let byte = bytes[pos++]!;
    if (byte > 1) {
      reader.pos = pos - 1;
      reader.varint();
      byte = (reader.lo | reader.hi) === 0 ? 0 : 1;
      pos = reader.pos;
    }
    array[i] = byte;
  }
}

/**
 * Reads 32-bit varints. No bounds are checked, because the run's last byte ends a varint. Varints of more than five bytes are left to
 * the reader, which refuses those of more than ten.
 */
function fillInt32s(reader: WireReader, array: Int32Array, from: number, to: number): void {
  const { bytes } = reader;
  let { pos } = reader;
  for (let i = from; i < to; i++) {
    let byte = bytes[pos]!;
    let value = byte & 0x7f;
    if (byte > 0x7f) {
      const start = pos;
      for (let shift = 7; shift < 35 && byte > 0x7f; shift += 7) {
        byte = bytes[++pos]!;
        value |= (byte & 0x7f) << shift;
      }
      if (byte > 0x7f) {
        reader.pos = start;
        reader.varint();
        pos = reader.pos - 1;
      }
    }
    pos++;
    array[i] = value;
  }
}

/** Reads 64-bit varints as pairs of words, the low word first, because engines are little-endian. Bigints would take ten times as long. */
function fillWords(reader: WireReader, words: Int32Array): void {
  const { bytes } = reader;
  let { pos } = reader;
  for (let i = 0; i < words.length; i += 2) {
    let byte = bytes[pos]!;
    let lo = byte & 0x7f;
    let hi = 0;
    if (byte > 0x7f) {
      const start = pos;
      for (let shift = 7; shift < 28 && byte > 0x7f; shift += 7) {
        byte = bytes[++pos]!;
        lo |= (byte & 0x7f) << shift;
      }
      if (byte > 0x7f) {
        byte = bytes[++pos]!;
        lo |= (byte & 0x7f) << 28;
        hi = (byte & 0x7f) >>> 4;
        for (let shift = 3; shift < 32 && byte > 0x7f; shift += 7) {
          byte = bytes[++pos]!;
          hi |= (byte & 0x7f) << shift;
        }
        if (byte > 0x7f) {
          reader.pos = start;
          reader.varint(); // throws: the varint has more than ten bytes
        }
      }
    }
    pos++;
    words[i] = lo;
    words[i + 1] = hi;
  }
}

function setVarint(reader: WireReader, kind: Kind, array: Packed, index: number): void {
  if (kind === Kind.INT64 || kind === Kind.UINT64) (array as BigInt64Array)[index] = reader.uint64BigInt();
  else array[index] = kind === Kind.BOOL ? Number((reader.lo | reader.hi) !== 0) : reader.lo;
}

function sameBytes(bytes: Uint8Array, a: number, b: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (bytes[a + i] !== bytes[b + i]) return false;
  return true;
}

function emptyArray(kind: Kind, length: number): Packed {
  switch (kind) {
    case Kind.FLOAT:
      return new Float32Array(length);
    case Kind.DOUBLE:
      return new Float64Array(length);
    case Kind.INT64:
      return new BigInt64Array(length);
    case Kind.UINT64:
      return new BigUint64Array(length);
    case Kind.UINT32:
      return new Uint32Array(length);
    case Kind.BOOL:
      return new Uint8Array(length);
    default:
      return new Int32Array(length);
  }
}
