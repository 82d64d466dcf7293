/**
 * WireReader: reads the primitive values of protobuf's wire format from a message's bytes (in C++: io::CodedInputStream).
 *
 *     tag = number << 3 | wire type, a varint     varint = 7 bits a byte, low ones first, at most 10 bytes
 *
 * `@bufbuild/protobuf`'s BinaryReader reads the same format. This reader is made for hostile input: every read is first checked
 * against the end of the enclosing message, errors name the byte, lengths are not truncated to 32 bits, and 64-bit values are two
 * words, so that a small value needs no bigint. UTF-8 is decoded by protobuf's decoder.
 */
import { getTextEncoding } from "@bufbuild/protobuf/wire";
import type { StatusError } from "@onebuffer/base";
import { DataLossError, InvalidArgumentError, ResourceExhaustedError } from "@onebuffer/base";
import { memoryOwnerOf, withMemoryOwner } from "@onebuffer/storage/internal";
import { Wire } from "./message-type.ts";

const { decodeUtf8 } = getTextEncoding();

/** Texts of up to this many bytes are decoded here if they are ASCII; a call of the decoder would cost more. */
const kShortText = 24;
const kTwo32 = 2 ** 32;

/** The upper bound of every recursion limit: beyond it JavaScript's stack could overflow. */
export const kMaxRecursion = 1000;

/** The record of a typed array that is longer than its values, because more values may follow. */
export interface GrowingArray {
  /** The message that holds the array. */
  readonly message: Record<string, unknown>;
  /** The name of the field. */
  readonly name: string;
  /** The number of elements in use. */
  used: number;
}

/** A position in the bytes of a message. */
export class WireReader {
  readonly bytes: Uint8Array;
  readonly typeName: string;
  readonly recursionLimit: number;
  pos: number;
  /** The end of the (sub-)message being read; no read goes beyond it. */
  end: number;
  /** The low word of the varint read last. */
  lo: number;
  /** The high word of the varint read last. */
  hi: number;
  /** The number of objects that may still be made. */
  objects: number;
  /** The records of the arrays that may still grow, by array; null if there are none. */
  growing: Map<object, GrowingArray> | null;

  constructor(bytes: Uint8Array, typeName: string, recursionLimit: number, objectLimit: number) {
    this.bytes = bytes;
    this.typeName = typeName;
    this.recursionLimit = recursionLimit;
    this.pos = 0;
    this.end = bytes.length;
    this.lo = 0;
    this.hi = 0;
    this.objects = objectLimit;
    this.growing = null;
  }

  /** Returns an INVALID_ARGUMENT error about the bytes at `pos`. */
  malformed(what: string, pos: number = this.pos): StatusError {
    return new InvalidArgumentError(`${this.typeName}: ${what} at byte ${pos}`);
  }

