/** @onebuffer/base: data types, their sizes and element codecs, status errors (tensorflow/core/framework/types.h, core/lib/core/errors.h). */
export { bfloat16ToFloat, floatToBfloat16 } from "./codec/bfloat16.ts";
export { DataType, kDataTypeRefOffset } from "./types/data-type.ts";
export type { DataTypeName } from "./types/data-type.ts";
export { dataTypeFromName, dataTypeName } from "./types/data-type-name.ts";
export { baseType, isRefType, makeRefType, removeRefType } from "./types/data-type-ref.ts";
export { dataTypeSize, dtypeSize } from "./types/data-type-size.ts";
export { dataTypeFromString, dataTypeString } from "./types/data-type-string.ts";
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
} from "./types/data-type-traits.ts";
export { allDTypes, dataTypeOf, dtypeOf, isDType } from "./types/dtype-data-type.ts";
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
} from "./types/dtype.ts";
export { elementCodec } from "./codec/element-codec.ts";
export type { ElementCodec } from "./codec/element-codec.ts";
export { float4E2m1fnToFloat, floatToFloat4E2m1fn } from "./codec/float4-e2m1fn.ts";
export { float8E4m3b11fnuzToFloat, floatToFloat8E4m3b11fnuz } from "./codec/float8-e4m3b11fnuz.ts";
export { float8E4m3fnToFloat, floatToFloat8E4m3fn } from "./codec/float8-e4m3fn.ts";
export { float8E4m3fnuzToFloat, floatToFloat8E4m3fnuz } from "./codec/float8-e4m3fnuz.ts";
export { float8E5m2ToFloat, floatToFloat8E5m2 } from "./codec/float8-e5m2.ts";
export { float8E5m2fnuzToFloat, floatToFloat8E5m2fnuz } from "./codec/float8-e5m2fnuz.ts";
export { floatToHalf, halfToFloat } from "./codec/half.ts";
export type { Int64Field } from "./types/int64-field.ts";
export { int2Bits, toInt2 } from "./codec/int2.ts";
export { int4Bits, toInt4 } from "./codec/int4.ts";
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
  UnavailableError,
  UnimplementedError,
  isStatusError,
} from "./status/status-error.ts";
export type { StatusCode } from "./status/status-error.ts";
export { arraySlots, typedArrayConstructor } from "./types/typed-array-constructor.ts";
export type { TypedArrayConstructor } from "./types/typed-array-constructor.ts";
export { toUint2 } from "./codec/uint2.ts";
export { toUint4 } from "./codec/uint4.ts";
export type { UnknownField } from "./status/unknown-field.ts";
