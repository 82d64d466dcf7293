/**
 * The sets that a DataType belongs to: TensorFlow's kDataTypeIsFloating, kDataTypeIsInteger, … and the predicates
 * over them (tensorflow/core/framework/types.h).
 *
 * One bit field per number. The sets hold base types only: for a reference type and for a number that is not
 * a DataType every predicate returns false, with the one exception noted at `dataTypeAlwaysOnHost`.
 */

import { DataType } from "./data-type.ts";
import { allDTypes, dataTypeOf } from "./dtype-data-type.ts";
import { dtypeRows } from "./dtype-table.ts";
import type { DTypeClass } from "./dtype-table.ts";
import type { DType, ObjectDType, RawDType } from "./dtype.ts";

const kFloating = 1;
const kComplex = 2;
const kQuantized = 4;
const kSigned = 8;
const kUnsigned = 16;
const kNumeric = 32;
const kMemcpy = 64;

/** The sets of the dtypes of each class. */
const kSetsOf: Readonly<Record<DTypeClass, number>> = {
  float: kFloating | kNumeric | kMemcpy,
  int: kSigned | kNumeric | kMemcpy,
  uint: kUnsigned | kNumeric | kMemcpy,
  complex: kComplex | kNumeric | kMemcpy,
  bool: kMemcpy,
  smallFloat: kFloating | kMemcpy,
  smallInt: kSigned | kMemcpy,
  smallUint: kUnsigned | kMemcpy,
  qint: kQuantized | kNumeric | kMemcpy,
  quint: kQuantized | kNumeric | kMemcpy,
  object: 0,
};

/** The sets by DataType number; index 0 is DT_INVALID. */
const kSets: readonly number[] = [0, ...allDTypes.map((dtype) => kSetsOf[dtypeRows[dtype].class])];

/**
 * kDataTypeIsFloating: half, bfloat16, float, double, the five float8 formats and float4.
 *
 * @example
 * dataTypeIsFloating(DataType.DT_BFLOAT16); // => true
 * dataTypeIsFloating(DataType.DT_COMPLEX64); // => false
 */
export function dataTypeIsFloating(dataType: number): boolean {
  return has(dataType, kFloating);
}

/**
 * kDataTypeIsComplex: complex64 and complex128.
 *
 * @example
 * dataTypeIsComplex(DataType.DT_COMPLEX64); // => true
 */
export function dataTypeIsComplex(dataType: number): boolean {
  return has(dataType, kComplex);
}

/**
 * kDataTypeIsQuantized: qint8, quint8, qint16, quint16, qint32.
 *
 * @example
 * dataTypeIsQuantized(DataType.DT_QINT8); // => true
 * dataTypeIsQuantized(DataType.DT_INT8); // => false
 */
export function dataTypeIsQuantized(dataType: number): boolean {
  return has(dataType, kQuantized);
}

/**
 * kDataTypeIsInteger: the signed and unsigned integers of 2 to 64 bits; neither quantized types nor bool.
 *
 * @example
 * dataTypeIsInteger(DataType.DT_INT4); // => true
 * dataTypeIsInteger(DataType.DT_BOOL); // => false
 */
export function dataTypeIsInteger(dataType: number): boolean {
  return has(dataType, kSigned | kUnsigned);
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
  return has(dataType, kSigned);
}

/**
 * kDataTypeIsUnsigned: the unsigned integers, quantized ones not.
 *
 * @example
 * dataTypeIsUnsigned(DataType.DT_UINT2); // => true
 * dataTypeIsUnsigned(DataType.DT_QUINT8); // => false
 */
export function dataTypeIsUnsigned(dataType: number): boolean {
  return has(dataType, kUnsigned);
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
  return has(dataType, kNumeric);
}

/**
 * DataTypeCanUseMemcpy: every type of fixed size, so all but string, resource and variant.
 *
 * @example
 * dataTypeCanUseMemcpy(DataType.DT_BOOL); // => true
 * dataTypeCanUseMemcpy(DataType.DT_STRING); // => false
 */
export function dataTypeCanUseMemcpy(dataType: number): boolean {
  return has(dataType, kMemcpy);
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
 * Returns true if elements of a dtype are fixed-size bytes in raw memory (DataTypeCanUseMemcpy by dtype).
 *
 * Throws INVALID_ARGUMENT if `dtype` is not a dtype.
 *
 * @example
 * isRawDType("int4"); // => true
 * isRawDType("string"); // => false
 */
export function isRawDType(dtype: DType): dtype is RawDType {
  return has(dataTypeOf(dtype), kMemcpy);
}

/**
 * Returns true if elements of a dtype are JavaScript values: string, resource or variant.
 *
 * Throws INVALID_ARGUMENT if `dtype` is not a dtype.
 *
 * @example
 * isObjectDType("variant"); // => true
 * isObjectDType("int4"); // => false
 */
export function isObjectDType(dtype: DType): dtype is ObjectDType {
  return !has(dataTypeOf(dtype), kMemcpy);
}

function has(dataType: number, traits: number): boolean {
  return typeof dataType === "number" && ((kSets[dataType] ?? 0) & traits) !== 0;
}
