/**
 * dense-array: typed arrays over dense elements, for the plain loops of this folder, and addresses of them, for its kernels.
 */
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, typedArrayConstructor } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { isRowMajor, product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";

/**
 * Returns a typed array over the elements, without copying. Returns null if the elements are not dense in row-major order, or if
 * their address is not a multiple of the array's element size.
 */
export function denseArray({ buffer, byteOffset, dims, strides }: RawPlaces, dtype: DType): TypedArray | null {
  if (!isRowMajor({ offset: 0, dims, strides })) return null;
  const constructor = typedArrayConstructor(dtype as RawDType);
  if (byteOffset % constructor.BYTES_PER_ELEMENT !== 0) return null;
  return new constructor(buffer, byteOffset, product(dims) * arraySlots(dtype as RawDType));
}

/** Returns the address of dense elements in the linear memory; null if the elements are not dense or are elsewhere. */
export function denseAddress({ buffer, byteOffset, dims, strides }: RawPlaces): number | null {
  const isInside = linearMemory().isConstructed && buffer === linearMemory().buffer;
  return isInside && isRowMajor({ offset: 0, dims, strides }) ? byteOffset : null;
}

/** A typed array of 64-bit integers. */
export type Bigs = BigInt64Array<ArrayBufferLike>;
