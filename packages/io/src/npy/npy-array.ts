/**
 * NpyArray: an .npy file whose elements stay in the file's order, as a strided map with the file's shape and as a row-major tensor
 * over the same bytes.
 *
 *     file      (2, 3), fortran_order True     a d b e c f
 *     tensor    [3, 2] row-major               [[a d] [b e] [c f]]
 *     map       [2, 3], strides [1, 2]         [[a b c] [d e f]]
 *
 * A tensor is always row-major, so the tensor of a column-major file has the dimensions in reverse order; the map transposes
 * them back. For a file in C order tensor and map have the same sizes.
 */

import { argumentError } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { StridedMap } from "@onebuffer/eigen";
import type { NpyDType } from "./npy-descr.ts";

/**
 * The result of `readNpy(bytes, { order: "keep" })`. Tensor and map share the same memory, the file's bytes if they can be
 * used in place. `dispose` (or `using`) disposes the tensor; after that the map throws FAILED_PRECONDITION, unless
 * another handle (`tensor.share()`) still holds the memory. Never copies.
 *
 * @example
 * const text = "\x93NUMPY\x01\x00\x3c\x00{'descr': '|u1', 'fortran_order': True,  'shape': (2, 3), }\n\x01\x04\x02\x05\x03\x06";
 * const file = Uint8Array.from(text, (character) => character.charCodeAt(0));
 * using array: NpyArray = readNpy(file, { order: "keep" });
 * array.map.toArray(); // => [[1, 2, 3], [4, 5, 6]]
 * array.tensor.toArray(); // => [[1, 4], [2, 5], [3, 6]]
 * array.map.strides; // => [1, 2]
 */
export class NpyArray {
  /** The elements in the file's order. Its shape is the file's, reversed if the file is Fortran-ordered. `dispose` disposes this handle. */
  readonly tensor: Tensor<NpyDType>;
  /** The elements with the file's shape. */
  readonly map: StridedMap<NpyDType, number>;
  /** True if the file is in Fortran order. */
  readonly fortranOrder: boolean;

  /** Takes ownership of the tensor's handle. */
  constructor(tensor: Tensor<NpyDType>, fortranOrder: boolean) {
    if (typeof (tensor as Partial<Tensor> | null | undefined)?.copySlice !== "function") throw argumentError("a Tensor", tensor);
    this.tensor = tensor;
    this.map = fortranOrder ? tensor.strided().transpose() : tensor.strided();
    this.fortranOrder = fortranOrder;
  }

  /** The file's shape. */
  get shape(): readonly number[] {
    return this.map.dimensions;
  }

  /** The element type. */
  get dtype(): NpyDType {
    return this.tensor.dtype;
  }

  /** Disposes the tensor; a second call does nothing. */
  dispose(): void {
    this.tensor.dispose();
  }

  /** `using array = …` disposes at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
