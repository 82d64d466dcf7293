/**
 * Chunks of zarrita: https://github.com/manzt/zarrita.js. `zarr.get(array, selection)` and `array.getChunk(index)` give an object with
 * `data`, `shape` and `stride`, and `zarr.set` takes one; strides count elements.
 */
import type { DType } from "@onebuffer/base";
import { FailedPreconditionError, InvalidArgumentError, UnimplementedError } from "@onebuffer/base";
import { checkObject, checkOptions, isArray } from "@onebuffer/base/internal";
import { Tensor } from "@onebuffer/core";
import type { StridedMap } from "@onebuffer/eigen";
import { product } from "@onebuffer/storage/internal";
import { elementMemory } from "./array-memory.ts";
import { exportedArray } from "./exported-array.ts";
import type { ExportSource } from "./exported-array.ts";
import { checkedSizes, checkedStrides, mapOfForeign, tensorOfForeign } from "./foreign-array.ts";
import type { ForeignArray } from "./foreign-array.ts";
import { kImportKeys } from "./ndarray.ts";
import type { ImportOptions } from "./ndarray.ts";
import type { ExportOptions } from "./strided-array.ts";
import { kExportKeys } from "./strided-array.ts";

/**
 * A chunk of a Zarr array.
 *
 * @example
 * const chunk: ZarrChunkLike = { data: Int16Array.of(1, 2, 3, 4), shape: [2, 2], stride: [2, 1] };
 * using tensor = tensorFromZarrChunk(chunk);
 * tensor.toArray(); // => [[1, 2], [3, 4]]
 */
export interface ZarrChunkLike {
  /** A typed array, or zarrita's BoolArray. */
  readonly data: unknown;
  readonly shape: readonly number[];
  readonly stride: readonly number[];
}

const kWhat = "the chunk";

/** The dtypes of Zarr whose arrays are typed arrays. */
const kDTypes: readonly DType[] = [
  "int8",
  "int16",
  "int32",
  "int64",
  "uint8",
  "uint16",
  "uint32",
  "uint64",
  "float16",
  "float32",
  "float64",
  "bool",
];

/**
 * Returns a chunk's elements as a tensor: over the same memory if they are row-major and dense, otherwise of one copy. Texts are copied
 * into a string tensor.
 *
 * Throws INVALID_ARGUMENT if the object is no chunk, has elements outside its data or more than 2^24 texts, RESOURCE_EXHAUSTED without
 * memory for a copy.
 *
 * @example
 * using columns = tensorFromZarrChunk({ data: Float32Array.of(1, 2, 3, 4), shape: [2, 2], stride: [1, 2] });
 * columns.toArray(); // => [[1, 3], [2, 4]]
 * tensorFromZarrChunk({ data: Float32Array.of(1, 2), shape: [3], stride: [1] }); // throws INVALID_ARGUMENT
 */
export function tensorFromZarrChunk(chunk: ZarrChunkLike, options: ImportOptions = {}): Tensor {
  checkObject(chunk, kWhat);
  if (isArray(chunk.data)) return textsOf(chunk, chunk.data);
  return tensorOfForeign(foreignOf(chunk, options, "tensorFromZarrChunk"));
}

/**
 * Returns a map over a chunk's memory, so that each sees the other's writes. Never copies.
 *
 * Throws as `tensorFromZarrChunk`, also for texts, and FAILED_PRECONDITION if a stride of 0 repeats elements.
 *
 * @example
 * mapFromZarrChunk({ data: Int8Array.of(1, 2, 3, 4), shape: [2, 2], stride: [1, 2] }).toArray(); // => [[1, 3], [2, 4]]
 */
export function mapFromZarrChunk(chunk: ZarrChunkLike, options: ImportOptions = {}): StridedMap<DType, number> {
  checkObject(chunk, kWhat);
  return mapOfForeign(foreignOf(chunk, options, "mapFromZarrChunk"));
}

/**
 * Returns a tensor or a map as a chunk for `zarr.set`, over its memory unless `copy` is true. Bools become a Uint8Array.
 *
 * Throws UNIMPLEMENTED for a dtype that Zarr lacks, FAILED_PRECONDITION for a negative stride, because a chunk has no offset; otherwise as
 * `toStridedArray`.
 *
 * @example
 * using tensor = Tensor.from([[1, 2], [3, 4]]);
 * const { data, shape, stride } = toZarrChunk(tensor.matrix().strided().transpose());
 * [[...(data as Float32Array)], shape, stride]; // => [[1, 2, 3, 4], [2, 2], [1, 2]]
 * toZarrChunk(tensor.matrix().strided().reverse()); // throws FAILED_PRECONDITION
 */
export function toZarrChunk(source: ExportSource, options: ExportOptions = {}): ZarrChunkLike {
  checkOptions("toZarrChunk", options, kExportKeys);
  const { dtype, data, sizes, strides, offset } = exportedArray(source, "toZarrChunk", options.copy);
  if (!kDTypes.includes(dtype)) throw new UnimplementedError(`toZarrChunk: Zarr has no ${dtype}; cast to one of ${kDTypes.join(", ")}`);
  if (offset !== 0)
    throw new FailedPreconditionError(
      `toZarrChunk: a chunk has no offset, so its strides cannot be negative, got [${strides}]; give { copy: true }`,
    );
  return { data, shape: sizes, stride: strides };
}

function foreignOf(chunk: ZarrChunkLike, options: ImportOptions, call: string): ForeignArray {
  checkOptions(call, options, kImportKeys);
  const sizes = checkedSizes(chunk.shape, kWhat);
  const strides = checkedStrides(chunk.stride, sizes, kWhat);
  return { what: kWhat, ...elementMemory(chunk.data, options.dtype, kWhat), byteOffset: 0, sizes, strides };
}

/** The most texts of a chunk. */
const kMaxTexts = 2 ** 24;

/** Returns a string tensor of texts, which are moved into row-major order. */
function textsOf(chunk: ZarrChunkLike, texts: readonly unknown[]): Tensor {
  const sizes = checkedSizes(chunk.shape, kWhat);
  const strides = checkedStrides(chunk.stride, sizes, kWhat);
  const count = product(sizes);
  if (Math.max(count, texts.length) > kMaxTexts) {
    throw new InvalidArgumentError(`${kWhat} has ${count} elements in ${texts.length} texts: more than ${kMaxTexts}`);
  }
  // The places of the elements: an int32 map of 0, 1, 2, … with the chunk's strides, which also checks them.
  using places = tensorOfForeign({
    what: kWhat,
    dtype: "int32",
    memory: new Uint8Array(new Int32Array(texts.length).map((_, i) => i).buffer),
    byteOffset: 0,
    sizes,
    strides,
  });
  const ordered = Array.from(places.tensorData.length === 0 ? [] : (places as Tensor<"int32">).flat(), (place) => texts[place]);
  return Tensor.from(ordered as string[], { dtype: "string", shape: sizes });
}
