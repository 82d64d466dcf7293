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
  ObjectDType,
  ObjectElement,
  ObjectElementTypes,
  RawDType,
  TypedArray,
  TypedArrayOf,
} from "./dtype.ts";
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
