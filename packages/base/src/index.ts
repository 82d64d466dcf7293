export { DataType, kDataTypeRefOffset } from "./data-type.ts";
export type { DataTypeName } from "./data-type.ts";
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
