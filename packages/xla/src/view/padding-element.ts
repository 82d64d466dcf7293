/**
 * The element that fills the padding of a 2017 layout, by element type (the PaddingValue of the r1.3 proto).
 *
 *     type            ZERO   ONE   LOWEST      HIGHEST    UNKNOWN
 *     f32, bf16, …    0      1     -Infinity   Infinity   NaN
 *     s8              0      1     -128        127        0
 *     pred            false  true  false       true       false
 *
 * Lowest and highest are the identities of a maximum and a minimum reduction, so they are infinities if the type has them.
 */
import type { Complex } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { PaddingValue, paddingValueName } from "../model/padding-value.ts";
import { PrimitiveType, primitiveTypeName } from "../type/primitive-type.ts";
import { bitWidth, isComplexType, isFloatingPointType, isUnsignedIntegralType } from "../type/primitive-type-traits.ts";
import type { Shape } from "../model/shape.ts";
import { shownShape } from "../model/shape.ts";
import { smallElement } from "../type/small-element.ts";

type Element = number | bigint | boolean | Complex;

/**
 * Returns the element that fills the padding of an array shape; zero if the layout names no padding value.
 *
 * Quirk: f8e8m0fnu has no zero; the stored element is then 2^-127.
 *
 * Throws INVALID_ARGUMENT for LOWEST_PAD and HIGHEST_PAD of a complex type.
 */
export function paddingElement(shape: Shape): Element {
  const type = shape.elementType;
  const padding = shape.layout?.paddingValue ?? PaddingValue.INVALID_PAD;
  if (type === PrimitiveType.PRED) return padding === PaddingValue.ONE_PAD || padding === PaddingValue.HIGHEST_PAD;
  if (isComplexType(type)) return complexPadding(padding, shape);
  const number = isFloatingPointType(type) ? floatPadding(padding, type) : integerPadding(padding, type);
  return type === PrimitiveType.S64 || type === PrimitiveType.U64 ? wide(padding, type) : number;
}

function complexPadding(padding: PaddingValue, shape: Shape): Complex {
  if (padding === PaddingValue.LOWEST_PAD || padding === PaddingValue.HIGHEST_PAD) {
    throw new InvalidArgumentError(
      `${paddingValueName(padding)} of ${primitiveTypeName(shape.elementType)}: complex numbers have no order (${shownShape(shape)})`,
    );
  }
  if (padding === PaddingValue.UNKNOWN_PAD) return [Number.NaN, Number.NaN];
  return [padding === PaddingValue.ONE_PAD ? 1 : 0, 0];
}

function floatPadding(padding: PaddingValue, type: PrimitiveType): number {
  switch (padding) {
    case PaddingValue.ONE_PAD:
      return 1;
    case PaddingValue.LOWEST_PAD:
      return extreme(type, Math.min);
    case PaddingValue.HIGHEST_PAD:
      return extreme(type, Math.max);
    case PaddingValue.UNKNOWN_PAD:
      return Number.NaN;
    default:
      return 0;
  }
}

/** Returns the lowest or the highest value: an infinity, or the extreme value among the patterns of a small type. */
function extreme(type: PrimitiveType, pick: (a: number, b: number) => number): number {
  const infinity = pick(-Infinity, Infinity);
  if (bitWidth(type) > 8) return infinity;
  return smallElement(type).values.reduce((best, value) => (Number.isNaN(value) ? best : pick(best, value)), -infinity);
}

function integerPadding(padding: PaddingValue, type: PrimitiveType): number {
  const bits = bitWidth(type);
  const isUnsigned = isUnsignedIntegralType(type);
  switch (padding) {
    case PaddingValue.ONE_PAD:
      return 1;
    case PaddingValue.LOWEST_PAD:
      return isUnsigned ? 0 : -(2 ** (bits - 1));
    case PaddingValue.HIGHEST_PAD:
      return isUnsigned ? 2 ** bits - 1 : 2 ** (bits - 1) - 1;
    default:
      return 0;
  }
}

function wide(padding: PaddingValue, type: PrimitiveType): bigint {
  const isUnsigned = type === PrimitiveType.U64;
  switch (padding) {
    case PaddingValue.ONE_PAD:
      return 1n;
    case PaddingValue.LOWEST_PAD:
      return isUnsigned ? 0n : -(2n ** 63n);
    case PaddingValue.HIGHEST_PAD:
      return isUnsigned ? 2n ** 64n - 1n : 2n ** 63n - 1n;
    default:
      return 0n;
  }
}
