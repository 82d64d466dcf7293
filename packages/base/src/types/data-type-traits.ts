/**
 * What kind of type a DataType is: TensorFlow's sets kDataTypeIsFloating, kDataTypeIsInteger, … and the predicates
 * over them (tensorflow/core/framework/types.h).
 *
 * One bit field per number. The sets hold base types only: a reference type is in none of them, and a number
 * TensorFlow does not have answers false everywhere.
 */

import { DataType } from "./data-type.ts";
import { allDTypes, dataTypeOf } from "./dtype-data-type.ts";
import type { DType, ObjectDType, RawDType } from "./dtype.ts";

const FLOATING = 1;
const COMPLEX = 2;
const QUANTIZED = 4;
const SIGNED = 8;
const UNSIGNED = 16;
const NUMERIC = 32;
const MEMCPY = 64;

/** The sets of each dtype. */
const TRAITS_OF: Readonly<Record<DType, number>> = {
  float32: FLOATING | NUMERIC | MEMCPY,
  float64: FLOATING | NUMERIC | MEMCPY,
  int32: SIGNED | NUMERIC | MEMCPY,
  uint8: UNSIGNED | NUMERIC | MEMCPY,
  int16: SIGNED | NUMERIC | MEMCPY,
  int8: SIGNED | NUMERIC | MEMCPY,
  string: 0,
  complex64: COMPLEX | NUMERIC | MEMCPY,
  int64: SIGNED | NUMERIC | MEMCPY,
  bool: MEMCPY,
  qint8: QUANTIZED | NUMERIC | MEMCPY,
  quint8: QUANTIZED | NUMERIC | MEMCPY,
  qint32: QUANTIZED | NUMERIC | MEMCPY,
  bfloat16: FLOATING | NUMERIC | MEMCPY,
  qint16: QUANTIZED | NUMERIC | MEMCPY,
  quint16: QUANTIZED | NUMERIC | MEMCPY,
  uint16: UNSIGNED | NUMERIC | MEMCPY,
  complex128: COMPLEX | NUMERIC | MEMCPY,
  float16: FLOATING | NUMERIC | MEMCPY,
  resource: 0,
  variant: 0,
  uint32: UNSIGNED | NUMERIC | MEMCPY,
  uint64: UNSIGNED | NUMERIC | MEMCPY,
  float8_e5m2: FLOATING | MEMCPY,
  float8_e4m3fn: FLOATING | MEMCPY,
  float8_e4m3fnuz: FLOATING | MEMCPY,
  float8_e4m3b11fnuz: FLOATING | MEMCPY,
  float8_e5m2fnuz: FLOATING | MEMCPY,
  int4: SIGNED | MEMCPY,
  uint4: UNSIGNED | MEMCPY,
  int2: SIGNED | MEMCPY,
  uint2: UNSIGNED | MEMCPY,
  float4_e2m1fn: FLOATING | MEMCPY,
};

/** The same by DataType number; slot 0 is DT_INVALID's. */
const TRAITS: readonly number[] = [0, ...allDTypes.map((dtype) => TRAITS_OF[dtype])];

/**
 * kDataTypeIsFloating: half, bfloat16, float, double, the five float8 kinds and float4.
 *
 * @example
 * dataTypeIsFloating(DataType.DT_BFLOAT16); // => true
 * dataTypeIsFloating(DataType.DT_COMPLEX64); // => false
 */
export function dataTypeIsFloating(dataType: number): boolean {
  return has(dataType, FLOATING);
}

/**
 * kDataTypeIsComplex: complex64 and complex128.
 *
 * @example
 * dataTypeIsComplex(DataType.DT_COMPLEX64); // => true
 */
export function dataTypeIsComplex(dataType: number): boolean {
  return has(dataType, COMPLEX);
}

/**
 * kDataTypeIsQuantized: qint8, quint8, qint16, quint16, qint32.
 *
 * @example
 * dataTypeIsQuantized(DataType.DT_QINT8); // => true
 * dataTypeIsQuantized(DataType.DT_INT8); // => false
 */
