/**
 * The elements of a map as a sequence of bytes in row-major order, read or written in parts. Dense maps are used in place. The elements of
 * others are copied to other memory first, or from it in the end.
 *
 * Each access asks the map for its memory anew, so memory that was freed in the meantime is an error, never a read of other bytes.
 */
import { FailedPreconditionError, ResourceExhaustedError } from "@onebuffer/base";
import type { ExpressionTree, RawPlaces } from "@onebuffer/eigen";
import { copyPlaces, isRowMajor, leafPlaces, rowMajorStrides } from "@onebuffer/eigen/internal";

/** The bytes of a map's elements. */
export class ElementBytes {
  readonly total: number;
  readonly #map: ExpressionTree;
  readonly #copy: RawPlaces | null;

  /** `reads` is true for a source, whose elements are copied now if they are not dense, and false for a target. */
  constructor(map: ExpressionTree, reads: boolean) {
    const places = leafPlaces(map);
    this.#map = map;
    this.total = places.dims.reduce((product, size) => product * size, places.itemBytes);
    this.#copy = isRowMajor({ offset: 0, dims: places.dims, strides: places.strides }) ? null : denseCopy(places, this.total);
    if (reads && this.#copy !== null) copyPlaces(places, this.#copy);
  }

  /** Returns `count` bytes from byte `at` on. Throws FAILED_PRECONDITION if the memory was freed. */
  view(at: number, count: number): Uint8Array<ArrayBufferLike> {
    const { buffer, byteOffset } = this.#copy ?? leafPlaces(this.#map);
    if (byteOffset + at + count > buffer.byteLength) throw new FailedPreconditionError("XlaDevice: the memory of a map was detached");
    return new Uint8Array(buffer, byteOffset + at, count);
  }

  /** Ends the writing of a target: its elements are stored. */
  store(): void {
    if (this.#copy !== null) copyPlaces(this.#copy, leafPlaces(this.#map));
  }
}

/** Returns dense memory for elements with these sizes. */
function denseCopy({ dims, itemBytes }: RawPlaces, total: number): RawPlaces {
  try {
    return { buffer: new ArrayBuffer(total), byteOffset: 0, itemBytes, dims, strides: rowMajorStrides(dims) };
  } catch (cause) {
    throw new ResourceExhaustedError(`XlaDevice: no memory for a copy of ${total} bytes of a map whose elements are not dense`, { cause });
  }
}
