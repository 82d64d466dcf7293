/**
 * The operations on DataType numbers (tf-tensor.json): names, sizes, traits.
 */
import type { DataType } from "@onebuffer/base";
import {
  baseType,
  dataTypeAlwaysOnHost,
  dataTypeCanUseMemcpy,
  dataTypeFromString,
  dataTypeIsComplex,
  dataTypeIsFloating,
  dataTypeIsInteger,
  dataTypeIsNumeric,
  dataTypeIsQuantized,
  dataTypeIsSigned,
  dataTypeIsUnsigned,
  dataTypeName,
  dataTypeSize,
  dataTypeString,
  isRefType,
  makeRefType,
  removeRefType,
} from "@onebuffer/base";
import type { State } from "../compare.ts";
import { toDataType } from "../literals.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";

/** Returns the `DT_…` name of a type's text such as "float", or null. */
function nameOfString(text: string): string | null {
  const found = dataTypeFromString(text);
  return found === null ? null : dataTypeName(found);
}

function info(dt: DataType): State {
  return {
    number: () => dt,
    name: () => dataTypeString(dt),
    ref_number: () => makeRefType(dt),
    ref_name: () => dataTypeString(makeRefType(dt)),
    from_name: () => nameOfString(dataTypeString(dt)),
    from_ref_name: () => nameOfString(dataTypeString(makeRefType(dt))),
    base_type: () => dataTypeName(baseType(dt)),
    remove_ref: () => dataTypeName(removeRefType(dt)),
    is_ref: () => isRefType(dt),
    size: () => dataTypeSize(dt),
  };
}

function traits(dt: DataType): State {
  return {
    size: () => dataTypeSize(dt),
    can_memcpy: () => dataTypeCanUseMemcpy(dt),
    is_floating: () => dataTypeIsFloating(dt),
    is_integer: () => dataTypeIsInteger(dt),
    is_signed: () => dataTypeIsSigned(dt),
    is_unsigned: () => dataTypeIsUnsigned(dt),
    is_complex: () => dataTypeIsComplex(dt),
    is_quantized: () => dataTypeIsQuantized(dt),
    is_numeric: () => dataTypeIsNumeric(dt),
    always_on_host: () => dataTypeAlwaysOnHost(dt),
    is_ref: () => isRefType(dt),
  };
}

/** The operations by name. */
export const dtypeOps: Operations = {
  "dtype.info": operation(["dtype"], (args) => info(toDataType(args.json("dtype")))),
  "dtype.traits": operation(["dtype"], (args) => traits(toDataType(args.json("dtype")))),
  "dtype.from_string": operation(["text"], (args) => nameOfString(args.text("text"))),
};
