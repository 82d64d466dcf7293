/**
 * BackWriter: writes a message from its end to its beginning.
 *
 *     ... free ... | tag | length | fields of the sub-message, already written |
 *                  ^ pos
 *
 * Backwards, the length of a sub-message is known when its turn comes: no sizes to compute first, nothing to move, and one
 * pass over the message. Large payloads are not written at all; they stand between the pieces of the buffer as the
 * caller's own arrays. (`@bufbuild/protobuf`'s BinaryWriter writes forwards and copies everything.)
 */
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import { ResourceExhaustedError } from "@onebuffer/base";

const { encodeUtf8 } = getTextEncoding();

/** Payloads of this many bytes and more are not copied. */
export const kChunkBytes = 4096;
/** protobuf's own limit for a message. */
export const kMaxMessageBytes: number = 2 ** 31 - 1;
const kInitialBytes = 1024;
/** A larger buffer is not kept for the next message. */
const kLargestKept = 1 << 16;
const kShortText = 24;
const kTwo32 = 2 ** 32;

export class BackWriter {
  #buffer: Uint8Array<ArrayBuffer>;
  #view: DataView;
  /** Where the bytes written so far begin. */
  #pos: number;
  /** Where the bytes end that are in no chunk yet. */
  #flushed: number;
  /** Bytes in chunks. */
  #chunkBytes: number;
  /** From last to first. */
  #chunks: Uint8Array[];

  constructor() {
    this.#buffer = new Uint8Array(kInitialBytes);
    this.#view = new DataView(this.#buffer.buffer);
    this.#pos = kInitialBytes;
    this.#flushed = kInitialBytes;
    this.#chunkBytes = 0;
    this.#chunks = [];
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#chunkBytes + this.#flushed - this.#pos;
  }

  /** Makes room for `size` bytes in front. */
  #room(size: number): void {
    if (size <= this.#pos) return;
    const buffer = this.#buffer;
    const pos = this.#pos;
    const grown = Math.max(2 * buffer.length, buffer.length + size);
    const bigger = new Uint8Array(grown);
    bigger.set(buffer.subarray(pos), grown - buffer.length + pos);
    this.#buffer = bigger;
    this.#view = new DataView(bigger.buffer);
    this.#pos = pos + grown - buffer.length;
    this.#flushed += grown - buffer.length;
  }

  /** A varint of up to 32 bits. */
  varint32(value: number): void {
    this.#room(5);
    const buffer = this.#buffer;
    if (value >>> 7 === 0) {
      buffer[--this.#pos] = value;
      return;
    }
    const size = value >>> 14 === 0 ? 2 : value >>> 21 === 0 ? 3 : value >>> 28 === 0 ? 4 : 5;
    let pos = (this.#pos -= size);
    for (let rest = value >>> 0; pos < this.#pos + size; rest >>>= 7) buffer[pos++] = rest | 0x80;
    buffer[pos - 1]! &= 0x7f;
  }

  /** A varint of 64 bits in two words. */
  varint64(lo: number, hi: number): void {
    if (hi === 0) {
      this.varint32(lo);
      return;
    }
    this.#room(10);
    const buffer = this.#buffer;
    // The upper 36 bits, which are not 0, are the bytes from the fifth on.
    let size = 5;
    for (let rest = hi >>> 3; rest !== 0; rest >>>= 7) size++;
    let pos = (this.#pos -= size);
    for (let i = 0; i < 4; i++) buffer[pos++] = (lo >>> (7 * i)) | 0x80;
    buffer[pos++] = (lo >>> 28) | ((hi & 7) << 4) | 0x80;
    for (let rest = hi >>> 3; rest !== 0; rest >>>= 7) buffer[pos++] = rest | 0x80;
    buffer[pos - 1]! &= 0x7f;
  }

  /** A signed 32-bit varint: negative values take ten bytes. */
  int32(value: number): void {
    if (value >= 0) this.varint32(value);
    else this.varint64(value, -1);
  }

  /** A 64-bit integer, signed or not. */
  int64(value: number | bigint): void {
    if (typeof value === "number") this.varint64((value % kTwo32) | 0, Math.floor(value / kTwo32));
    else this.varint64(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
  }

  fixed32(value: number): void {
    this.#room(4);
    this.#view.setUint32((this.#pos -= 4), value, true);
  }

  float(value: number): void {
    this.#room(4);
    this.#view.setFloat32((this.#pos -= 4), value, true);
  }

  double(value: number): void {
    this.#room(8);
    this.#view.setFloat64((this.#pos -= 8), value, true);
  }

  /** The text in UTF-8, without its length. */
  text(text: string): void {
    const { length } = text;
    if (length > kShortText) {
      this.bytes(encodeUtf8(text));
      return;
    }
    this.#room(length);
    const buffer = this.#buffer;
    const start = this.#pos - length;
    for (let i = 0; i < length; i++) {
      const code = text.charCodeAt(i);
      if (code > 0x7f) {
        this.bytes(encodeUtf8(text));
        return;
      }
      buffer[start + i] = code;
    }
    this.#pos = start;
  }

  /** Raw bytes; many are not copied. */
  bytes(bytes: Uint8Array): void {
    const { length } = bytes;
    if (length < kChunkBytes) {
      this.#room(length);
      this.#pos -= length;
      this.#buffer.set(bytes, this.#pos);
      return;
    }
    this.#flush();
    this.#chunks.push(bytes);
    this.#chunkBytes += length;
  }

  /** Makes a chunk of what stands in the buffer. */
  #flush(): void {
    const buffer = this.#buffer;
    const pos = this.#pos;
    const flushed = this.#flushed;
    if (pos === flushed) return;
    this.#chunks.push(buffer.slice(pos, flushed));
    this.#chunkBytes += flushed - pos;
    this.#flushed = pos;
  }

  /** The message, first chunk first, and the writer ready for another one. Throws RESOURCE_EXHAUSTED beyond 2 GiB. */
  finish(): Uint8Array[] {
    this.#flush();
    const chunks = this.#chunks;
    const chunkBytes = this.#chunkBytes;
    this.reset();
    if (chunkBytes > kMaxMessageBytes)
      throw new ResourceExhaustedError(`a message of ${chunkBytes} bytes; protobuf's limit is ${kMaxMessageBytes}`);
    return chunks.reverse();
  }

  /** Forgets what was written. */
  reset(): void {
    if (this.#buffer.length > kLargestKept) {
      this.#buffer = new Uint8Array(kInitialBytes);
      this.#view = new DataView(this.#buffer.buffer);
    }
    this.#pos = this.#buffer.length;
    this.#flushed = this.#buffer.length;
    this.#chunkBytes = 0;
    this.#chunks = [];
  }
}
