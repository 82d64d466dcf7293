/**
 * The table of map factories: one TensorMapKind per dtype, found by the dtype's name or by its TensorFlow DataType number. The table is
 * filled when this file is loaded, so finding a factory is one lookup.
 */
import { InvalidArgumentError, dataTypeOf } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { DType } from "@onebuffer/base";
import { kindBF16 } from "./generated/bfloat16.ts";
import { kindBool } from "./generated/bool.ts";
import { kindC128 } from "./generated/complex128.ts";
import { kindC64 } from "./generated/complex64.ts";
import { kindF16 } from "./generated/float16.ts";
import { kindF32 } from "./generated/float32.ts";
import { kindF64 } from "./generated/float64.ts";
import { kindF8 } from "./generated/float8.ts";
import { kindI16 } from "./generated/int16.ts";
import { kindI32 } from "./generated/int32.ts";
import { kindI64 } from "./generated/int64.ts";
import { kindI8 } from "./generated/int8.ts";
import { kindNarrow } from "./generated/narrow-int.ts";
import { kindObject } from "./generated/object.ts";
import { kindU16 } from "./generated/uint16.ts";
import { kindU32 } from "./generated/uint32.ts";
import { kindU64 } from "./generated/uint64.ts";
import { kindU8 } from "./generated/uint8.ts";
import { kindUnsignedNarrow } from "./generated/unsigned-narrow-int.ts";
import type { TensorMapKind } from "../expression/tree/tensor-map-kind.ts";

const kinds: { readonly [D in DType]: TensorMapKind<D> } = {
  float32: kindF32,
  float64: kindF64,
  int32: kindI32("int32"),
  uint8: kindU8("uint8"),
  int16: kindI16("int16"),
  int8: kindI8("int8"),
  string: kindObject("string"),
  complex64: kindC64,
  int64: kindI64,
  bool: kindBool,
  qint8: kindI8("qint8"),
  quint8: kindU8("quint8"),
  qint32: kindI32("qint32"),
  bfloat16: kindBF16,
  qint16: kindI16("qint16"),
  quint16: kindU16("quint16"),
  uint16: kindU16("uint16"),
  complex128: kindC128,
  float16: kindF16,
  resource: kindObject("resource"),
  variant: kindObject("variant"),
  uint32: kindU32,
  uint64: kindU64,
  float8_e5m2: kindF8("float8_e5m2"),
  float8_e4m3fn: kindF8("float8_e4m3fn"),
  float8_e4m3fnuz: kindF8("float8_e4m3fnuz"),
  float8_e4m3b11fnuz: kindF8("float8_e4m3b11fnuz"),
  float8_e5m2fnuz: kindF8("float8_e5m2fnuz"),
  int4: kindNarrow("int4"),
  uint4: kindUnsignedNarrow("uint4"),
  int2: kindNarrow("int2"),
  uint2: kindUnsignedNarrow("uint2"),
  float4_e2m1fn: kindF8("float4_e2m1fn"),
};

/** The same factories by TensorFlow's DataType number, which is what byte 13 of a TensorShape's representation holds. */
const kindsByNumber: readonly (TensorMapKind<DType> | undefined)[] = (() => {
  const byNumber: (TensorMapKind<DType> | undefined)[] = [];
  for (const dtype of Object.keys(kinds) as DType[]) byNumber[dataTypeOf(dtype)] = kinds[dtype] as unknown as TensorMapKind<DType>;
  return byNumber;
})();

/**
 * Returns the factory of the maps of a dtype: one object per dtype.
 *
 * Throws INVALID_ARGUMENT if `dtype` is not the name of a dtype. Copies: never.
 *
 * @example
 * tensorMapKind("bool").vec(new Uint8Array([0, 1]), 0, kUnowned, 2).toArray(); // => [false, true]
 * tensorMapKind("float" as DType); // throws INVALID_ARGUMENT
 */
export function tensorMapKind<D extends DType>(dtype: D): TensorMapKind<D> {
  const kind = typeof dtype === "string" ? kinds[dtype] : undefined;
  // The second test refuses inherited names such as "toString". It is cheaper than Object.hasOwn.
  if (kind === undefined || kind.dtype !== dtype) throw new InvalidArgumentError(`${shownValue(dtype)} is not a dtype`);
  return kind;
}

/**
 * Returns the factory of the maps of a TensorFlow DataType number. One array lookup, for code that has the number instead of the name.
 *
 * Throws INVALID_ARGUMENT for DT_INVALID, reference types and unknown numbers. Copies: never.
 *
 * @example
 * tensorMapKindOf(DataType.DT_BOOL).dtype; // => "bool"
 * tensorMapKindOf(101); // throws INVALID_ARGUMENT
 */
export function tensorMapKindOf(dataType: number): TensorMapKind<DType> {
  const kind = typeof dataType === "number" ? kindsByNumber[dataType] : undefined;
  if (kind === undefined) throw new InvalidArgumentError(`DataType ${shownValue(dataType)} is not an element type`);
  return kind;
}