  /** Returns a DATA_LOSS error if the input ends, or an INVALID_ARGUMENT error if only the sub-message being read ends. */
  #cutShort(what: string, pos: number): StatusError {
    if (this.end < this.bytes.length) return this.malformed(`${what} goes beyond the end of its message, byte ${this.end},`, pos);
    return new DataLossError(`${this.typeName}: the bytes end after ${this.end}, inside ${what} that starts at byte ${pos}`);
  }

  /** Counts an object that is about to be made. Throws RESOURCE_EXHAUSTED above the limit. */
  countObject(): void {
    if (--this.objects < 0)
      throw new ResourceExhaustedError(
        `${this.typeName}: more objects than the objectLimit allows, at byte ${this.pos}; raise it for messages you trust`,
      );
  }

  /** Reads a varint into `lo` and `hi`. */
  varint(): void {
    const { bytes, pos, end } = this;
    if (pos < end) {
      const first = bytes[pos]!;
      if (first < 0x80) {
        this.pos = pos + 1;
        this.lo = first;
        this.hi = 0;
        return;
      }
    }
    this.#longVarint(pos);
  }

  #longVarint(start: number): void {
    const { bytes, end } = this;
    let lo = 0;
    let hi = 0;
    for (let i = 0; i < 10; i++) {
      if (start + i >= end) throw this.#cutShort("a varint", start);
      const byte = bytes[start + i]!;
      const bits = byte & 0x7f;
      if (i < 4) lo |= bits << (7 * i);
      else if (i === 4) {
        lo |= bits << 28;
        hi = bits >>> 4;
      } else hi |= bits << (7 * i - 32); // only one bit of the 10th byte counts; the others are dropped, as in protobuf
      if (byte < 0x80) {
        this.pos = start + i + 1;
        this.lo = lo;
        this.hi = hi;
        return;
      }
    }
    throw this.malformed("a varint of more than 10 bytes", start);
  }

  /** Reads a tag. Throws INVALID_ARGUMENT for more than 32 bits or field number 0. */
  tag(): number {
    const start = this.pos;
    this.varint();
    const tag = this.lo >>> 0;
    if (this.hi !== 0 || this.pos - start > 5) throw this.malformed("a tag of more than 32 bits", start);
    if (tag < 8) throw this.malformed("field number 0", start);
    return tag;
  }

  /** Reads a length and checks that so many bytes follow. */
  length(): number {
    const start = this.pos;
    this.varint();
    const length = this.lo;
    // A length, like a tag, has at most five bytes, including padding; protobuf's parsers require the same.
    if (this.hi !== 0 || length < 0 || this.pos - start > 5) throw this.malformed("a length of 2^31 or more", start);
    if (length > this.end - this.pos) throw this.#cutShort(`a field of ${length} bytes`, start);
    return length;
  }

  /** Advances by `size` bytes after checking that they exist. Returns the position of the first. */
  fixed(size: number): number {
    const start = this.pos;
    if (size > this.end - start) throw this.#cutShort(`a value of ${size} bytes`, start);
    this.pos = start + size;
    return start;
  }

  /** Returns the varint read last as a signed integer: a number if it is a safe integer, otherwise a bigint. */
  int64(): number | bigint {
    const value = this.hi * kTwo32 + (this.lo >>> 0);
    return Number.isSafeInteger(value) ? value : (BigInt(this.hi) << 32n) | BigInt(this.lo >>> 0);
  }

  /** Returns the varint read last as an unsigned integer: a number if it is a safe integer, otherwise a bigint. */
  uint64(): number | bigint {
    const value = (this.hi >>> 0) * kTwo32 + (this.lo >>> 0);
    return Number.isSafeInteger(value) ? value : this.uint64BigInt();
  }

  /** Returns the varint read last as an unsigned bigint. */
  uint64BigInt(): bigint {
    return (BigInt(this.hi >>> 0) << 32n) | BigInt(this.lo >>> 0);
  }

  /** Returns a view of the next `length` bytes, which the caller has checked to exist. It carries the input's memory owner. */
  view(length: number): Uint8Array {
    const { bytes, pos } = this;
    this.countObject();
    this.pos = pos + length;
    return withMemoryOwner(new Uint8Array(bytes.buffer, bytes.byteOffset + pos, length), memoryOwnerOf(bytes));
  }

  /** Returns the next `length` bytes as text. Throws INVALID_ARGUMENT if they are not UTF-8. */
  text(length: number): string {
    const { bytes, pos } = this;
    this.countObject();
    this.pos = pos + length;
    if (length <= kShortText) {
      let text = "";
      let i = 0;
      for (; i < length; i++) {
        const byte = bytes[pos + i]!;
        if (byte > 0x7f) break;
        text += String.fromCharCode(byte);
      }
      if (i === length) return text;
    }
    try {
      return decodeUtf8(bytes.subarray(pos, pos + length), true);
    } catch {
      throw this.malformed("a string that is not UTF-8", pos);
    }
  }

  /** Advances past the value of an unknown field with this tag. */
  skip(tag: number, depth: number): void {
    const wireType = tag & 7;
    if (wireType === Wire.VARINT) this.varint();
    else if (wireType === Wire.LENGTH) this.fixed(this.length());
    else if (wireType === Wire.BIT32) this.fixed(4);
    else if (wireType === Wire.BIT64) this.fixed(8);
    else if (wireType === Wire.START_GROUP) this.#skipGroup(tag, depth + 1);
    else if (wireType === Wire.END_GROUP) throw this.malformed(`the end of group ${tag >>> 3}, which was not started,`);
    else throw this.malformed(`wire type ${wireType} of field ${tag >>> 3}`);
  }

  #skipGroup(start: number, depth: number): void {
    this.checkDepth(depth);
    for (;;) {
      if (this.pos >= this.end) throw this.#cutShort(`group ${start >>> 3}`, this.pos);
      const tag = this.tag();
      if ((tag & 7) === Wire.END_GROUP && tag >>> 3 === start >>> 3) return;
      this.skip(tag, depth);
    }
  }

  /** Throws INVALID_ARGUMENT if the depth exceeds the recursion limit. */
  checkDepth(depth: number): void {
    if (depth > this.recursionLimit) throw this.malformed(`messages nested more than ${this.recursionLimit} deep`);
  }
}
