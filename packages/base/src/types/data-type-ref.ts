/**
 * Reference types, which stood for a variable of type T in TensorFlow 1. Their number is T's plus 100 (BaseType, RemoveRefType, MakeRefType
 * and IsRefType of tensorflow/core/framework/types.h).
 *
 * They can be named and converted, but no tensor has one. Where TensorFlow only DCHECKs, these functions throw.
 */

import type { DataType } from "./data-type.ts";
import { kDataTypeRefOffset, kInvalidDataType } from "./data-type.ts";
import { allDTypes } from "./dtype-data-type.ts";
import { shownValue } from "../status/shown-value.ts";
import { InvalidArgumentError } from "../status/status-error.ts";

/**
 * Returns true if a DataType number is in the range of reference types, above 100.
 *
 * @example
 * isRefType(DataType.DT_FLOAT_REF); // => true
 * isRefType(DataType.DT_FLOAT); // => false
 */
export function isRefType(dataType: number): boolean {
  return typeof dataType === "number" && dataType > kDataTypeRefOffset;
}

/**
 * Returns the reference type of a base type.
 *
 * Throws INVALID_ARGUMENT unless the argument is one of the 33 base types (TensorFlow only DCHECKs that it is not
 * a reference type, and returns the meaningless 100 for DT_INVALID).
 *
 * @example
 * makeRefType(DataType.DT_INT32); // => DataType.DT_INT32_REF
 * makeRefType(DataType.DT_INT32_REF); // throws INVALID_ARGUMENT
 */
export function makeRefType(dataType: number): DataType {
  if (!isBaseType(dataType)) throw new InvalidArgumentError(`Not a base type: ${shownValue(dataType)}`);
  return (dataType + kDataTypeRefOffset) as DataType;
}

/**
 * Returns the base type of a reference type.
 *
 * Throws INVALID_ARGUMENT unless the argument is a reference type (TensorFlow only DCHECKs).
 *
 * @example
 * removeRefType(DataType.DT_INT32_REF); // => DataType.DT_INT32
 * removeRefType(DataType.DT_INT32); // throws INVALID_ARGUMENT
 */
export function removeRefType(dataType: number): DataType {
  if (!isRefType(dataType) || !isBaseType(dataType - kDataTypeRefOffset))
    throw new InvalidArgumentError(`Not a reference type: ${shownValue(dataType)}`);
  return (dataType - kDataTypeRefOffset) as DataType;
}

/**
 * Returns the base type of a reference type; returns base types and DT_INVALID unchanged.
 *
 * Throws INVALID_ARGUMENT for a number that is not a DataType.
 *
 * @example
 * baseType(DataType.DT_INT32_REF); // => DataType.DT_INT32
 * baseType(DataType.DT_INT32); // => DataType.DT_INT32
 * baseType(100); // throws INVALID_ARGUMENT
 */
export function baseType(dataType: number): DataType {
  if (!isDataType(dataType)) throw new InvalidArgumentError(`Unexpected type: ${shownValue(dataType)}`);
  return (isRefType(dataType) ? dataType - kDataTypeRefOffset : dataType) as DataType;
}

/**
 * Returns true if a value is the number of a DataType: of DT_INVALID, a base type or a reference type. Unlike a search in the list
 * `DataType`, it does not bring the 67 names into a bundle.
 *
 * @example
 * isDataType(DataType.DT_INT32_REF); // => true
 * isDataType(100); // => false
 */
export function isDataType(value: unknown): value is DataType {
  return (
    value === kInvalidDataType || isBaseType(value) || (isRefType(value as number) && isBaseType((value as number) - kDataTypeRefOffset))
  );
}

/** Returns true if a value is the number of one of the 33 base types. */
function isBaseType(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= allDTypes.length;
}
