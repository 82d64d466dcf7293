/**
 * Varints: integers of 7 bits a byte, the lowest first; bit 7 tells that another byte follows.
 *
 *     300 = 10 0101100  ->  ac 02        a varint32 has at most 5 bytes, a varint64 at most 10
 *
 * Longer codes than necessary are read, as TensorFlow reads them; the writer makes the shortest.
 */
import { DataLossError } from "@onebuffer/base";

/** A position in bytes that are read in order, and the position at which reading must stop. */
export interface ByteCursor {
  readonly bytes: Uint8Array<ArrayBufferLike>;
  at: number;
  readonly end: number;
  /** What is being read, for messages. */
  readonly what: string;
}

/**
 * Reads a varint of at most `maxBytes` bytes as a number. Throws DATA_LOSS if the bytes end within it, if it is longer, or if its value
 * is above 2^53 - 1.
 */
export function readVarint(cursor: ByteCursor, maxBytes: 5 | 10 = 10): number {
  const { bytes, end } = cursor;
  const start = cursor.at;
  let value = 0;
  let scale = 1;
  for (let i = 0; i < maxBytes; i++) {
    if (start + i >= end) throw new DataLossError(`${cursor.what}: the bytes end within the number at byte ${start}`);
    const byte = bytes[start + i] as number;
    value += (byte & 127) * scale;
    if (byte < 128) {
      cursor.at = start + i + 1;
      if (value <= Number.MAX_SAFE_INTEGER && (maxBytes === 10 || value < 2 ** 32)) return value;
      break;
    }
    scale *= 128;
  }
  throw new DataLossError(`${cursor.what}: the number at byte ${start} is too large`);
}

/** Returns the number of bytes of `value` as a varint. */
export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

/** Writes `value`, an integer from 0 to 2^53 - 1, to `target` at `at`, and returns the position after it. */
export function writeVarint(target: Uint8Array<ArrayBufferLike>, at: number, value: number): number {
  let rest = value;
  let next = at;
  for (; rest >= 128; rest = Math.floor(rest / 128)) target[next++] = (rest % 128) | 128;
  target[next++] = rest;
  return next;
}

/** Reads a fixed32, little-endian. The caller has checked that its four bytes are there. */
export function readFixed32(bytes: Uint8Array<ArrayBufferLike>, at: number): number {
  return (
    ((bytes[at] as number) | ((bytes[at + 1] as number) << 8) | ((bytes[at + 2] as number) << 16) | ((bytes[at + 3] as number) << 24)) >>> 0
  );
}

/** Writes a fixed32, little-endian, and returns the position after it. */
export function writeFixed32(target: Uint8Array<ArrayBufferLike>, at: number, value: number): number {
  for (let i = 0; i < 4; i++) target[at + i] = value >>> (8 * i);
  return at + 4;
}
