/**
 * tensorMap: makes a map over a typed array that the caller has (`TensorMap<Tensor<float, 2>> map(pointer, 2, 3)` in Eigen).
 */
import type { DType, RawDType, TypedArrayOf } from "@onebuffer/base";
import { arraySlots, InvalidArgumentError, isObjectDType } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { arrayOfClass, checkGeometry, memoryOwnerOf, product } from "@onebuffer/storage/internal";
import { tensorMapKind } from "./kind-table.ts";
import type { TensorMap } from "@onebuffer/expression";

/**
 * Returns a map over all elements of an array. `source` must be of the class that stores the dtype's raw elements: a Uint16Array of bit
 * patterns for float16 and bfloat16, a Uint8Array for bool, a Float32Array with alternating re and im for complex64, …; a
 * plain array for string, resource and variant. If `source` is the `data` of another map, the new map gets that map's owner.
 *
 * Throws INVALID_ARGUMENT if the array is of another class, or if the product of the sizes is not its number of elements. Copies: never.
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
  if (typeof dtype !== "string")
    throw new InvalidArgumentError(
      `tensorMap: the arguments are those of tensorMap("float32", array, [2, 3]), got ${shownValue(dtype)} first`,
    );
  const kind = tensorMapKind(dtype);
  const array = arrayOfClass(dtype, source);
  if (!isArray(dims)) throw new InvalidArgumentError(`the dimensions of a ${dtype} map must be an array, got ${shownValue(dims)}`);
  const slots = isObjectDType(dtype) ? 1 : arraySlots(dtype as RawDType);
  checkGeometry(dtype, array.length, 0, slots, slots, dims);
  const count = product(dims);
  if (count * slots !== array.length) {
    throw new InvalidArgumentError(`[${dims}] has ${count} elements of ${dtype}, the array holds ${array.length / slots}`);
  }
  return kind.general(array, 0, memoryOwnerOf(source), dims) as unknown as TensorMap<D, S["length"]>;
}
