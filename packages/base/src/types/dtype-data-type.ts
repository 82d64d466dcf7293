/**
 * Converts between the two names of an element type: onebuffer's `DType` text and TensorFlow's
 * DataType number (EnumToDataType and DataTypeToEnum in tensorflow/core/framework/types.h).
 *
 * Both directions are one table lookup, because every view of a tensor needs one. Only the 33 base types have a
 * DType; DT_INVALID, reference types and unknown numbers are refused.
 */

import type { DataType } from "./data-type.ts";
import { kDataTypeRefOffset, kInvalidDataType } from "./data-type.ts";
import { dtypeRows } from "./dtype-table.ts";
import type { DType } from "./dtype.ts";
import { nearestName } from "../status/nearest-name.ts";
import { shownValue } from "../status/shown-value.ts";
import { InvalidArgumentError } from "../status/status-error.ts";

/**
 * Every dtype, in the order of TensorFlow's numbers: `allDTypes[0]` is the dtype of DT_FLOAT.
 *
 * @example
 * allDTypes.length; // => 33
 * allDTypes[0]; // => "float32"
 */
export const allDTypes: readonly DType[] = (Object.keys(dtypeRows) as DType[]).sort((a, b) => dtypeRows[a].number - dtypeRows[b].number);

/** DType by DataType number; index 0, DT_INVALID, has none. */
const kDtypeOf: readonly (DType | undefined)[] = [undefined, ...allDTypes];

/**
 * DataType number by DType. A Map, not an object: "toString" and "__proto__" are not dtypes, and a lookup with
 * changing keys is as fast as in an object.
 */
const kDataTypeOf: ReadonlyMap<unknown, DataType> = new Map(allDTypes.map((dtype, i) => [dtype, (i + 1) as DataType]));

/** The most characters of a text that may be a misspelled dtype; the longest dtype has 18. */
const kLongestName = 20;

/** Names of element types in other languages, by the dtype. */
const kForeignNames: Readonly<Record<string, DType>> = { double: "float64", half: "float16", long: "int64", short: "int16", byte: "uint8" };

/** The first letters of names such as `f32` and `u8`, and what they stand for. */
const kShortNames: Readonly<Record<string, string>> = {
  f: "float",
  fp: "float",
  i: "int",
  s: "int",
  u: "uint",
  bf: "bfloat",
  c: "complex",
};

/**
 * Returns the end of a message about a value that is not a dtype: the dtype that was meant, if the value is a text.
 *
 * @example
 * [dtypeHint("f32"), dtypeHint(5)]; // => [', did you mean "float32"?', ""]
 */
export function dtypeHint(value: unknown): string {
  if (typeof value !== "string" || value.length > kLongestName) return "";
  const name = value.toLowerCase();
  const foreign = Object.hasOwn(kForeignNames, name) ? kForeignNames[name] : undefined;
  const whole = name.replace(/^(fp?|i|s|u|bf|c)(?=\d)/, (letters) => kShortNames[letters] as string);
  return `, did you mean "${foreign ?? nearestName(whole, allDTypes)}"?`;
}

/**
 * Returns TensorFlow's DataType number of a dtype.
 *
 * Throws INVALID_ARGUMENT if `dtype` is not a dtype.
 *
 * @example
 * dataTypeOf("float32"); // => DataType.DT_FLOAT
 * dataTypeOf("bfloat16"); // => 14
 * dataTypeOf("float" as DType); // throws INVALID_ARGUMENT
 */
export function dataTypeOf(dtype: DType): DataType {
  const dataType = kDataTypeOf.get(dtype);
  if (dataType === undefined) throw new InvalidArgumentError(`Unexpected dtype: ${shownValue(dtype)}${dtypeHint(dtype)}`);
  return dataType;
}

/**
 * Returns the dtype of a DataType number.
 *
 * Throws INVALID_ARGUMENT for DT_INVALID ("Type not set"), reference types, whose base type the message names, and numbers that are
 * not DataTypes.
 *
 * @example
 * dtypeOf(DataType.DT_HALF); // => "float16"
 * dtypeOf(DataType.DT_INVALID); // throws INVALID_ARGUMENT
 * dtypeOf(DataType.DT_FLOAT_REF); // throws INVALID_ARGUMENT
 */
export function dtypeOf(dataType: number): DType {
  const number = typeof dataType === "number" ? dataType : Number.NaN;
  const dtype = kDtypeOf[number];
  if (dtype === undefined) {
    const base = kDtypeOf[number - kDataTypeRefOffset];
    const reference = base === undefined ? "" : `, a reference to ${base}`;
    throw new InvalidArgumentError(dataType === kInvalidDataType ? "Type not set" : `Unexpected type: ${shownValue(dataType)}${reference}`);
  }
  return dtype;
}

/**
 * Returns true if a value is the name of a dtype.
 *
 * @example
 * isDType("int64"); // => true
 * isDType("float"); // => false
 * isDType(1); // => false
 */
export function isDType(value: unknown): value is DType {
  return kDataTypeOf.has(value);
}
