/**
 * The elements of a map as a sequence of bytes in row-major order, read or written in parts. Dense maps are used in place. The elements of
 * others are copied to other memory first, or from it in the end.
 *
 * Each access asks the map for its memory anew, so memory that was freed in the meantime is an error, never a read of other bytes. A backend
 * that asks for bytes outside the elements, or leaves some of a target out, is an error, too.
 */
import { DataLossError, FailedPreconditionError, ResourceExhaustedError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { RawPlaces } from "@onebuffer/storage";
import { copyPlaces, isRowMajor, rowMajorStrides } from "@onebuffer/storage/internal";
import { leafPlaces } from "@onebuffer/compiler/internal";

/** The bytes of a map's elements. */
export class ElementBytes {
  /** The number of bytes of all elements. */
  readonly total: number;
  readonly #map: ExpressionTree;
  readonly #copy: RawPlaces | null;
  /** The bytes that `view` returned. */
  #viewed = 0;

  /** `reads` is true for a source, whose elements are copied now if they are not dense, and false for a target. */
  constructor(map: ExpressionTree, reads: boolean) {
    const places = leafPlaces(map);
    this.#map = map;
    this.total = places.dims.reduce((product, size) => product * size, places.itemBytes);
    this.#copy = isRowMajor({ offset: 0, dims: places.dims, strides: places.strides }) ? null : denseCopy(places, this.total);
    if (reads && this.#copy !== null) copyPlaces(places, this.#copy);
  }

  /**
   * Returns `count` bytes from byte `at` on: to read, or to write all of them. Throws FAILED_PRECONDITION if the memory was freed, DATA_LOSS
   * for bytes outside the elements.
   */
  view(at: number, count: number): Uint8Array<ArrayBufferLike> {
    if (!(at >= 0 && count >= 0 && at + count <= this.total))
      throw new DataLossError(`${count} bytes from byte ${at} on are not among the ${this.total} of a ${this.#map.dtype} map`);
    const { buffer, byteOffset } = this.#copy ?? leafPlaces(this.#map);
    if (byteOffset + at + count > buffer.byteLength) throw new FailedPreconditionError("the memory of a map was detached");
    this.#viewed += count;
    return new Uint8Array(buffer, byteOffset + at, count);
  }

  /** Ends the writing of a target: its elements are stored. Throws DATA_LOSS unless as many bytes were written as there are. */
  store(): void {
    if (this.#viewed !== this.total)
      throw new DataLossError(`${this.#viewed} of the ${this.total} bytes of a ${this.#map.dtype} map were written`);
    if (this.#copy !== null) copyPlaces(this.#copy, leafPlaces(this.#map));
  }
}

/** Returns dense memory for elements with these sizes. */
function denseCopy({ dims, itemBytes }: RawPlaces, total: number): RawPlaces {
  try {
    return { buffer: new ArrayBuffer(total), byteOffset: 0, itemBytes, dims, strides: rowMajorStrides(dims) };
  } catch (cause) {
    throw new ResourceExhaustedError(`no memory for a copy of ${total} bytes of a map whose elements are not dense`, { cause });
  }
}
