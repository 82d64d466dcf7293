/**
 * unalignedTensorMap: a map over bytes at any offset (TTypes<T>::UnalignedTensor in TensorFlow, the return type of Tensor::unaligned_flat
 * and unaligned_shaped).
 *
 * A typed array can only start at a multiple of its element size, but slices of tensors and fields of files often start elsewhere. An
 * unaligned map has the same interface as other maps and reads through a DataView, which is about ten times slower.
 */
import type { RawDType } from "@onebuffer/base";
import { checkArray, shownValue } from "@onebuffer/base/internal";
import { elementCodec, InvalidArgumentError } from "@onebuffer/base";
import { Bytewise, checkGeometry, kUnowned, product } from "@onebuffer/storage/internal";
import { makeUnaligned } from "./generated/unaligned.ts";
import { makeDense } from "./base/make-map.ts";
import type { MapKind } from "./base/map-kind.ts";
import type { MemoryOwner } from "@onebuffer/storage";
import type { TensorMap } from "@onebuffer/expression";

const kinds = new Map<RawDType, MapKind>();

/** Returns the storage kind of the unaligned maps of a dtype. The first call makes its classes. */
function unalignedKind(dtype: RawDType): MapKind {
  const made = kinds.get(dtype) ?? makeUnaligned(dtype);
  kinds.set(dtype, made);
  return made;
}

/**
 * Returns a map of sizes `dims` over little-endian elements that start at byte `byteOffset` of an ArrayBuffer or SharedArrayBuffer.
 * Copies: never. The `data` of the map throws FAILED_PRECONDITION if the offset is not a multiple of the element size.
 *
 * Throws INVALID_ARGUMENT if the dtype is an object dtype, if `buffer` is not an ArrayBuffer or SharedArrayBuffer, and if the offset or
 * a size is not a non-negative integer or the elements do not fit the buffer.
 *
 * @example
 * const map = unalignedTensorMap("float32", new ArrayBuffer(11), 3, kUnowned, [2]);
 * map.set(1, 0.5);
 * map.toArray(); // => [0, 0.5]
 * map.data; // throws FAILED_PRECONDITION
 * unalignedTensorMap("float32", new ArrayBuffer(11), 4, kUnowned, [2]); // throws INVALID_ARGUMENT
 */
export function unalignedTensorMap<D extends RawDType, const S extends readonly number[]>(
  dtype: D,
  buffer: ArrayBufferLike,
  byteOffset: number,
  owner: MemoryOwner,
  dims: S,
): TensorMap<D, S["length"]> {
  const { bytes } = elementCodec(dtype);
  if (!/^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(buffer))) {
    throw new InvalidArgumentError(
      `the memory of an unaligned ${dtype} map must be an ArrayBuffer or SharedArrayBuffer, got ${shownValue(buffer)}`,
    );
  }
  checkArray(dims, "an array of dimensions");
  checkGeometry(dtype, buffer.byteLength, byteOffset, 1, bytes, dims);
  const length = product(dims) * bytes;
  // A view over a detached buffer cannot be made. A map without elements needs no bytes of it, so it gets an empty buffer.
  const memory = length === 0 ? new ArrayBuffer(0) : buffer;
  const start = length === 0 ? 0 : byteOffset;
  const array = new Uint8Array(memory, start, length);
  const source = { kind: unalignedKind(dtype), array, owner: owner ?? kUnowned, extra: new Bytewise<D>(dtype, memory, start, length) };
  return makeDense(source, 0, dims, true) as unknown as TensorMap<D, S["length"]>;
}
