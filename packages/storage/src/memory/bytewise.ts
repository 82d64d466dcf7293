/**
 * Bytewise: reads and writes the elements of an unaligned map, through a DataView over the map's bytes and the codec of its dtype.
 *
 *     memory   | . . . |f0 f0 f0 f0|f1 f1 f1 f1| . .     float32 at byte offset 3: no Float32Array can start there
 *     view             ^0                                 offsets count from the map's first byte
 */
import { elementCodec } from "@onebuffer/base";
import type { ElementCodec, ElementOf, RawDType } from "@onebuffer/base";

/** Reads and writes elements of one dtype at byte offsets from the start of the map. */
export class Bytewise<D extends RawDType> {
  /** The element type. */
  declare readonly dtype: D;
  /** Bytes per element. */
  declare readonly bytes: number;
  declare private readonly view: DataView;
  declare private readonly codec: ElementCodec<D>;

  /** Covers `byteLength` bytes of `buffer` from `byteOffset`. The caller has checked that they lie inside the buffer. */
  constructor(dtype: D, buffer: ArrayBufferLike, byteOffset: number, byteLength: number) {
    this.dtype = dtype;
    this.codec = elementCodec(dtype);
    this.bytes = this.codec.bytes;
    this.view = new DataView(buffer, byteOffset, byteLength);
  }

  /** Returns the element at a byte offset of the view. */
  read(byteOffset: number): ElementOf<D> {
    return this.codec.read(this.view, byteOffset);
  }

  /** Stores an element at a byte offset of the view. Throws INVALID_ARGUMENT if `value` is not an element of the dtype. */
  write(byteOffset: number, value: ElementOf<D>): void {
    this.codec.write(this.view, byteOffset, value);
  }
}
