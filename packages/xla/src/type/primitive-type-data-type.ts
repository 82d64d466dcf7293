/**
 * Conversions between XLA's PrimitiveType and TensorFlow's DataType (tensorflow/compiler/tf2xla/type_util.h).
 *
 * XLA has no quantized types: TensorFlow's become the integer types that store them. Strings, resources and variants have
 * no XLA type. XLA's newest small types have no TensorFlow type.
 */
import type { DType } from "@onebuffer/base";
import { DataType, dataTypeName, dataTypeOf, dtypeOf, InvalidArgumentError } from "@onebuffer/base";
import type { PrimitiveTypeLike } from "./primitive-type.ts";
import { PrimitiveType, primitiveTypeName, toPrimitiveType } from "./primitive-type.ts";

/** The pairs that convert in both directions. */
const kPairs: readonly (readonly [DataType, PrimitiveType])[] = [
  [DataType.DT_BOOL, PrimitiveType.PRED],
  [DataType.DT_INT8, PrimitiveType.S8],
  [DataType.DT_INT16, PrimitiveType.S16],
  [DataType.DT_INT32, PrimitiveType.S32],
  [DataType.DT_INT64, PrimitiveType.S64],
  [DataType.DT_UINT8, PrimitiveType.U8],
  [DataType.DT_UINT16, PrimitiveType.U16],
  [DataType.DT_UINT32, PrimitiveType.U32],
  [DataType.DT_UINT64, PrimitiveType.U64],
  [DataType.DT_HALF, PrimitiveType.F16],
  [DataType.DT_FLOAT, PrimitiveType.F32],
  [DataType.DT_DOUBLE, PrimitiveType.F64],
  [DataType.DT_BFLOAT16, PrimitiveType.BF16],
  [DataType.DT_COMPLEX64, PrimitiveType.C64],
  [DataType.DT_COMPLEX128, PrimitiveType.C128],
  [DataType.DT_FLOAT8_E5M2, PrimitiveType.F8E5M2],
  [DataType.DT_FLOAT8_E4M3FN, PrimitiveType.F8E4M3FN],
  [DataType.DT_FLOAT8_E4M3FNUZ, PrimitiveType.F8E4M3FNUZ],
  [DataType.DT_FLOAT8_E4M3B11FNUZ, PrimitiveType.F8E4M3B11FNUZ],
  [DataType.DT_FLOAT8_E5M2FNUZ, PrimitiveType.F8E5M2FNUZ],
  [DataType.DT_INT4, PrimitiveType.S4],
  [DataType.DT_UINT4, PrimitiveType.U4],
  [DataType.DT_INT2, PrimitiveType.S2],
  [DataType.DT_UINT2, PrimitiveType.U2],
  [DataType.DT_FLOAT4_E2M1FN, PrimitiveType.F4E2M1FN],
];

const kToXla: ReadonlyMap<DataType, PrimitiveType> = new Map([
  ...kPairs,
  [DataType.DT_QINT8, PrimitiveType.S8],
  [DataType.DT_QUINT8, PrimitiveType.U8],
  [DataType.DT_QINT16, PrimitiveType.S16],
  [DataType.DT_QUINT16, PrimitiveType.U16],
  [DataType.DT_QINT32, PrimitiveType.S32],
]);

const kFromXla: ReadonlyMap<PrimitiveType, DataType> = new Map(kPairs.map(([dataType, type]) => [type, dataType]));

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
  return found;
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
