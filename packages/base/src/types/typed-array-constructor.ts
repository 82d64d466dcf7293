/**
 * The typed array that holds the raw elements of a dtype (the counterpart of EnumToDataType<…>::Type in C++).
 *
 *   float16, bfloat16   Uint16Array   the bit pattern
 *   float8_*, float4_*  Uint8Array    one bit pattern per byte
 *   bool                Uint8Array    0 or 1
 *   int4, int2          Int8Array     one sign-extended value per byte
 *   uint4, uint2        Uint8Array    one value per byte
 *   complex64           Float32Array  two slots per element: re, im
 *   complex128          Float64Array  two slots per element: re, im
 *
 * The object dtypes (string, resource, variant) have no typed array: their elements live in a plain array.
 */

import { dtypeRows, dtypesOfClass } from "./dtype-table.ts";
import type { RawDType, TypedArrayOf } from "./dtype.ts";
import { shownValue } from "../status/shown-value.ts";
import { InvalidArgumentError } from "../status/status-error.ts";

/**
 * The constructor of the typed array `A`, with the members that tensors use.
 *
 * @example
 * const make: TypedArrayConstructor<Int32Array<ArrayBufferLike>> = Int32Array;
 * new make(3).length; // => 3
 */
export interface TypedArrayConstructor<A> {
  readonly BYTES_PER_ELEMENT: number;
  new (length: number): A;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): A;
}

/** The typed array classes by their names. */
const kClasses = {
  Int8Array,
  Uint8Array,
  Int16Array,
  Uint16Array,
  Int32Array,
  Uint32Array,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
};

/** The classes by dtype. A Map, so that a lookup finds only dtypes and no inherited names. */
const kConstructors: ReadonlyMap<unknown, unknown> = new Map(
  Object.entries(dtypeRows).flatMap(([dtype, { array }]) => (array === null ? [] : [[dtype, kClasses[array]]])),
);

/** The dtypes whose elements take two slots. A Set, as above. */
const kPairs: ReadonlySet<unknown> = new Set(dtypesOfClass("complex"));

/**
 * Returns the typed array class that holds raw elements of a dtype. For complex64 and complex128 it has two slots per
 * element (see `arraySlots`).
 *
 * Throws INVALID_ARGUMENT if `dtype` is an object dtype or not a dtype.
 *
 * @example
 * typedArrayConstructor("float16"); // => Uint16Array
 * new (typedArrayConstructor("complex64"))(2 * arraySlots("complex64")).byteLength; // => 16
 * typedArrayConstructor("string" as RawDType); // throws INVALID_ARGUMENT
 */
export function typedArrayConstructor<D extends RawDType>(dtype: D): TypedArrayConstructor<TypedArrayOf<D>> {
  const constructor = kConstructors.get(dtype) as TypedArrayConstructor<TypedArrayOf<D>> | undefined;
  if (constructor === undefined) throw new InvalidArgumentError(`No typed array holds elements of dtype ${shownValue(dtype)}`);
  return constructor;
}

/**
 * Returns the number of typed-array slots of one element: 2 for complex64 and complex128 (re, im), otherwise 1.
 *
 * @example
 * arraySlots("complex128"); // => 2
 * arraySlots("float32"); // => 1
 */
export function arraySlots(dtype: RawDType): 1 | 2 {
  return kPairs.has(dtype) ? 2 : 1;
}
