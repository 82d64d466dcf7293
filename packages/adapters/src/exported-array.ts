/** ExportedArray: a tensor or a map as another library may view it: a typed array, sizes, strides and an offset. */
import type { DType, RawDType } from "@onebuffer/base";
import {
  arraySlots,
  dtypeSize,
  FailedPreconditionError,
  InvalidArgumentError,
  isObjectDType,
  typedArrayConstructor,
  UnimplementedError,
} from "@onebuffer/base";
import { countCopied } from "@onebuffer/allocator/internal";
import { shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { tensorOf } from "@onebuffer/core";
import type { ConstStridedMap, ConstTensorMap } from "@onebuffer/eigen";
import { withHiddenOwner } from "@onebuffer/storage/internal";
import { isTensor } from "@onebuffer/core/internal";
import { rowMajorStrides } from "./foreign-array.ts";

/**
 * What can be given to another library: a tensor, or a map.
 *
 * @example
 * using tensor = Tensor.from([[1, 2], [3, 4]]);
 * const sources: readonly ExportSource[] = [tensor, tensor.matrix(), tensor.matrix().strided("::-1")];
 * sources.map((source) => toNdarray(source).offset); // => [0, 0, 2]
 */
export type ExportSource = Tensor | ConstTensorMap<DType, number> | ConstStridedMap<DType, number>;

/** A tensor or map in memory. */
export interface ExportedArray {
  readonly dtype: RawDType;
  /** Exactly the memory from the first to the last element. */
  readonly data: ArrayBufferView<ArrayBufferLike> & { readonly length: number };
  readonly sizes: number[];
  /** In elements. */
  readonly strides: number[];
  /** The index of element (0, …) in `data`, in elements. */
  readonly offset: number;
}

/** The location of a map's elements, as maps have it for this library. */
interface Places {
  readonly buffer: ArrayBufferLike;
  readonly byteOffset: number;
  readonly dims: readonly number[];
  readonly strides: readonly number[];
}

interface PlacedMap {
  readonly dtype: DType;
  readonly owner: Parameters<typeof withHiddenOwner>[1];
  rawPlaces(): Places | null;
}

/**
 * Returns a tensor or map as a typed array with strides; with `copy` in memory of its own, row-major.
 *
 * Throws INVALID_ARGUMENT if `source` is neither, UNIMPLEMENTED for elements that are not numbers, FAILED_PRECONDITION if the source is
 * disposed or its elements are not aligned.
 */
export function exportedArray(source: ExportSource, what: string, copy: boolean = false): ExportedArray {
  const map = isTensor(source) ? (source.flat() as unknown as PlacedMap) : (source as unknown as PlacedMap);
  if (typeof (map as Partial<PlacedMap> | null)?.rawPlaces !== "function")
    throw new InvalidArgumentError(`${what}: expected a tensor or a map, got ${shownValue(source)}`);
  const { dtype } = map;
  if (isObjectDType(dtype)) throw new UnimplementedError(`${what}: elements of ${dtype} are not numbers`);
  if (copy) return copiedArray(source, dtype as RawDType);
  const places = map.rawPlaces()!;
  const sizes = isTensor(source) ? [...source.shape.dimSizes] : [...places.dims];
  const strides = isTensor(source) ? rowMajorStrides(sizes) : [...places.strides];
  return overMemory(dtype as RawDType, places, sizes, strides, map, what);
}

/** Returns the elements in row-major order, without gaps: over their memory if they are so there, of a copy otherwise and if it is asked for. */
export function denseArray(source: ExportSource, what: string, copy: boolean): ExportedArray {
  const array = exportedArray(source, what, copy);
  const dense = rowMajorStrides(array.sizes);
  return array.sizes.every((size, d) => size === 1 || array.strides[d] === dense[d]) ? array : exportedArray(source, what, true);
}

function overMemory(dtype: RawDType, places: Places, sizes: number[], strides: number[], map: PlacedMap, what: string): ExportedArray {
  const make = typedArrayConstructor(dtype);
  const size = dtypeSize(dtype);
  if (sizes.includes(0)) return { dtype, data: new make(0), sizes, strides: rowMajorStrides(sizes), offset: 0 };
  let low = 0;
  let high = 0;
  sizes.forEach((each, d) => {
    // The stride of a size of 1 has no meaning; other libraries expect a sensible one.
    if (each === 1) strides[d] = 1;
    const reach = (each - 1) * strides[d]!;
    if (reach < 0) low += reach;
    else high += reach;
  });
  const from = places.byteOffset + low * size;
  if (from % make.BYTES_PER_ELEMENT !== 0)
    throw new FailedPreconditionError(`${what}: the ${dtype} elements are not aligned in memory; give { copy: true }`);
  const data = new make(places.buffer, from, (high - low + 1) * arraySlots(dtype));
  return { dtype, data: withHiddenOwner(data, map.owner), sizes, strides, offset: 0 - low };
}

/** Returns the elements in an ArrayBuffer of their own. */
function copiedArray(source: ExportSource, dtype: RawDType): ExportedArray {
  using tensor = isTensor(source) ? source.share() : tensorOf(source as ConstStridedMap<DType, number>);
  const sizes = [...tensor.shape.dimSizes];
  const data = new (typedArrayConstructor(dtype))(tensor.numElements * arraySlots(dtype));
  const { byteOffset, byteLength, buffer } = data as ArrayBufferView;
  if (byteLength > 0) new Uint8Array(buffer, byteOffset, byteLength).set(tensor.tensorData);
  countCopied(byteLength);
  return { dtype, data, sizes, strides: rowMajorStrides(sizes), offset: 0 };
}
