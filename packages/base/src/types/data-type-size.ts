/**
 * The number of bytes of one element (DataTypeSize of tensorflow/core/framework/types.cc).
 *
 * The size of string, resource and variant is 0: their elements are objects without a fixed size. int4, uint4, int2,
 * uint2 and float4_e2m1fn take one byte each; tensors do not pack them.
 */

import { dataTypeOf } from "./dtype-data-type.ts";
import type { DType } from "./dtype.ts";

/** Bytes by DataType number, 0 to 33. */
const kSizeOf: readonly number[] = [
  0, // INVALID
  4, // float32
  8, // float64
  4, // int32
  1, // uint8
  2, // int16
  1, // int8
  0, // string
  8, // complex64
  8, // int64
  1, // bool
  1, // qint8
  1, // quint8
  4, // qint32
  2, // bfloat16
  2, // qint16
  2, // quint16
  2, // uint16
  16, // complex128
  2, // float16
  0, // resource
  0, // variant
  4, // uint32
  8, // uint64
  1, // float8_e5m2
  1, // float8_e4m3fn
  1, // float8_e4m3fnuz
  1, // float8_e4m3b11fnuz
  1, // float8_e5m2fnuz
  1, // int4
  1, // uint4
  1, // int2
  1, // uint2
  1, // float4_e2m1fn
];

/**
 * Returns the number of bytes of one element by DataType number; 0 for string, resource, variant, DT_INVALID, every reference type
 * and every unknown number.
 *
 * @example
 * dataTypeSize(DataType.DT_COMPLEX128); // => 16
 * dataTypeSize(DataType.DT_STRING); // => 0
 * dataTypeSize(DataType.DT_FLOAT_REF); // => 0
 */
export function dataTypeSize(dataType: number): number {
  return typeof dataType === "number" ? (kSizeOf[dataType] ?? 0) : 0;
}

/**
 * Returns the number of bytes of one element of a dtype; 0 for the object dtypes.
 *
 * Throws INVALID_ARGUMENT if `dtype` is not a dtype.
 *
 * @example
 * dtypeSize("float32"); // => 4
 * dtypeSize("int4"); // => 1
 * dtypeSize("string"); // => 0
 */
export function dtypeSize(dtype: DType): number {
  return dataTypeSize(dataTypeOf(dtype));
}
