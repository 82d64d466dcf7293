/**
 * The DT_ names of the DataType numbers, as the text and JSON forms of messages write them (the functions
 * DataType_Name and DataType_Parse that protoc generates from tensorflow/core/framework/types.proto).
 *
 * These are not the short strings of ops and debug output ("float", "int32_ref"): see data-type-string.ts.
 */

import { DataType } from "./data-type.ts";
import type { DataTypeName } from "./data-type.ts";

const kNumberOf: ReadonlyMap<string, DataType> = new Map(Object.entries(DataType));
const kNameOf: ReadonlyMap<number, DataTypeName> = new Map(
  Object.entries(DataType).map(([name, dataType]) => [dataType, name as DataTypeName]),
);

/**
 * Returns the DT_ name of a DataType number, or null if TensorFlow has no such number.
 *
 * @example
 * dataTypeName(1); // => "DT_FLOAT"
 * dataTypeName(101); // => "DT_FLOAT_REF"
 * dataTypeName(99); // => null
 */
export function dataTypeName(dataType: number): DataTypeName | null {
  return kNameOf.get(dataType) ?? null;
}

/**
 * Returns the DataType number of a DT_ name, or null if there is none. The match is case sensitive and includes reference types.
 *
 * @example
 * dataTypeFromName("DT_INT32_REF"); // => 103
 * dataTypeFromName("int32"); // => null
 */
export function dataTypeFromName(name: string): DataType | null {
  return kNumberOf.get(name) ?? null;
}
