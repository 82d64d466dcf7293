/**
 * The structural protocol for arrays in memory: `{ dtype, shape, strides?, byteOffset?, buffer }`. Any library can describe its arrays so;
 * the adapters for ndarray, zarrita and onnxruntime are special cases.
 */
import type { DType, RawDType } from "@onebuffer/base";
import { InvalidArgumentError, isDType, isObjectDType } from "@onebuffer/base";
import { byteView, checkInteger, checkObject, checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { StridedMap } from "@onebuffer/eigen";
import { bytesOfView } from "./array-memory.ts";
import { exportedArray } from "./exported-array.ts";
import type { ExportSource } from "./exported-array.ts";
import { checkedSizes, checkedStrides, mapOfForeign, rowMajorStrides, tensorOfForeign } from "./foreign-array.ts";
import type { ForeignArray } from "./foreign-array.ts";

/**
 * An array of numbers in memory, of any library.
 *
 * @example
 * const array: StridedArray = { dtype: "int16", shape: [2, 2], strides: [1, 2], byteOffset: 2, buffer: Int16Array.of(0, 1, 2, 3, 4) };
 * mapFromStridedArray(array).toArray(); // => [[1, 3], [2, 4]]
 */
export interface StridedArray {
  /** The dtype's name, as in TensorFlow and here. */
  readonly dtype: RawDType;
  readonly shape: readonly number[];
  /** The distances of neighbors, in elements. Default: row-major. */
  readonly strides?: readonly number[];
  /** The offset of the first element, in bytes from the begin of `buffer`. Default: 0. */
  readonly byteOffset?: number;
  /** The memory: a buffer, or a view of the part of one that the elements are in. */
  readonly buffer: ArrayBufferLike | ArrayBufferView<ArrayBufferLike>;
}

/**
 * Options of the functions that give a tensor or a map to another library.
 *
 * @example
 * using tensor = Tensor.from([1, 2]);
 * const options: ExportOptions = { copy: true };
 * String((toNdarray(tensor, options).data as Float32Array).buffer); // => "[object ArrayBuffer]"
 */
export interface ExportOptions {
  /**
   * True for row-major elements in an ArrayBuffer of their own. Default: false, a view. Tensors are usually in shared memory, which some
   * libraries do not take, and a view must not be used after the tensor was disposed.
   */
  readonly copy?: boolean;
}

export const kExportKeys: readonly string[] = ["copy"];

const kWhat = "the strided array";

/**
 * Returns an array's elements as a tensor: over the same memory, so that each sees the other's writes, if the elements are row-major,
 * dense and aligned; otherwise of one copy.
 *
 * Throws INVALID_ARGUMENT for a malformed description or elements outside the memory, RESOURCE_EXHAUSTED without memory for a copy.
 *
 * @example
 * const memory = Float32Array.of(1, 2, 3, 4);
 * using tensor = tensorFromStridedArray({ dtype: "float32", shape: [2, 2], buffer: memory });
 * memory[3] = 9;
 * tensor.toArray(); // => [[1, 2], [3, 9]]
 * tensorFromStridedArray({ dtype: "float32", shape: [5], buffer: memory }); // throws INVALID_ARGUMENT
 */
export function tensorFromStridedArray(array: StridedArray): Tensor {
  return tensorOfForeign(foreignOf(array));
}

/**
 * Returns a map over an array's memory. Never copies.
 *
 * Throws as `tensorFromStridedArray`, and FAILED_PRECONDITION if the elements are not aligned or a stride of 0 repeats them.
 *
 * @example
 * const memory = Float32Array.of(1, 2, 3, 4);
 * const map = mapFromStridedArray({ dtype: "float32", shape: [2], strides: [-2], byteOffset: 12, buffer: memory });
 * map.toArray(); // => [4, 2]
 * mapFromStridedArray({ dtype: "float32", shape: [2], byteOffset: 2, buffer: memory }); // throws FAILED_PRECONDITION
 */
export function mapFromStridedArray(array: StridedArray): StridedMap<DType, number> {
  return mapOfForeign(foreignOf(array));
}

/**
 * Returns a tensor or a map as a StridedArray over its memory; `copy` gives it memory of its own.
 *
 * Throws INVALID_ARGUMENT for anything else, UNIMPLEMENTED for strings, variants and resources, FAILED_PRECONDITION if the source is
 * disposed. Copies: only with `copy`.
 *
 * @example
 * using tensor = Tensor.from([[1, 2], [3, 4]]);
 * const { dtype, shape, strides } = toStridedArray(tensor.matrix().strided().transpose());
 * [dtype, shape, strides]; // => ["float32", [2, 2], [1, 2]]
 */
export function toStridedArray(source: ExportSource, options: ExportOptions = {}): Required<StridedArray> {
  checkOptions("toStridedArray", options, kExportKeys);
  const { dtype, data, sizes, strides, offset } = exportedArray(source, "toStridedArray", options.copy);
  return { dtype, shape: sizes, strides, byteOffset: (offset * data.byteLength) / Math.max(1, elementsIn(data, dtype)), buffer: data };
}

function elementsIn(data: { readonly length: number }, dtype: RawDType): number {
  return dtype === "complex64" || dtype === "complex128" ? data.length / 2 : data.length;
}

function foreignOf(array: StridedArray): ForeignArray {
  checkObject(array, kWhat);
  const { dtype, shape, strides, byteOffset = 0, buffer } = array;
  if (!isDType(dtype) || isObjectDType(dtype)) throw new InvalidArgumentError(`${kWhat}: ${shownValue(dtype)} is no dtype of numbers`);
  const sizes = checkedSizes(shape, kWhat);
  checkInteger(byteOffset, `${kWhat}'s byteOffset`);
  return {
    what: kWhat,
    dtype: dtype as RawDType,
    memory: ArrayBuffer.isView(buffer) ? bytesOfView(buffer) : byteView(buffer),
    byteOffset,
    sizes,
    strides: strides === undefined ? rowMajorStrides(sizes) : checkedStrides(strides, sizes, kWhat),
  };
}
