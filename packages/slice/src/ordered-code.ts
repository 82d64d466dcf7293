/**
 * OrderedCode: encodes numbers and strings as bytes that sort in the order of the values (tensorflow/core/lib/strings/ordered_code.h).
 *
 *     number   count of significant bytes, then those bytes, big end first     0 -> 00      1 -> 01 01    300 -> 02 01 2c
 *     string   00 -> 00 ff, ff -> ff 00, others as they are, end 00 01         "x\0" -> 78 00 ff 00 01
 *     signed   n leading one bits mean n bytes, then the value's 7n bits       0 -> 80      64 -> c0 40   -65 -> 3f bf
 *              in two's complement; a negative value's header is inverted      1 -> 81      -1 -> 7f
 *
 * All arithmetic is on plain numbers: dividing by a power of two and rounding down is exact for every safe integer.
 * Readers return null if bytes are missing or malformed. Like TensorFlow's readers they accept longer codes than necessary.
 */

import { plainTypedArray } from "@onebuffer/base/internal";

const kTerminator = 0x01;
const kEscaped00 = 0xff;
const kEscapedFf = 0x00;
/** The most bytes of a signed number: 10 bytes hold 70 bits, enough for an int64. */
const kMaxSignedBytes = 10;

/** The header of a code of n bytes: the upper n of 16 bits are ones. */
function signedHeader(n: number): number {
  return (0xffff << (16 - n)) & 0xffff;
}

/** Byte `index` (0 is the lowest) of a safe integer in two's complement of unlimited length. */
function byteOf(value: number, index: number): number {
  return Math.floor(value / 2 ** (8 * index)) & 0xff;
}

/** Appends a number from 0 to 2^53 - 1. */
export function writeNumIncreasing(out: number[], value: number): void {
  let n = 0;
  while (value >= 2 ** (8 * n)) n++;
  out.push(n);
  for (let i = n - 1; i >= 0; i--) out.push(byteOf(value, i));
}

/** Appends a byte string, escaped and terminated. */
export function writeString(out: number[], bytes: Uint8Array): void {
  for (const byte of plainTypedArray(bytes)) {
    out.push(byte);
    if (byte === 0x00) out.push(kEscaped00);
    else if (byte === 0xff) out.push(kEscapedFf);
  }
  out.push(0x00, kTerminator);
}

/** Appends a safe integer of either sign. */
export function writeSignedNumIncreasing(out: number[], value: number): void {
  let n = 1;
  while (value >= 2 ** (7 * n - 1) || value < -(2 ** (7 * n - 1))) n++;
  const header = signedHeader(n);
  for (let i = 0; i < n; i++) out.push(byteOf(value, n - 1 - i) ^ (i === 0 ? header >> 8 : i === 1 ? header & 0xff : 0));
}

/** Reads ordered values from bytes, one after the other. A failed read returns null and leaves the position undefined. */
export class OrderedCodeReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array) {
    // Makes a plain array: `slice` of a Node Buffer would return a view of the caller's bytes, not a copy.
    this.#bytes = plainTypedArray(bytes);
    this.#at = 0;
  }

  /** The number of unread bytes. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** Reads a number up to 2^64 - 1. Numbers above 2^53 - 1 are rounded; the caller refuses them anyway. */
  readNumIncreasing(): number | null {
    const n = this.#bytes[this.#at];
    if (n === undefined || n > 8 || this.#at + 1 + n > this.#bytes.length) return null;
    let value = 0;
    for (let i = 1; i <= n; i++) value = value * 256 + this.#bytes[this.#at + i]!;
    this.#at += 1 + n;
    return value;
  }

  /** Reads a byte string and removes the escapes. Always copies. */
  readString(): Uint8Array<ArrayBuffer> | null {
    const bytes = this.#bytes;
    const out = new Uint8Array(this.remaining);
    let length = 0;
    for (let i = this.#at; i + 1 < bytes.length; i++) {
      const byte = bytes[i]!;
      if (byte === 0x00 || byte === 0xff) {
        const mark = bytes[++i]!;
        if (byte === 0x00 && mark === kTerminator) {
          this.#at = i + 1;
          return out.slice(0, length);
        }
        if (mark !== (byte === 0x00 ? kEscaped00 : kEscapedFf)) return null;
      }
      out[length++] = byte;
    }
    return null;
  }

  /** Reads a signed number: returns a number if it is exact, a bigint for other values of int64, null beyond int64. */
  readSignedNumIncreasing(): number | bigint | null {
    const first = this.#bytes[this.#at];
    if (first === undefined) return null;
    const fill = first & 0x80 ? 0x00 : 0xff; // a byte that consists of sign bits
    const second = this.#bytes[this.#at + 1] ?? fill;
    // The header of a negative number is inverted first. The number of ones before the first zero bit is the number of bytes.
    const n = Math.clz32(~(((first << 24) | (second << 16)) ^ (fill * 0x01010000)));
    if (n > kMaxSignedBytes || n > this.remaining) return null;
    const value = this.#bytes.slice(this.#at, this.#at + n);
    const header = signedHeader(n);
    value[0]! ^= header >> 8;
    if (n > 1) value[1]! ^= header & 0xff;
    if (n === kMaxSignedBytes && (value[1] !== fill || ((value[2]! ^ fill) & 0x80) !== 0)) return null;
    this.#at += n;
    return fromTwosComplement(value, fill);
  }
}

/** Returns big-endian two's complement bytes as a number, or as a bigint if a number would be rounded. */
function fromTwosComplement(bytes: Uint8Array, fill: number): number | bigint {
  let value = fill === 0 ? 0 : -1;
  for (const byte of bytes) value = value * 256 + byte;
  if (Number.isSafeInteger(value)) return value;
  let exact = fill === 0 ? 0n : -1n;
  for (const byte of bytes) exact = exact * 256n + BigInt(byte);
  return exact;
}
