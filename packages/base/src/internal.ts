/**
 * The names that other onebuffer packages use and users do not. They may change at any time.
 */
export type { ExactInt64 } from "./types/int64-field.ts";
export { readDecimalInt64, readInt64Field } from "./types/int64-field.ts";
export { defineInspection } from "./status/inspect-hook.ts";
export { kInvalidDataType } from "./types/data-type.ts";
export { isDataType } from "./types/data-type-ref.ts";
export { dtypeHint } from "./types/dtype-data-type.ts";
export { dtypeRows, dtypesOfClass } from "./types/dtype-table.ts";
export type { DTypeCell, DTypeClass, DTypeRow, DTypesWhere } from "./types/dtype-table.ts";
export { messageFields } from "./status/message-fields.ts";
export { adviceRows } from "./status/advice-rows.ts";
export { defineAdvice, definePropertyAdvice } from "./status/method-advice.ts";
export { defineNumberAdvice } from "./status/number-advice.ts";
export { warnOldForm } from "./status/old-form.ts";
export { checkOptions } from "./status/options-check.ts";
export {
  argumentError,
  checkArray,
  checkCallback,
  checkFunction,
  checkInteger,
  checkNumber,
  checkObject,
  checkText,
  isArray,
} from "./status/argument-check.ts";
export { isSmallDType, smallCodec } from "./codec/small-codecs.ts";
export type { SmallDType } from "./codec/small-codecs.ts";
export { bfloat16Bits, bfloat16Value } from "./codec/bfloat16.ts";
export { halfBits, halfTable } from "./codec/half.ts";
export type { MessageBytes } from "./status/message-bytes.ts";
export { messageBytes, registerMessageBytes } from "./status/message-bytes.ts";
export { checkMadeInside, kMadeInside } from "./status/made-inside.ts";
export { cancelledBy } from "./status/cancelled-by.ts";
export { isClass } from "./status/is-class.ts";
export { nearestName } from "./status/nearest-name.ts";
export { printable } from "./status/printable.ts";
export { shownValue } from "./status/shown-value.ts";
export { byteView } from "./types/byte-view.ts";
export { plainTypedArray, typedArrayKind, typedArrayLength, viewPlace } from "./types/typed-array-view.ts";
export type { ViewPlace } from "./types/typed-array-view.ts";
