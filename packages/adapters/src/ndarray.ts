/** Arrays of scijs: https://github.com/scijs/ndarray. An object with `data`, `shape`, `stride` and `offset`; strides count elements. */
import type { DType, RawDType } from "@onebuffer/base";
import { dtypeSize, UnimplementedError } from "@onebuffer/base";
import { checkInteger, checkObject, checkOptions } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { StridedMap } from "@onebuffer/eigen";
import { elementMemory } from "./array-memory.ts";
import { exportedArray } from "./exported-array.ts";
import type { ExportSource } from "./exported-array.ts";
import { checkedSizes, checkedStrides, mapOfForeign, tensorOfForeign } from "./foreign-array.ts";
import type { ForeignArray } from "./foreign-array.ts";
import type { ExportOptions } from "./strided-array.ts";
import { kExportKeys } from "./strided-array.ts";

/**
 * The part of an ndarray that the adapters need. `ndarray(data, shape, stride, offset)` makes one of these four.
 *
 * @example
 * const array: NdarrayLike = { data: Float64Array.of(1, 2, 3, 4), shape: [2, 2], stride: [1, 2], offset: 0, dtype: "float64" };
 * mapFromNdarray(array).toArray(); // => [[1, 3], [2, 4]]
 */
export interface NdarrayLike {
  /** A typed array. An ndarray over a plain array or over an object with `get` and `set` cannot be viewed. */
  readonly data: unknown;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
  readonly offset: number;
  /** The name of the class of `data`, for information. */
  readonly dtype?: string;
}

/**
 * Options of the functions that take the arrays of libraries with fewer dtypes.
 *
 * @example
 * const options: ImportOptions = { dtype: "bool" };
 * using tensor = tensorFromNdarray({ data: Uint8Array.of(1, 0), shape: [2], stride: [1], offset: 0 }, options);
 * tensor.toArray(); // => [true, false]
 */
export interface ImportOptions {
  /** The dtype of the elements, where it is not that of the array's class: "bool" of a Uint8Array, "bfloat16" of a Uint16Array. */
  readonly dtype?: RawDType;
}

export const kImportKeys: readonly string[] = ["dtype"];

/** scijs's names of dtypes. */
const kNames: Readonly<Partial<Record<DType, string>>> = {
  int8: "int8",
  int16: "int16",
  int32: "int32",
  int64: "bigint64",
  uint8: "uint8",
  uint16: "uint16",
  uint32: "uint32",
  uint64: "biguint64",
  float32: "float32",
  float64: "float64",
  bool: "uint8",
};

/**
 * Returns an ndarray's elements as a tensor: over the same memory if they are row-major and dense, otherwise of one copy.
 *
 * Throws INVALID_ARGUMENT if the object is no ndarray over a typed array or has elements outside its data, RESOURCE_EXHAUSTED without
 * memory for a copy.
 *
 * @example
 * using tensor = tensorFromNdarray({ data: Int32Array.of(1, 2, 3, 4), shape: [2, 2], stride: [1, 2], offset: 0 });
 * tensor.toArray(); // => [[1, 3], [2, 4]]
 * tensorFromNdarray({ data: [1, 2], shape: [2], stride: [1], offset: 0 }); // throws INVALID_ARGUMENT
 */
export function tensorFromNdarray(array: NdarrayLike, options: ImportOptions = {}): Tensor {
  return tensorOfForeign(foreignOf(array, options, "tensorFromNdarray"));
}

/**
 * Returns a map over an ndarray's memory, so that each sees the other's writes. Never copies.
 *
 * Throws as `tensorFromNdarray`, and FAILED_PRECONDITION if a stride of 0 repeats elements.
 *
 * @example
 * const data = Float32Array.of(1, 2, 3);
 * mapFromNdarray({ data, shape: [3], stride: [-1], offset: 2 }).fill(7);
 * data; // => Float32Array.of(7, 7, 7)
 */
export function mapFromNdarray(array: NdarrayLike, options: ImportOptions = {}): StridedMap<DType, number> {
  return mapOfForeign(foreignOf(array, options, "mapFromNdarray"));
}

/**
 * Returns a tensor or a map in the form of an ndarray, over its memory unless `copy` is true. For an object with ndarray's methods give the
 * parts to its constructor: `ndarray(data, shape, stride, offset)`. Bools become uint8.
 *
 * Throws UNIMPLEMENTED for a dtype that ndarray lacks, such as float16 and complex64, otherwise as `toStridedArray`.
 *
 * @example
 * using tensor = Tensor.from([[1, 2], [3, 4]]);
 * const { shape, stride, offset, dtype } = toNdarray(tensor.matrix().strided().reverse([0]));
 * [shape, stride, offset, dtype]; // => [[2, 2], [-2, 1], 2, "float32"]
 * using half = Tensor.evaluate(tensor.matrix().cast("float16"));
 * toNdarray(half); // throws UNIMPLEMENTED
 */
export function toNdarray(source: ExportSource, options: ExportOptions = {}): Required<NdarrayLike> {
  checkOptions("toNdarray", options, kExportKeys);
  const { dtype, data, sizes, strides, offset } = exportedArray(source, "toNdarray", options.copy);
  const name = kNames[dtype];
  if (name === undefined) {
    const names = Object.keys(kNames).join(", ");
    throw new UnimplementedError(`toNdarray: ndarray has no ${dtype}; cast to one of ${names}`);
  }
  return { data, shape: sizes, stride: strides, offset, dtype: name };
}

function foreignOf(array: NdarrayLike, options: ImportOptions, call: string): ForeignArray {
  const what = "the ndarray";
  checkObject(array, what);
  checkOptions(call, options, kImportKeys);
  const { dtype, memory } = elementMemory(array.data, options.dtype, what);
  const sizes = checkedSizes(array.shape, what);
  checkInteger(array.offset, `${what}'s offset`);
  return {
    what,
    dtype,
    memory,
    byteOffset: array.offset * dtypeSize(dtype),
    sizes,
    strides: checkedStrides(array.stride, sizes, what),
  };
}
