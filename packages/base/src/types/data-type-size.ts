/**
 * The number of bytes of one element (DataTypeSize of tensorflow/core/framework/types.cc).
 *
 * The size of string, resource and variant is 0: their elements are objects without a fixed size. Elements of
 * 4 and 2 bits take one byte each; tensors do not pack them.
 */

import { allDTypes, dataTypeOf } from "./dtype-data-type.ts";
import { dtypeRows } from "./dtype-table.ts";
import type { DType } from "./dtype.ts";

/** Bytes by DataType number; index 0 is DT_INVALID. */
const kSizeOf: readonly number[] = [0, ...allDTypes.map((dtype) => Math.ceil(dtypeRows[dtype].bits / 8))];

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
