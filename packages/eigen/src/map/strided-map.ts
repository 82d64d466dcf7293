/**
 * Strided maps over typed arrays and XLA layouts (an Eigen::TensorMap over plain memory, with a stride for each
 * dimension, which Eigen's own map has not).
 *
 * A map that is there already gives strided views itself: `map.strided()`, `tensor.strided()`.
 */

import type { DType, TypedArrayOf } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { arrayOfClass } from "../memory/array-class.ts";
import { tensorMapKind } from "./kind-table.ts";
import { product } from "../geometry/map-geometry.ts";
import { memoryOwnerOf } from "../memory/memory-owner.ts";
import { checkSizes } from "../geometry/strided-geometry.ts";
import { checkMinorToMajor } from "../geometry/strided-layout.ts";
import type { ConstStridedMap, ConstTensorMap, StridedMap, TensorMap } from "../expression/tree/tensor-map.ts";

/**
 * A map of the elements that stand at `offset + i * strides[0] + j * strides[1] + …` of an array, counted in elements (a complex
 * one is two places wide). Strides may be negative; where they are smaller than a size needs, indices share elements. The array
 * is of the dtype's class, as for `tensorMap`; one that came out of another map keeps that map's owner.
 *
 * Throws INVALID_ARGUMENT when an element would lie outside the array or sizes and strides differ in count,
 * FAILED_PRECONDITION when a stride of 0 repeats elements, since a write would hit many. Copies: never.
 *
 * @example
 * const memory = new Float32Array([1, 2, 3, 4, 5, 6]);
 * stridedMap("float32", memory, [2, 3], [1, 2]).toArray(); // => [[1, 3, 5], [2, 4, 6]]
 * stridedMap("float32", memory, [3], [-2], 5).toArray(); // => [6, 4, 2]
 * stridedMap("float32", memory, [3], [-2], 3); // throws INVALID_ARGUMENT
 * stridedMap("float32", memory, [3], [0]); // throws FAILED_PRECONDITION
 */
export function stridedMap<D extends DType, const S extends readonly number[]>(
  dtype: D,
  array: TypedArrayOf<D>,
  dims: S,
  strides: readonly number[],
  offset: number = 0,
): StridedMap<D, S["length"]> {
  const kind = tensorMapKind(dtype);
  const plain = arrayOfClass(dtype, array);
  return kind.strided(plain, offset, memoryOwnerOf(array), dims, strides) as unknown as StridedMap<D, S["length"]>;
}

/**
 * As stridedMap, but read-only; a stride of 0 repeats an element.
 *
 * @example
 * constStridedMap("int8", new Int8Array([1, 2]), [3, 2], [0, 1]).toArray(); // => [[1, 2], [1, 2], [1, 2]]
 * constStridedMap("int8", new Int8Array([1, 2]), [3, 2], [1]); // throws INVALID_ARGUMENT
 */
export function constStridedMap<D extends DType, const S extends readonly number[]>(
  dtype: D,
  array: TypedArrayOf<D>,
  dims: S,
  strides: readonly number[],
  offset: number = 0,
): ConstStridedMap<D, S["length"]> {
  const kind = tensorMapKind(dtype);
  const plain = arrayOfClass(dtype, array);
  return kind.constStrided(plain, offset, memoryOwnerOf(array), dims, strides) as unknown as ConstStridedMap<D, S["length"]>;
}

/**
 * The elements of a map, taken in its row-major order as the linear buffer of an XLA array, under sizes and a dense
 * layout: `f32[2,3]{0,1}` is dims [2, 3], minorToMajor [0, 1]. What `minorToMajor()` of the result says is that layout, up to the
 * place of dimensions of size 1.
 *
 * Throws INVALID_ARGUMENT when the layout does not name each dimension once or the element counts differ, FAILED_PRECONDITION
 * when the elements of a strided map do not lie side by side. Copies: never.
 *
 * @example
 * const buffer = tensorMap("float32", new Float32Array([1, 4, 2, 5, 3, 6]), [6]);
 * stridedMapFromLayout(buffer, [2, 3], [0, 1]).toArray(); // => [[1, 2, 3], [4, 5, 6]]
 * stridedMapFromLayout(buffer, [2, 3], [1, 0]).toArray(); // => [[1, 4, 2], [5, 3, 6]]
 * stridedMapFromLayout(buffer, [2, 3], [0, 0]); // throws INVALID_ARGUMENT
 * stridedMapFromLayout(buffer.strided("::2"), [3], [0]); // throws FAILED_PRECONDITION
 */
export function stridedMapFromLayout<D extends DType, const S extends readonly number[]>(
  source: TensorMap<D, number> | StridedMap<D, number>,
  dims: S,
  minorToMajor: readonly number[],
): StridedMap<D, S["length"]>;
export function stridedMapFromLayout<D extends DType, const S extends readonly number[]>(
  source: ConstTensorMap<D, number> | ConstStridedMap<D, number>,
  dims: S,
  minorToMajor: readonly number[],
): ConstStridedMap<D, S["length"]>;
export function stridedMapFromLayout(
  source: ConstTensorMap<DType, number> | ConstStridedMap<DType, number>,
  dims: readonly number[],
  minorToMajor: readonly number[],
): ConstStridedMap<DType, number> {
  const sizes = checkSizes(dims, "a layout");
  checkMinorToMajor(minorToMajor, sizes.length);
  if (product(sizes) !== source.size) {
    throw new InvalidArgumentError(`[${sizes}] has ${product(sizes)} elements, the map of [${source.dimensions}] has ${source.size}`);
  }
  const dense = "isContiguous" in source ? source.toTensorMap() : source;
  if (dense === null)
    throw new FailedPreconditionError(`the elements of ${String(source)} do not lie side by side: they are no layout's buffer`);
  // In memory the most major dimension comes first; from there each goes to its place.
  const majorToMinor = minorToMajor.toReversed();
  const physical = dense.strided().reshape(majorToMinor.map((d) => sizes[d] as number)) as ConstStridedMap<DType, number>;
  return physical.permute(sizes.map((_, d) => majorToMinor.indexOf(d)));
}
