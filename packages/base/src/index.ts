export {
  argumentError,
  checkArray,
  checkFunction,
  checkInteger,
  checkNumber,
  checkObject,
  checkText,
  isArray,
} from "./argument-check.ts";
export { bfloat16ToFloat, floatToBfloat16 } from "./bfloat16.ts";
export { DataType, kDataTypeRefOffset } from "./data-type.ts";
export type { DataTypeName } from "./data-type.ts";
export { dataTypeFromName, dataTypeName } from "./data-type-name.ts";
export { baseType, isRefType, makeRefType, removeRefType } from "./data-type-ref.ts";
export { dataTypeSize, dtypeSize } from "./data-type-size.ts";
export { dataTypeFromString, dataTypeString } from "./data-type-string.ts";
export {
  dataTypeAlwaysOnHost,
  dataTypeCanUseMemcpy,
  dataTypeIsComplex,
  dataTypeIsFloating,
  dataTypeIsInteger,
  dataTypeIsNumeric,
  dataTypeIsQuantized,
  dataTypeIsSigned,
  dataTypeIsUnsigned,
  isObjectDType,
  isRawDType,
} from "./data-type-traits.ts";
export { allDTypes, dataTypeOf, dtypeOf, isDType } from "./dtype-data-type.ts";
export type {
  Complex,
  DType,
  DTypeTraits,
  ElementInput,
  ElementOf,
  Float8DType,
  ObjectDType,
  ObjectElement,
  ObjectElementTypes,
  RawDType,
  TypedArray,
  TypedArrayOf,
} from "./dtype.ts";
export { elementCodec } from "./element-codec.ts";
export type { ElementCodec } from "./element-codec.ts";
export { float4E2m1fnToFloat, floatToFloat4E2m1fn } from "./float4-e2m1fn.ts";
export { float8E4m3b11fnuzToFloat, floatToFloat8E4m3b11fnuz } from "./float8-e4m3b11fnuz.ts";
export { float8E4m3fnToFloat, floatToFloat8E4m3fn } from "./float8-e4m3fn.ts";
export { float8E4m3fnuzToFloat, floatToFloat8E4m3fnuz } from "./float8-e4m3fnuz.ts";
export { float8E5m2ToFloat, floatToFloat8E5m2 } from "./float8-e5m2.ts";
export { float8E5m2fnuzToFloat, floatToFloat8E5m2fnuz } from "./float8-e5m2fnuz.ts";
export { float8Table } from "./float8-table.ts";
export { floatToHalf, halfTable, halfToFloat } from "./half.ts";
export { int2Bits, toInt2 } from "./int2.ts";
export { int4Bits, toInt4 } from "./int4.ts";
export type { MessageBytes } from "./message-bytes.ts";
export { messageBytes, registerMessageBytes } from "./message-bytes.ts";
export { shownValue } from "./shown-value.ts";
export {
  CancelledError,
  DataLossError,
  FailedPreconditionError,
  InternalError,
  InvalidArgumentError,
  NotFoundError,
  OutOfRangeError,
  ResourceExhaustedError,
  StatusError,
  UnimplementedError,
  isStatusError,
} from "./status-error.ts";
export type { StatusCode } from "./status-error.ts";
export { arraySlots, typedArrayConstructor } from "./typed-array-constructor.ts";
export type { TypedArrayConstructor } from "./typed-array-constructor.ts";
export { plainTypedArray, typedArrayKind, typedArrayLength, viewPlace } from "./typed-array-view.ts";
export type { ViewPlace } from "./typed-array-view.ts";
export { toUint2 } from "./uint2.ts";
export { toUint4 } from "./uint4.ts";
export type { UnknownField } from "./unknown-field.ts";
