/**
 * The frame of a record in a TFRecord file (in C++: tsl/lib/io/record_reader.h and record_writer.h), little-endian. Records follow each
 * other without anything in between; the file ends with the last one.
 *
 *     length              | masked crc32c of the length | data           | masked crc32c of the data
 *     8 bytes             | 4 bytes                     | `length` bytes | 4 bytes
 *     05 00 00 00 00 00 …   ea b2 04 3e                   68 65 6c 6c 6f   bb 1f 1c 19
 *
 * A damaged length could claim any size, so its checksum comes first, and the length is compared with the bytes that remain.
 */
import type { StatusError } from "@onebuffer/base";
import { DataLossError, ResourceExhaustedError } from "@onebuffer/base";
import { maskCrc } from "../checksum/crc-mask.ts";
import { extendCrc32c } from "../checksum/crc32c.ts";

/** The bytes of a record before its data. */
export const kHeaderBytes = 12;
/** The bytes of a record after its data. */
export const kFooterBytes = 4;
const kLengthBytes = 8;
const kTwo32 = 2 ** 32;

/** Returns the masked crc32c of some bytes. */
function maskedCrc(bytes: Uint8Array<ArrayBufferLike>): number {
  return maskCrc(extendCrc32c(bytes, 0));
}

/** Writes the header of a record of `length` bytes. */
export function putHeader(target: Uint8Array<ArrayBufferLike>, pos: number, length: number): void {
  putWord(target, pos, length % kTwo32);
  putWord(target, pos + 4, Math.floor(length / kTwo32));
  putWord(target, pos + kLengthBytes, maskedCrc(target.subarray(pos, pos + kLengthBytes)));
}

/** Writes the footer of a record. */
export function putFooter(target: Uint8Array<ArrayBufferLike>, pos: number, data: Uint8Array<ArrayBufferLike>): void {
  putWord(target, pos, maskedCrc(data));
}

function putWord(target: Uint8Array<ArrayBufferLike>, pos: number, word: number): void {
  target[pos] = word;
  target[pos + 1] = word >>> 8;
  target[pos + 2] = word >>> 16;
  target[pos + 3] = word >>> 24;
}

function wordAt(bytes: Uint8Array<ArrayBufferLike>, pos: number): number {
  return (bytes[pos]! | (bytes[pos + 1]! << 8) | (bytes[pos + 2]! << 16) | (bytes[pos + 3]! << 24)) >>> 0;
}

const hex = (word: number): string => `0x${word.toString(16).padStart(8, "0")}`;

/** Checks the frames of one file's records, in order, and names the record in errors. */
export class RecordFrames {
  /** The number of records read so far. */
  count = 0;
  /** The offset of the next record in the file, before compression. */
  offset: number;
  readonly #name: string;
  readonly #verify: boolean;
  readonly #maxBytes: number;

  constructor(name: string, offset: number, verify: boolean, maxBytes: number) {
    this.#name = name;
    this.offset = offset;
    this.#verify = verify;
    this.#maxBytes = maxBytes;
  }

  /** Returns an error about the next record. */
  #damaged(what: string): StatusError {
    return new DataLossError(`${this.#name}: record ${this.count} at byte ${this.offset}: ${what}`);
  }

  /** Returns the error for a file that ends inside the next record, of which it has `available` bytes. */
  truncated(available: number, needed: number): StatusError {
    return this.#damaged(`the file ends after ${available} of its ${needed} bytes`);
  }

  /**
   * Returns the length of the next record's data, whose header is at `pos`. `remaining` is the number of bytes from there to the end of
   * the file, or infinity if that is not known.
   */
  dataLength(bytes: Uint8Array<ArrayBufferLike>, pos: number, remaining: number): number {
    if (remaining < kHeaderBytes) throw this.truncated(remaining, kHeaderBytes);
    if (this.#verify) {
      const stored = wordAt(bytes, pos + kLengthBytes);
      const computed = maskedCrc(bytes.subarray(pos, pos + kLengthBytes));
      if (stored !== computed) throw this.#damaged(`the length has the masked crc32c ${hex(computed)}, the file says ${hex(stored)}`);
    }
    const length = wordAt(bytes, pos + 4) * kTwo32 + wordAt(bytes, pos);
    const total = kHeaderBytes + length + kFooterBytes;
    if (total > remaining) throw this.truncated(remaining, total);
    if (length > this.#maxBytes) {
      throw new ResourceExhaustedError(
        `${this.#name}: record ${this.count} at byte ${this.offset} has ${length} bytes; maxRecordBytes allows ${this.#maxBytes}`,
      );
    }
    return length;
  }

  /** Returns a view of the data of the next record, whose header is at `pos`, and counts the record. */
  data(bytes: Uint8Array<ArrayBufferLike>, pos: number, length: number): Uint8Array<ArrayBufferLike> {
    const end = pos + kHeaderBytes + length;
    const data = bytes.subarray(pos + kHeaderBytes, end);
    if (this.#verify) {
      const stored = wordAt(bytes, end);
      const computed = maskedCrc(data);
      if (stored !== computed) throw this.#damaged(`the data has the masked crc32c ${hex(computed)}, the file says ${hex(stored)}`);
    }
    this.count++;
    this.offset += kHeaderBytes + length + kFooterBytes;
    return data;
  }
}
