/**
 * OrderedCode: numbers and strings as bytes whose order is the order of the values (tensorflow/core/lib/strings/ordered_code.h).
 *
 *     number   count of significant bytes, then those bytes, big end first     0 -> 00      1 -> 01 01    300 -> 02 01 2c
 *     string   00 -> 00 ff, ff -> ff 00, others as they are, end 00 01         "x\0" -> 78 00 ff 00 01
 *     signed   n leading one bits tell n bytes, then the value's 7n bits       0 -> 80      64 -> c0 40   -65 -> 3f bf
 *              in two's complement; a negative value's header is inverted      1 -> 81      -1 -> 7f
 *
 * All arithmetic is on plain numbers: dividing by a power of two and rounding down is exact for every safe integer.
 * Readers answer null where bytes are missing or malformed; like TensorFlow's they accept longer codes than needed.
 */

import { plainTypedArray } from "@onebuffer/base";

const kTerminator = 0x01;
const kEscaped00 = 0xff;
const kEscapedFf = 0x00;
/** An int64 never needs more: 10 bytes hold 70 bits. */
const kMaxSignedBytes = 10;

/** The bits that tell the length n, as they stand in the first two bytes: n ones from the top. */
function signedHeader(n: number): number {
  return (0xffff << (16 - n)) & 0xffff;
}

/** Byte `index` (0 is the lowest) of a safe integer in endless two's complement. */
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

/** Reads ordered values off bytes, one after the other. A read that fails answers null; the position is then not meaningful. */
export class OrderedCodeReader {
  readonly #bytes: Uint8Array;
  #at: number;

  constructor(bytes: Uint8Array) {
    // A plain array: the slice of a Node Buffer would be a view of the caller's bytes, not a copy.
    this.#bytes = plainTypedArray(bytes);
    this.#at = 0;
  }

  /** How many bytes are still unread. */
  get remaining(): number {
    return this.#bytes.length - this.#at;
  }

  /** The next number, up to 2^64 - 1; above 2^53 - 1 it is rounded, which still tells that it is too large. */
  readNumIncreasing(): number | null {
    const n = this.#bytes[this.#at];
    if (n === undefined || n > 8 || this.#at + 1 + n > this.#bytes.length) return null;
    let value = 0;
    for (let i = 1; i <= n; i++) value = value * 256 + this.#bytes[this.#at + i]!;
    this.#at += 1 + n;
    return value;
  }

  /** The next byte string, unescaped. Copies: always. */
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

  /** The next signed number: a number where that is exact, a bigint for the rest of int64; null beyond int64. */
  readSignedNumIncreasing(): number | bigint | null {
    const first = this.#bytes[this.#at];
    if (first === undefined) return null;
    const fill = first & 0x80 ? 0x00 : 0xff; // what a byte of nothing but sign bits looks like
    const second = this.#bytes[this.#at + 1] ?? fill;
    // Inverting a negative's header gives a positive's: ones up to the first zero bit count the bytes.
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

/** Big-endian two's complement bytes as a number, or as a bigint where a number would be rounded. */
function fromTwosComplement(bytes: Uint8Array, fill: number): number | bigint {
  let value = fill === 0 ? 0 : -1;
  for (const byte of bytes) value = value * 256 + byte;
  if (Number.isSafeInteger(value)) return value;
  let exact = fill === 0 ? 0n : -1n;
  for (const byte of bytes) exact = exact * 256n + BigInt(byte);
  return exact;
}
