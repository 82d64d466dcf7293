/**
 * The typed array that holds the raw elements of a dtype (the counterpart of EnumToDataType<…>::Type in C++).
 *
 *   float16, bfloat16   Uint16Array   the bit pattern
 *   float8_*            Uint8Array    the bit pattern
 *   float4_e2m1fn       Uint8Array    one bit pattern per byte
 *   bool                Uint8Array    0 or 1
 *   int4, int2          Int8Array     one sign-extended value per byte
 *   uint4, uint2        Uint8Array    one value per byte
 *   complex64           Float32Array  two slots per element: re, im
 *   complex128          Float64Array  two slots per element: re, im
 *
 * The object dtypes (string, resource, variant) have no typed array: their elements live in a plain array.
 */

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

type Constructors = { readonly [D in RawDType]: TypedArrayConstructor<TypedArrayOf<D>> };

/** Has no prototype, so that a lookup finds only dtypes and no inherited names. */
const kConstructors: Constructors = Object.assign(Object.create(null) as object, {
  float32: Float32Array,
  float64: Float64Array,
  int32: Int32Array,
  uint8: Uint8Array,
  int16: Int16Array,
  int8: Int8Array,
  complex64: Float32Array,
  int64: BigInt64Array,
  bool: Uint8Array,
  qint8: Int8Array,
  quint8: Uint8Array,
  qint32: Int32Array,
  bfloat16: Uint16Array,
  qint16: Int16Array,
  quint16: Uint16Array,
  uint16: Uint16Array,
  complex128: Float64Array,
  float16: Uint16Array,
  uint32: Uint32Array,
  uint64: BigUint64Array,
  float8_e5m2: Uint8Array,
  float8_e4m3fn: Uint8Array,
  float8_e4m3fnuz: Uint8Array,
  float8_e4m3b11fnuz: Uint8Array,
  float8_e5m2fnuz: Uint8Array,
  int4: Int8Array,
  uint4: Uint8Array,
  int2: Int8Array,
  uint2: Uint8Array,
  float4_e2m1fn: Uint8Array,
});

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
  const constructor = (typeof dtype === "string" ? kConstructors[dtype] : undefined) as TypedArrayConstructor<TypedArrayOf<D>> | undefined;
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
  return dtype === "complex64" || dtype === "complex128" ? 2 : 1;
}