export function dataTypeIsQuantized(dataType: number): boolean {
  return has(dataType, QUANTIZED);
}

/**
 * kDataTypeIsInteger: the signed and unsigned integers of 2 to 64 bits; neither quantized types nor bool.
 *
 * @example
 * dataTypeIsInteger(DataType.DT_INT4); // => true
 * dataTypeIsInteger(DataType.DT_BOOL); // => false
 */
export function dataTypeIsInteger(dataType: number): boolean {
  return has(dataType, SIGNED | UNSIGNED);
}

/**
 * kDataTypeIsSigned: the signed integers.
 *
 * Quirk: floating types are not signed here; the set splits the integers only.
 *
 * @example
 * dataTypeIsSigned(DataType.DT_INT32); // => true
 * dataTypeIsSigned(DataType.DT_FLOAT); // => false
 */
export function dataTypeIsSigned(dataType: number): boolean {
  return has(dataType, SIGNED);
}

/**
 * kDataTypeIsUnsigned: the unsigned integers, quantized ones not.
 *
 * @example
 * dataTypeIsUnsigned(DataType.DT_UINT2); // => true
 * dataTypeIsUnsigned(DataType.DT_QUINT8); // => false
 */
export function dataTypeIsUnsigned(dataType: number): boolean {
  return has(dataType, UNSIGNED);
}

/**
 * DataTypeIsNumeric: float, double, half, bfloat16, integers of 8 to 64 bits, complex and quantized types.
 *
 * Quirk: float8, float4 and the 4- and 2-bit integers are not in TensorFlow's set, nor is bool.
 *
 * @example
 * dataTypeIsNumeric(DataType.DT_QINT8); // => true
 * dataTypeIsNumeric(DataType.DT_FLOAT8_E5M2); // => false
 */
export function dataTypeIsNumeric(dataType: number): boolean {
  return has(dataType, NUMERIC);
}

/**
 * DataTypeCanUseMemcpy: every type of fixed size, so all but string, resource and variant.
 *
 * @example
 * dataTypeCanUseMemcpy(DataType.DT_BOOL); // => true
 * dataTypeCanUseMemcpy(DataType.DT_STRING); // => false
 */
export function dataTypeCanUseMemcpy(dataType: number): boolean {
  return has(dataType, MEMCPY);
}

/**
 * DataTypeAlwaysOnHost: string, string_ref and resource.
 *
 * Quirk: variant is not in the set, and string_ref is the one reference type in any set.
 *
 * @example
 * dataTypeAlwaysOnHost(DataType.DT_STRING); // => true
 * dataTypeAlwaysOnHost(DataType.DT_VARIANT); // => false
 */
export function dataTypeAlwaysOnHost(dataType: number): boolean {
  return dataType === DataType.DT_STRING || dataType === DataType.DT_STRING_REF || dataType === DataType.DT_RESOURCE;
}

/**
 * Tells whether elements of a dtype are fixed-size bytes in raw memory (DataTypeCanUseMemcpy by dtype).
 *
 * Throws INVALID_ARGUMENT if it is no dtype's name.
 *
 * @example
 * isRawDType("int4"); // => true
 * isRawDType("string"); // => false
 */
export function isRawDType(dtype: DType): dtype is RawDType {
  return has(dataTypeOf(dtype), MEMCPY);
}

/**
 * Tells whether elements of a dtype are JavaScript values: string, resource or variant.
 *
 * Throws INVALID_ARGUMENT if it is no dtype's name.
 *
 * @example
 * isObjectDType("variant"); // => true
 * isObjectDType("int4"); // => false
 */
export function isObjectDType(dtype: DType): dtype is ObjectDType {
  return !has(dataTypeOf(dtype), MEMCPY);
}

function has(dataType: number, traits: number): boolean {
  return typeof dataType === "number" && ((TRAITS[dataType] ?? 0) & traits) !== 0;
}
