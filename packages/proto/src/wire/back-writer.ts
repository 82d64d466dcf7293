/**
 * BackWriter: writes the bytes of a message from the end to the beginning (in C++: io::EpsCopyOutputStream, which writes forward).
 *
 *     ... free ... | tag | length | fields of the sub-message, already written |
 *                  ^ pos
 *
 * When a message is written backward, the length of a sub-message is known before it must be written: sizes need not be computed in
 * a first pass, and nothing is moved. Large payloads are not copied into the buffer: the result is a list of chunks, in which they are
 * the caller's own arrays. (`@bufbuild/protobuf`'s BinaryWriter writes forward and copies everything.)
 */
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import { ResourceExhaustedError } from "@onebuffer/base";

const { encodeUtf8 } = getTextEncoding();

/** Payloads of at least this many bytes become chunks of their own instead of being copied. */
export const kChunkBytes = 4096;
/** protobuf's limit for the size of a message: 2 GiB - 1 byte. */
export const kMaxMessageBytes: number = 2 ** 31 - 1;
const kInitialBytes = 1024;
/** A buffer larger than this (64 KiB) is not kept for the next message. */
const kLargestKept = 1 << 16;
/** Texts of up to this many characters are encoded here if they are ASCII; a call of the encoder would cost more. */
const kShortText = 24;
const kTwo32 = 2 ** 32;

/** A buffer that messages are written into, one after the other. */
export class BackWriter {
  #buffer: Uint8Array<ArrayBuffer>;
  #view: DataView;
  /** The index of the first byte written so far. */
  #pos: number;
  /** The end of the bytes that are not in a chunk yet. */
  #flushed: number;
  /** The total size of the chunks. */
  #chunkBytes: number;
  /** The chunks, the last one first. */
  #chunks: Uint8Array[];

  constructor() {
    this.#buffer = new Uint8Array(kInitialBytes);
    this.#view = new DataView(this.#buffer.buffer);
    this.#pos = kInitialBytes;
    this.#flushed = kInitialBytes;
    this.#chunkBytes = 0;
    this.#chunks = [];
  }

  /** The number of bytes written so far. */
  get length(): number {
    return this.#chunkBytes + this.#flushed - this.#pos;
  }

  /** Makes room for `size` more bytes at the front. */
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

  /** Writes a varint of up to 32 bits. */
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

  /** Writes a varint of 64 bits, given as two words. */
  varint64(lo: number, hi: number): void {
    if (hi === 0) {
      this.varint32(lo);
      return;
    }
    this.#room(10);
    const buffer = this.#buffer;
    // The first four bytes hold 28 bits; the other 36 bits, which are not all 0, are in the bytes from the fifth on.
    let size = 5;
    for (let rest = hi >>> 3; rest !== 0; rest >>>= 7) size++;
    let pos = (this.#pos -= size);
    for (let i = 0; i < 4; i++) buffer[pos++] = (lo >>> (7 * i)) | 0x80;
    buffer[pos++] = (lo >>> 28) | ((hi & 7) << 4) | 0x80;
    for (let rest = hi >>> 3; rest !== 0; rest >>>= 7) buffer[pos++] = rest | 0x80;
    buffer[pos - 1]! &= 0x7f;
  }

  /** Writes a signed 32-bit integer as a varint; a negative one takes ten bytes. */
  int32(value: number): void {
    if (value >= 0) this.varint32(value);
    else this.varint64(value, -1);
  }

  /** Writes a signed or unsigned 64-bit integer as a varint. */
  int64(value: number | bigint): void {
    if (typeof value === "number") this.varint64((value % kTwo32) | 0, Math.floor(value / kTwo32));
    else this.varint64(Number(BigInt.asIntN(32, value)), Number(BigInt.asIntN(32, value >> 32n)));
  }

  /** Writes four bytes, little-endian. */
  fixed32(value: number): void {
    this.#room(4);
    this.#view.setUint32((this.#pos -= 4), value, true);
  }

  /** Writes a float32. */
  float(value: number): void {
    this.#room(4);
    this.#view.setFloat32((this.#pos -= 4), value, true);
  }

  /** Writes a float64. */
  double(value: number): void {
    this.#room(8);
    this.#view.setFloat64((this.#pos -= 8), value, true);
  }

  /** Writes a text in UTF-8, without its length. */
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

  /** Writes raw bytes. From kChunkBytes on they are not copied. */
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

  /** Makes a chunk of the bytes in the buffer that are not in a chunk yet. */
  #flush(): void {
    const buffer = this.#buffer;
    const pos = this.#pos;
    const flushed = this.#flushed;
    if (pos === flushed) return;
    this.#chunks.push(buffer.slice(pos, flushed));
    this.#chunkBytes += flushed - pos;
    this.#flushed = pos;
  }

  /** Returns the chunks of the message, the first one first, and resets the writer. Throws RESOURCE_EXHAUSTED above 2 GiB. */
  finish(): Uint8Array[] {
    this.#flush();
    const chunks = this.#chunks;
    const chunkBytes = this.#chunkBytes;
    this.reset();
    if (chunkBytes > kMaxMessageBytes)
      throw new ResourceExhaustedError(`the message has ${chunkBytes} bytes; protobuf's limit is ${kMaxMessageBytes}`);
    return chunks.reverse();
  }

  /** Discards what was written. */
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
