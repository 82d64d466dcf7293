/**
 * Tensor types of StableHLO: an element type and sizes, written `tensor<2x3xf32>`.
 *
 * Quantized dtypes of onebuffer are plain integers of the same width here: expressions only move them.
 */
import type { DType, RawDType } from "@onebuffer/base";
import { InvalidArgumentError, isRawDType } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/** The element types that modules contain. */
export type ElementType =
  | "i1"
  | "i2"
  | "i4"
  | "i8"
  | "i16"
  | "i32"
  | "i64"
  | "ui2"
  | "ui4"
  | "ui8"
  | "ui16"
  | "ui32"
  | "ui64"
  | "f32"
  | "f64"
  | "f16"
  | "bf16"
  | "f8E5M2"
  | "f8E4M3FN"
  | "f8E4M3FNUZ"
  | "f8E4M3B11FNUZ"
  | "f8E5M2FNUZ"
  | "f4E2M1FN"
  | "complex<f32>"
  | "complex<f64>";

const elementTypes: { readonly [D in RawDType]: ElementType } = {
  bool: "i1",
  int2: "i2",
  int4: "i4",
  int8: "i8",
  int16: "i16",
  int32: "i32",
  int64: "i64",
  uint2: "ui2",
  uint4: "ui4",
  uint8: "ui8",
  uint16: "ui16",
  uint32: "ui32",
  uint64: "ui64",
  qint8: "i8",
  qint16: "i16",
  qint32: "i32",
  quint8: "ui8",
  quint16: "ui16",
  float32: "f32",
  float64: "f64",
  float16: "f16",
  bfloat16: "bf16",
  float8_e5m2: "f8E5M2",
  float8_e4m3fn: "f8E4M3FN",
  float8_e4m3fnuz: "f8E4M3FNUZ",
  float8_e4m3b11fnuz: "f8E4M3B11FNUZ",
  float8_e5m2fnuz: "f8E5M2FNUZ",
  float4_e2m1fn: "f4E2M1FN",
  complex64: "complex<f32>",
  complex128: "complex<f64>",
};

/** An element type and sizes. */
export interface TensorType {
  readonly element: ElementType;
  readonly dims: readonly number[];
}

/** Returns the element type of a dtype. Throws INVALID_ARGUMENT for dtypes whose elements are objects. */
export function elementTypeOf(dtype: DType): ElementType {
  if (!isRawDType(dtype)) throw new InvalidArgumentError(`StableHLO has no element type for ${shownValue(dtype)}`);
  return elementTypes[dtype];
}

/** Returns a type as it is written in a module. */
export function typeText({ element, dims }: TensorType): string {
  return `tensor<${dims.map((size) => `${size}x`).join("")}${element}>`;
}

/** Returns the number of bits of an element of an integer or float type, 1 for i1. */
export function bitsOf(element: ElementType): number {
  return Number(/\d+/.exec(element)?.[0]);
}

/** Returns true for the element types of integers, i1 included. */
export function isIntegerType(element: ElementType): boolean {
  return /^u?i\d/.test(element);
}

/** Returns true for the element types of unsigned integers. */
export function isUnsignedType(element: ElementType): boolean {
  return element.startsWith("u");
}

/** Returns true for the element types of complex numbers. */
export function isComplexType(element: ElementType): element is "complex<f32>" | "complex<f64>" {
  return element.startsWith("c");
}

/** Returns the element type of the parts of complex numbers. */
export function partType(element: ElementType): ElementType {
  return element === "complex<f64>" ? "f64" : "f32";
}
