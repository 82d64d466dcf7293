/**
 * Conversions between XLA's PrimitiveType and TensorFlow's DataType (tensorflow/compiler/tf2xla/type_util.h).
 *
 * XLA has no quantized types: TensorFlow's become the integer types that store them. Strings, resources and variants have
 * no XLA type. XLA's newest small types have no TensorFlow type.
 */
import type { DataType, DType } from "@onebuffer/base";
import { dataTypeName, dataTypeOf, dtypeOf, InvalidArgumentError } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import type { DTypeRow } from "@onebuffer/base/internal";
import type { PrimitiveTypeLike } from "./primitive-type.ts";
import { PrimitiveType, primitiveTypeName, toPrimitiveType } from "./primitive-type.ts";

const kRows: readonly DTypeRow[] = Object.values(dtypeRows);

/** Returns the XLA type of a row, or undefined if there is none. */
function typeOf({ xla }: DTypeRow): PrimitiveType | undefined {
  return xla === null ? undefined : PrimitiveType[xla];
}

/** XLA's types by DataType numbers. */
const kToXla: ReadonlyMap<number, PrimitiveType | undefined> = new Map(kRows.map((row) => [row.number, typeOf(row)]));

/** DataType numbers by XLA's types. */
const kFromXla: ReadonlyMap<PrimitiveType | undefined, number> = new Map(
  kRows.filter((row) => row.class !== "qint" && row.class !== "quint").map((row) => [typeOf(row), row.number]),
);

/**
 * Returns the XLA type of a TensorFlow type, which is given as DataType number or dtype name (DataTypeToPrimitiveType).
 *
 * Throws INVALID_ARGUMENT for types that XLA does not have, and for unknown numbers and names.
 *
 * @example
 * dataTypeToPrimitiveType(DataType.DT_FLOAT); // => PrimitiveType.F32
 * dataTypeToPrimitiveType("quint8"); // => PrimitiveType.U8
 * dataTypeToPrimitiveType("string"); // throws INVALID_ARGUMENT
 */
export function dataTypeToPrimitiveType(type: DataType | DType): PrimitiveType {
  const dataType = typeof type === "string" ? dataTypeOf(type) : dataTypeOf(dtypeOf(type));
  const found = kToXla.get(dataType);
  if (found === undefined) throw new InvalidArgumentError(`Unsupported type in DataTypeToPrimitiveType: '${dataTypeName(dataType)}'`);
  return found;
}

/**
 * Returns the TensorFlow type of an XLA type (EncodePrimitiveTypeAsDataType).
 *
 * Throws INVALID_ARGUMENT for types that TensorFlow does not have: tuple, token, opaque and buffer, and the newest small
 * types.
 *
 * @example
 * primitiveTypeToDataType("bf16"); // => DataType.DT_BFLOAT16
 * primitiveTypeToDataType("s1"); // throws INVALID_ARGUMENT
 */
export function primitiveTypeToDataType(type: PrimitiveTypeLike): DataType {
  const number = toPrimitiveType(type);
  const found = kFromXla.get(number);
  if (found === undefined) throw new InvalidArgumentError(`Primitive type ${primitiveTypeName(number)} has no TensorFlow DataType`);
  return found as DataType;
}

/**
 * Returns the dtype name of an XLA type. Throws INVALID_ARGUMENT as primitiveTypeToDataType does.
 *
 * @example
 * primitiveTypeToDType("pred"); // => "bool"
 * primitiveTypeToDType(PrimitiveType.TUPLE); // throws INVALID_ARGUMENT
 */
export function primitiveTypeToDType(type: PrimitiveTypeLike): DType {
  return dtypeOf(primitiveTypeToDataType(type));
}

/** Returns the dtype of a type's number, or null if there is none: for types of XLA only, and for those that are not arrays. */
export function dtypeOfType(type: PrimitiveType): DType | null {
  const dataType = kFromXla.get(type);
  return dataType === undefined ? null : dtypeOf(dataType);
}
