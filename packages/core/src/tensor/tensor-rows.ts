/** Iteration over a tensor's dimension 0. */

import type { DType, ElementOf } from "@onebuffer/base";
import type { TensorMap } from "@onebuffer/eigen";
import type { TensorParts } from "../buffer/shape-and-buffer.ts";
import { unalignedViewOfSizes } from "../buffer/tensor-views.ts";

/**
 * An item of `for (const row of tensor)`: an element of a tensor of rank 1, a map of a row of a tensor of higher rank.
 *
 * @example
 * using tensor = Tensor.from([[1, 2], [3, 4]]);
 * const sumOf = (row: TensorRow<"float32">): number => (typeof row === "number" ? row : [...row].reduce((sum, x) => sum + x, 0));
 * [...tensor].map(sumOf); // => [3, 7]
 */
export type TensorRow<D extends DType> = ElementOf<D> | TensorMap<D, number>;

/** Returns a map of all elements, at any byte offset. */
function wholeMap<D extends DType>({ shape, buffer }: TensorParts): TensorMap<D, number> {
  return unalignedViewOfSizes<D, number>(shape.dataType, buffer, shape.numElements, shape.dimSizes);
}

/** Yields the elements in row-major order. */
export function* elementsOf<D extends DType>(tensor: TensorParts): Generator<ElementOf<D>, void, undefined> {
  yield* wholeMap<D>(tensor);
}

/** Yields a map of each row of dimension 0. */
export function* rowsOf<D extends DType>(tensor: TensorParts): Generator<TensorMap<D, number>, void, undefined> {
  const map = wholeMap<D>(tensor);
  const count = tensor.shape.dimSize(0);
  for (let i = 0; i < count; i += 1) yield map.chip(i);
}
