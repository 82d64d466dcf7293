/**
 * The short text of a DataType: "float", "int32_ref", … (DataTypeString and DataTypeFromString of
 * tensorflow/core/framework/types.cc). This is what op attributes and debug output show.
 *
 * Three names differ from onebuffer's DType: float, double and half are the dtypes float32, float64 and float16.
 * TensorFlow reads these three dtype names as aliases, but never writes them.
 */

import type { DataType } from "./data-type.ts";
import { kDataTypeRefOffset } from "./data-type.ts";
import { isRefType } from "./data-type-ref.ts";
import { allDTypes } from "./dtype-data-type.ts";
import { shownValue } from "../status/shown-value.ts";

const kRefSuffix = "_ref";

/** Text by base type number. */
const kTextOf: readonly string[] = [
  "INVALID",
  ...allDTypes.map((dtype) => (dtype === "float32" ? "float" : dtype === "float64" ? "double" : dtype === "float16" ? "half" : dtype)),
];

/**
 * Returns TensorFlow's text of a DataType number. Never throws: DT_INVALID is "INVALID", a reference type is its base
 * type's text with `_ref`, an unknown number `unknown dtype enum (N)`.
 *
 * Quirk: a number above 100 counts as a reference even if its base is unknown, so 199 is
 * "unknown dtype enum (99)_ref".
 *
 * @example
 * dataTypeString(DataType.DT_FLOAT); // => "float"
 * dataTypeString(DataType.DT_INT32_REF); // => "int32_ref"
 * dataTypeString(99); // => "unknown dtype enum (99)"
 */
export function dataTypeString(dataType: number): string {
  if (isRefType(dataType)) return baseText(dataType - kDataTypeRefOffset) + kRefSuffix;
  return baseText(dataType);
}

/**
 * Returns the DataType of a text: TensorFlow's texts and the aliases float32, float64 and float16, each with or without `_ref`.
 * Returns null for anything else: the match is case sensitive, and "INVALID" and a nested `_ref_ref` are not accepted.
 *
 * @example
 * dataTypeFromString("float"); // => DataType.DT_FLOAT
 * dataTypeFromString("float32"); // => DataType.DT_FLOAT
 * dataTypeFromString("int32_ref"); // => DataType.DT_INT32_REF
 * dataTypeFromString("foo"); // => null
 */
export function dataTypeFromString(text: string): DataType | null {
  if (typeof text !== "string") return null;
  const isRef = text.endsWith(kRefSuffix);
  const name = isRef ? text.slice(0, -kRefSuffix.length) : text;
  const base = Math.max(kTextOf.indexOf(name, 1), 1 + (allDTypes as readonly string[]).indexOf(name));
  if (base < 1) return null;
  return (isRef ? base + kDataTypeRefOffset : base) as DataType;
}

function baseText(dataType: number): string {
  return (typeof dataType === "number" ? kTextOf[dataType] : undefined) ?? `unknown dtype enum (${shownValue(dataType)})`;
}
