/**
 * unalignedTensorMap: maps over bytes at any offset (TTypes<T>::UnalignedTensor, what Tensor::unaligned_flat and
 * unaligned_shaped return).
 *
 * A typed array starts only at multiples of its element size; slices of tensors and fields of files often do
 * not. Such a map reads and writes byte by byte, some ten times slower, through the same interface.
 */
import type { RawDType } from "@onebuffer/base";
import { checkArray, elementCodec, InvalidArgumentError, shownValue } from "@onebuffer/base";
import { Bytewise } from "../memory/bytewise.ts";
import { kindUnaligned } from "./generated/unaligned.ts";
import { makeDense } from "./base/make-map.ts";
import { checkGeometry, product } from "../geometry/map-geometry.ts";
import { kUnowned } from "../memory/memory-owner.ts";
import type { MemoryOwner } from "../memory/memory-owner.ts";
import type { TensorMap } from "../expression/tree/tensor-map.ts";

/**
 * A map of `dims` elements that start at byte `byteOffset` of an ArrayBuffer or SharedArrayBuffer, little-endian.
 * Copies: never. Its `data` throws FAILED_PRECONDITION naming the offset unless that happens to be aligned.
 *
 * Throws INVALID_ARGUMENT for an object dtype, for memory that is no buffer, and when offset and sizes are not
 * non-negative integers or do not fit the buffer.
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
  // A view over a detached buffer cannot be made, and a map without elements needs none of it.
  const memory = length === 0 ? new ArrayBuffer(0) : buffer;
  const start = length === 0 ? 0 : byteOffset;
  const array = new Uint8Array(memory, start, length);
  const source = { kind: kindUnaligned, array, owner: owner ?? kUnowned, carried: new Bytewise<D>(dtype, memory, start, length) };
  return makeDense(source, 0, dims, true) as unknown as TensorMap<D, S["length"]>;
}
