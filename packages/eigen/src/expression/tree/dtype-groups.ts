/**
 * The groups of dtypes that operations accept (what the `T:` lists of TensorFlow's op definitions are).
 *
 *     floats        float32 float64 float16 bfloat16
 *     integers      int8 int16 int32 int64 uint8 uint16 uint32 uint64
 *     complexes     complex64 complex128
 *     narrow        float8_* int4 uint4 int2 uint2 float4_e2m1fn: can be cast, compared for nothing, moved
 *     quantized     qint8 .. quint16: can be moved
 *
 * string, resource and variant have no arithmetic; moving them is a matter of views (StridedMap).
 */
import type { DType } from "@onebuffer/base";

/** The dtypes that compute with fractions. */
export type FloatDType = "float32" | "float64" | "float16" | "bfloat16";

/** The integers that compute. */
export type IntegerDType = "int8" | "int16" | "int32" | "int64" | "uint8" | "uint16" | "uint32" | "uint64";

/** The complex dtypes. */
export type ComplexDType = "complex64" | "complex128";

/** What can index, order and count. */
export type RealDType = FloatDType | IntegerDType;

/** Everything arithmetic is defined for. */
export type NumericDType = RealDType | ComplexDType;

/** The dtypes that compute with fractions, as values. */
export const floatDTypes: readonly FloatDType[] = ["float32", "float64", "float16", "bfloat16"];

/** The integers, as values. */
export const integerDTypes: readonly IntegerDType[] = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"];

/** The complex dtypes, as values. */
export const complexDTypes: readonly ComplexDType[] = ["complex64", "complex128"];

/** Storage formats: their elements are cast before anything is computed, as in TensorFlow. */
export const narrowDTypes: readonly DType[] = [
  "float8_e5m2",
  "float8_e4m3fn",
  "float8_e4m3fnuz",
  "float8_e4m3b11fnuz",
  "float8_e5m2fnuz",
  "int4",
  "uint4",
  "int2",
  "uint2",
  "float4_e2m1fn",
];

/** Quantized integers: they are only moved. */
export const quantizedDTypes: readonly DType[] = ["qint8", "quint8", "qint32", "qint16", "quint16"];

/** Floats and integers. */
export const realDTypes: readonly DType[] = [...floatDTypes, ...integerDTypes];

/** Everything arithmetic is defined for. */
export const numericDTypes: readonly DType[] = [...realDTypes, ...complexDTypes];

/** Everything that can be cast, in both directions. */
export const castDTypes: readonly DType[] = [...numericDTypes, "bool", ...narrowDTypes];

/** Everything that can be moved: every dtype with bytes. */
export const rawDTypes: readonly DType[] = [...castDTypes, ...quantizedDTypes];

const floats: ReadonlySet<string> = new Set<string>(floatDTypes);
const integers: ReadonlySet<string> = new Set<string>(integerDTypes);

/** Whether elements are numbers with a fraction that compute. */
export function isFloat(dtype: DType): dtype is FloatDType {
  return floats.has(dtype);
}

/** Whether elements are integers that compute. */
export function isInteger(dtype: DType): dtype is IntegerDType {
  return integers.has(dtype);
}

/** Whether elements are pairs. */
export function isComplexDType(dtype: DType): dtype is ComplexDType {
  return dtype === "complex64" || dtype === "complex128";
}

/** Whether elements are bigints. */
export function isBig(dtype: DType): dtype is "int64" | "uint64" {
  return dtype === "int64" || dtype === "uint64";
}
