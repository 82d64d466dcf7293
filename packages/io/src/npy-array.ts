/**
 * NpyArray: an .npy file whose elements stay in the file's order: the array as the file means it, and the tensor that its
 * bytes are.
 *
 *     file      (2, 3), fortran_order True     a d b e c f
 *     tensor    [3, 2] row-major               [[a d] [b e] [c f]]
 *     map       [2, 3], strides [1, 2]         [[a b c] [d e f]]
 *
 * A tensor is always row-major, so a column-major one can only be had with its dimensions reversed; the map turns them
 * back. For a file in C order tensor and map have the same sizes.
 */

import { argumentError } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import type { StridedMap } from "@onebuffer/eigen";
import type { NpyDType } from "./npy-descr.ts";

/**
 * What `readNpy(bytes, { order: "keep" })` gives. Tensor and map show the same memory, that of the file where its bytes can be
 * used as they stand. `dispose` (or `using`) ends the tensor; from then on the map throws FAILED_PRECONDITION, unless
 * another handle (`tensor.share()`) still holds the memory. Copies: never.
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
  /** The elements in the file's order: the file's shape, reversed if it is Fortran-ordered. The array's own handle. */
  readonly tensor: Tensor<NpyDType>;
  /** The elements under the file's shape. */
  readonly map: StridedMap<NpyDType, number>;
  /** Whether the file says Fortran order. */
  readonly fortranOrder: boolean;

  /** Takes over the tensor's handle. */
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

  /** Ends the tensor; a second call does nothing. */
  dispose(): void {
    this.tensor.dispose();
  }

  /** `using array = …` disposes at the end of the block. */
  [Symbol.dispose](): void {
    this.dispose();
  }
}
