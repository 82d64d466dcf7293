/**
 * The stored form of a string tensor (WriteStringTensor and ReadStringTensor of tensorflow/core/util/tensor_bundle/tensor_bundle.cc).
 *
 *     varint64 length of every element | fixed32 checksum of the lengths | the bytes of all elements
 *
 * One crc32c runs over all of it, but it takes each length as a fixed32, or as a fixed64 if it is above 2^32 - 1. Masked, the value after
 * the lengths is their checksum. It goes on over the four bytes of that checksum and the elements; masked, that is the entry's checksum.
 * In a big-endian bundle these numbers, except the varints, are big-endian.
 */
import { DataLossError } from "@onebuffer/base";
import { maskCrc, unmaskCrc } from "../checksum/crc-mask.ts";
import { extendCrc32c } from "../checksum/crc32c.ts";
import { readVarint, varintLength, writeFixed32, writeVarint } from "../table/varint.ts";
import type { ByteCursor } from "../table/varint.ts";

/** How the stored bytes of elements are read. */
export interface StoredElements {
  readonly bytes: Uint8Array<ArrayBufferLike>;
  readonly count: number;
  readonly bigEndian: boolean;
  /** The masked checksum in the entry; null if checksums are not verified. */
  readonly crc32c: number | null;
  readonly what: string;
}

const kCrcBytes = 4;
/** The lengths whose bytes are collected before their checksum is taken. */
const kLengthsAtOnce = 512;

/**
 * Returns the elements of a stored string tensor as views of its bytes. The caller has checked that there are at least as many bytes as
 * elements.
 *
 * Throws DATA_LOSS if a checksum differs or the elements do not fill the bytes exactly.
 */
export function decodeStrings({ bytes, count, bigEndian, crc32c, what }: StoredElements): Uint8Array<ArrayBufferLike>[] {
  const cursor: ByteCursor = { bytes, at: 0, end: bytes.length, what };
  const ends = new Float64Array(count);
  const crc = new LengthCrc(bigEndian);
  let total = 0;
  for (let i = 0; i < count; i++) {
    const length = readVarint(cursor);
    if (crc32c !== null) crc.add(length);
    total += length;
    ends[i] = total;
  }
  const start = cursor.at + kCrcBytes;
  if (start + total !== bytes.length)
    throw new DataLossError(`${what}: ${count} strings take ${start + total} bytes, but the stored size is ${bytes.length}`);
  if (crc32c !== null) {
    const lengthsCrc = crc.value();
    checkCrc(lengthsCrc, storedCrc(bytes, cursor.at, bigEndian), what, "The length checksum");
    checkCrc(extendCrc32c(bytes.subarray(cursor.at), lengthsCrc), crc32c, what, "Checksum");
  }
  const elements = new Array<Uint8Array<ArrayBufferLike>>(count);
  let from = start;
  for (let i = 0; i < count; i++) {
    const to = start + (ends[i] as number);
    elements[i] = bytes.subarray(from, to);
    from = to;
  }
  return elements;
}

/** Returns the stored bytes of strings before the strings themselves, and the checksum of everything, not masked. */
export function encodeStrings(elements: readonly Uint8Array<ArrayBufferLike>[]): { head: Uint8Array<ArrayBuffer>; crc: number } {
  const head = new Uint8Array(elements.reduce((sum, { length }) => sum + varintLength(length), kCrcBytes));
  const lengths = new LengthCrc(false);
  let at = 0;
  for (const { length } of elements) {
    at = writeVarint(head, at, length);
    lengths.add(length);
  }
  const lengthsCrc = lengths.value();
  writeFixed32(head, at, maskCrc(lengthsCrc));
  let crc = extendCrc32c(head.subarray(at), lengthsCrc);
  for (const element of elements) crc = extendCrc32c(element, crc);
  return { head, crc };
}

/** Reads a fixed32 of a bundle in either byte order. */
export function storedCrc(bytes: Uint8Array<ArrayBufferLike>, at: number, bigEndian: boolean): number {
  return new DataView(bytes.buffer, bytes.byteOffset + at, kCrcBytes).getUint32(0, !bigEndian);
}

/** Throws DATA_LOSS unless `crc`, which is not masked, is the checksum that is stored as `masked`. */
export function checkCrc(crc: number, masked: number, what: string, name: string = "Checksum"): void {
  const stored = unmaskCrc(masked);
  if (crc === stored) return;
  throw new DataLossError(`${what}: ${name} does not match: stored ${stored} vs. calculated on the restored bytes ${crc}`);
}

/** The checksum of lengths as fixed32 or fixed64. */
class LengthCrc {
  readonly #bigEndian: boolean;
  readonly #buffer: DataView<ArrayBuffer> = new DataView(new ArrayBuffer(8 * kLengthsAtOnce));
  #used = 0;
  #crc = 0;

  constructor(bigEndian: boolean) {
    this.#bigEndian = bigEndian;
  }

  add(length: number): void {
    const little = !this.#bigEndian;
    if (length < 2 ** 32) {
      this.#buffer.setUint32(this.#used, length, little);
      this.#used += 4;
    } else {
      this.#buffer.setBigUint64(this.#used, BigInt(length), little);
      this.#used += 8;
    }
    if (this.#used > this.#buffer.byteLength - 8) this.value();
  }

  value(): number {
    this.#crc = extendCrc32c(new Uint8Array(this.#buffer.buffer, 0, this.#used), this.#crc);
    this.#used = 0;
    return this.#crc;
  }
}
