/**
 * tensorMap: a map over a typed array the caller already has (`TensorMap<Tensor<float, 2>> map(pointer, 2, 3)` in
 * Eigen).
 */
import type { DType, RawDType, TypedArrayOf } from "@onebuffer/base";
import { arraySlots, InvalidArgumentError, isArray, isObjectDType, shownValue } from "@onebuffer/base";
import { arrayOfClass } from "../memory/array-class.ts";
import { tensorMapKind } from "./kind-table.ts";
import { checkGeometry, product } from "../geometry/map-geometry.ts";
import { memoryOwnerOf } from "../memory/memory-owner.ts";
import type { TensorMap } from "../expression/tree/tensor-map.ts";

/**
 * A map of all elements of an array. `source` is of the class that holds the dtype's raw elements: Uint16Array of bit
 * patterns for float16 and bfloat16, Uint8Array for bool, Float32Array with re and im in turn for complex64, …; a
 * plain array for string, resource and variant. An array that came out of another map keeps that map's owner.
 *
 * Throws INVALID_ARGUMENT if the array is of another class or the sizes do not multiply to its length. Copies: never.
 *
 * @example
 * const memory = new Float32Array([1, 2, 3, 4, 5, 6]);
 * const map = tensorMap("float32", memory, [2, 3]);
 * map.set(0, 2, 9);
 * memory[2]; // => 9
 * tensorMap("float32", memory, [2, 2]); // throws INVALID_ARGUMENT
 */
export function tensorMap<D extends DType, const S extends readonly number[]>(
  dtype: D,
  source: TypedArrayOf<D>,
  dims: S,
): TensorMap<D, S["length"]> {
  const kind = tensorMapKind(dtype);
  const array = arrayOfClass(dtype, source);
  if (!isArray(dims)) throw new InvalidArgumentError(`the dimensions of a ${dtype} map come as an array, got ${shownValue(dims)}`);
  const slots = isObjectDType(dtype) ? 1 : arraySlots(dtype as RawDType);
  checkGeometry(dtype, array.length, 0, slots, slots, dims);
  const count = product(dims);
  if (count * slots !== array.length) {
    throw new InvalidArgumentError(`[${dims}] has ${count} elements of ${dtype}, the array holds ${array.length / slots}`);
  }
  return kind.general(array, 0, memoryOwnerOf(source), dims) as unknown as TensorMap<D, S["length"]>;
}
