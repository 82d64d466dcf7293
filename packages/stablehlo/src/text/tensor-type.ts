/**
 * Tensor types of StableHLO: an element type and sizes, written `tensor<2x3xf32>`.
 *
 * Quantized dtypes of onebuffer are plain integers of the same width here: expressions only move them.
 */
import type { DType, RawDType } from "@onebuffer/base";
import { InvalidArgumentError, isRawDType } from "@onebuffer/base";
import { dtypeRows, shownValue } from "@onebuffer/base/internal";
import type { DTypeCell } from "@onebuffer/base/internal";

/** The element types that modules contain. */
export type ElementType = DTypeCell<RawDType, "hlo">;

/** An element type and sizes. */
export interface TensorType {
  readonly element: ElementType;
  readonly dims: readonly number[];
}

/** Returns the element type of a dtype. Throws INVALID_ARGUMENT for dtypes whose elements are objects. */
export function elementTypeOf(dtype: DType): ElementType {
  if (!isRawDType(dtype)) throw new InvalidArgumentError(`StableHLO has no element type for ${shownValue(dtype)}`);
  return dtypeRows[dtype].hlo as ElementType;
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
