/**
 * dense-array: elements that lie side by side, as the typed array of their dtype: what plain loops run over.
 */
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { isRowMajor } from "../../geometry/strided-geometry.ts";

/** The elements as an array; null where they do not lie side by side, or begin between two elements of an array. */
export function denseArray({ buffer, byteOffset, dims, strides }: RawPlaces, dtype: DType): TypedArray | null {
  if (!isRowMajor({ offset: 0, dims, strides })) return null;
  const constructor = typedArrayConstructor(dtype as RawDType);
  if (byteOffset % constructor.BYTES_PER_ELEMENT !== 0) return null;
  return new constructor(buffer, byteOffset, product(dims) * arraySlots(dtype as RawDType));
}

/** Numbers, whatever the array: loops are the same for all of them. */
export type Numbers = Float64Array<ArrayBufferLike>;
/** 64-bit integers. */
export type Bigs = BigInt64Array<ArrayBufferLike>;
