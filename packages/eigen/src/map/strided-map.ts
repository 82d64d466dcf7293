/**
 * Makes strided maps: over a caller's typed array, or from a map and an XLA layout. Eigen::TensorMap is the counterpart without strides;
 * Eigen has no tensor map with a stride per dimension.
 *
 * To get strided views of a map or a tensor, call `map.strided()` or `tensor.strided()` instead.
 */

import type { DType, TypedArrayOf } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { arrayOfClass, checkMinorToMajor, checkSizes, memoryOwnerOf, product } from "@onebuffer/storage/internal";
import { tensorMapKind } from "./kind-table.ts";
import { isMap, isTree } from "@onebuffer/expression/internal";
import type { ConstStridedMap, ConstTensorMap, StridedMap, TensorMap } from "@onebuffer/expression";

/**
 * Returns a map whose element (i, j, …) is element `offset + i * strides[0] + j * strides[1] + …` of an array. Offset and strides count
 * elements (a complex element is two numbers of the array). Strides may be negative. They may also be so small that several indices
 * name the same element. The array must be of the dtype's class, as for `tensorMap`. If it is the `data` of another map, the new map
 * gets that map's owner.
 *
 * Throws INVALID_ARGUMENT if an element is outside the array, or if sizes and strides differ in length. Throws FAILED_PRECONDITION if a
 * stride of 0 repeats elements, because one write would change several of them. Copies: never.
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
 * Like stridedMap, but the map is read-only, and a stride of 0, which repeats elements, is allowed.
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
 * Returns a strided map that reads the elements of `source`, in row-major order, as the linear buffer of an XLA array with the sizes `dims`
 * and a dense layout. For `f32[2,3]{0,1}`, dims is [2, 3] and minorToMajor is [0, 1]. `minorToMajor()` of the result returns that layout
 * again, except that dimensions of size 1 may be at other positions.
 *
 * Throws INVALID_ARGUMENT if the layout does not name each dimension once or the element counts differ. Throws FAILED_PRECONDITION
 * if `source` is a strided map whose elements are not contiguous. Copies: never.
 *
 * @example
 * const buffer = tensorMap("float32", new Float32Array([1, 4, 2, 5, 3, 6]), [6]);
 * stridedMapFromLayout(buffer, [2, 3], [0, 1]).toArray(); // => [[1, 2, 3], [4, 5, 6]]
 * stridedMapFromLayout(buffer, [2, 3], [1, 0]).toArray(); // => [[1, 4, 2], [5, 3, 6]]
 * stridedMapFromLayout(buffer, [2, 3], [0, 0]); // throws INVALID_ARGUMENT
 * stridedMapFromLayout(null as never, [2, 3], [0, 1]); // throws INVALID_ARGUMENT
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
  checkMap(source);
  const sizes = checkSizes(dims, "a layout");
  checkMinorToMajor(minorToMajor, sizes.length);
  if (product(sizes) !== source.size) {
    throw new InvalidArgumentError(`[${sizes}] has ${product(sizes)} elements, the map of [${source.dimensions}] has ${source.size}`);
  }
  const dense = "isContiguous" in source ? source.toTensorMap() : source;
  if (dense === null) {
    const { description } = source as unknown as { description(): string };
    throw new FailedPreconditionError(
      `the elements of ${description.call(source)} are not contiguous, so they cannot be the buffer of a layout`,
    );
  }
  // In memory the most major dimension comes first; `permute` then puts the dimensions in logical order.
  const majorToMinor = minorToMajor.toReversed();
  const physical = dense.strided().reshapeView(majorToMinor.map((d) => sizes[d] as number)) as ConstStridedMap<DType, number>;
  return physical.permute(sizes.map((_, d) => majorToMinor.indexOf(d)));
}

/** Throws INVALID_ARGUMENT unless the value is a map, dense or strided. */
function checkMap(value: unknown): void {
  if (!isTree(value) || !isMap(value)) throw new InvalidArgumentError(`expected a map, got ${shownValue(value)}`);
}
