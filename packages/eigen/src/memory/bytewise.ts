/**
 * Bytewise: how an unaligned map reaches its elements: a DataView over the map's own bytes and the dtype's codec.
 *
 *     memory   | . . . |f0 f0 f0 f0|f1 f1 f1 f1| . .     float32 at byte offset 3: no Float32Array starts there
 *     view             ^0                                 offsets count from the map's first byte
 */
import { elementCodec } from "@onebuffer/base";
import type { ElementCodec, ElementOf, RawDType } from "@onebuffer/base";

/** Reads and writes elements of one dtype at byte offsets of one view. */
export class Bytewise<D extends RawDType> {
  /** The element type. */
  declare readonly dtype: D;
  /** Bytes per element. */
  declare readonly bytes: number;
  declare private readonly view: DataView;
  declare private readonly codec: ElementCodec<D>;

  /** A codec over `byteLength` bytes from `byteOffset` on, which the caller has checked. */
  constructor(dtype: D, buffer: ArrayBufferLike, byteOffset: number, byteLength: number) {
    this.dtype = dtype;
    this.codec = elementCodec(dtype);
    this.bytes = this.codec.bytes;
    this.view = new DataView(buffer, byteOffset, byteLength);
  }

  /** The element at a byte offset of the view. */
  read(place: number): ElementOf<D> {
    return this.codec.read(this.view, place);
  }

  /** Stores an element. Throws INVALID_ARGUMENT for a value of another kind. */
  write(place: number, value: ElementOf<D>): void {
    this.codec.write(this.view, place, value);
  }
}
