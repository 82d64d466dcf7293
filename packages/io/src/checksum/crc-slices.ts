/**
 * Cyclic redundancy checks of 32 bits by tables, sixteen bytes at a time ("slicing by 16", Kounavis and Berry, Intel 2005).
 *
 * A checksum is the remainder of the message as a polynomial over GF(2), with the lowest bit first. Table k maps a byte to the
 * remainder of that byte followed by k zero bytes. The remainder of sixteen bytes is the exclusive or of sixteen table entries:
 *
 *     byte    0    1    2    3    4   ...   14   15
 *     table  15   14   13   12   11   ...    1    0       the running checksum is first xored into bytes 0 to 3
 */

/** The bytes that one step takes. */
const kStep = 16;

/** Shorter messages take one byte a step: a view of their words would cost more than it saves. */
const kFewBytes = 64;

/** True where the lowest byte of a word is the first in memory. Elsewhere all messages take one byte a step. */
const kLittleEndian: boolean = new Uint8Array(Int32Array.of(1).buffer)[0] === 1;

/**
 * Returns the sixteen tables of a polynomial, one after the other, each of 256 words. `polynomial` has the lowest power in the highest
 * bit, without the power 32.
 */
export function crcTables(polynomial: number): Int32Array<ArrayBuffer> {
  const tables = new Int32Array(kStep * 256);
  for (let byte = 0; byte < 256; byte++) {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? polynomial : 0);
    tables[byte] = remainder;
  }
  for (let i = 256; i < tables.length; i++) {
    const shorter = tables[i - 256] as number;
    tables[i] = (shorter >>> 8) ^ (tables[shorter & 255] as number);
  }
  return tables;
}

/** Returns the remainder after `bytes`, from the remainder before them. Remainders are not inverted here; see crc32c.ts. */
export function extendRemainder(tables: Int32Array<ArrayBuffer>, remainder: number, bytes: Uint8Array<ArrayBufferLike>): number {
  const { buffer, byteOffset, length } = bytes;
  if (length < kFewBytes || !kLittleEndian) return byByte(tables, remainder, bytes, 0, length);
  const head = -byteOffset & 3;
  const steps = Math.floor((length - head) / kStep);
  const words = new Int32Array(buffer, byteOffset + head, steps * 4);
  const afterHead = byByte(tables, remainder, bytes, 0, head);
  return byByte(tables, bySixteen(tables, afterHead, words), bytes, head + steps * kStep, length);
}

function byByte(tables: Int32Array<ArrayBuffer>, remainder: number, bytes: Uint8Array<ArrayBufferLike>, from: number, to: number): number {
  let r = remainder;
  for (let i = from; i < to; i++) r = (r >>> 8) ^ (tables[(r ^ (bytes[i] as number)) & 255] as number);
  return r;
}

function bySixteen(t: Int32Array<ArrayBuffer>, remainder: number, words: Int32Array<ArrayBufferLike>): number {
  let r = remainder;
  for (let i = 0; i + 3 < words.length; i += 4) {
    const a = r ^ (words[i] as number);
    const b = words[i + 1] as number;
    const c = words[i + 2] as number;
    const d = words[i + 3] as number;
    r =
      (t[3840 + (a & 255)] as number) ^
      (t[3584 + ((a >>> 8) & 255)] as number) ^
      (t[3328 + ((a >>> 16) & 255)] as number) ^
      (t[3072 + (a >>> 24)] as number) ^
      (t[2816 + (b & 255)] as number) ^
      (t[2560 + ((b >>> 8) & 255)] as number) ^
      (t[2304 + ((b >>> 16) & 255)] as number) ^
      (t[2048 + (b >>> 24)] as number) ^
      (t[1792 + (c & 255)] as number) ^
      (t[1536 + ((c >>> 8) & 255)] as number) ^
      (t[1280 + ((c >>> 16) & 255)] as number) ^
      (t[1024 + (c >>> 24)] as number) ^
      (t[768 + (d & 255)] as number) ^
      (t[512 + ((d >>> 8) & 255)] as number) ^
      (t[256 + ((d >>> 16) & 255)] as number) ^
      (t[d >>> 24] as number);
  }
  return r;
}
