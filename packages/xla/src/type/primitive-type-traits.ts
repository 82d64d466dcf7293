/**
 * Properties of primitive types: what kind of numbers a type holds, and how wide they are (xla/primitive_util.h).
 *
 * Quirk: PRED has a bit width of 1 and a byte width of 1; in memory an element takes a byte. Other types below 8 bits take
 * a byte too, unless the layout's element size packs them.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { PrimitiveTypeLike } from "./primitive-type.ts";
import { PrimitiveType, primitiveTypeName, toPrimitiveType } from "./primitive-type.ts";

/** The kind of each type, by number: p pred, s signed, u unsigned, f floating-point, c complex; then the bits. "" if not an array type. */
const kKinds: readonly string[] =
  " p1 s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 - - c64 f16 - c128 f8 f8 s4 u4 f8 f8 f8 s2 u2 f8 f8 s1 u1 f4 f8 -"
    .split(" ")
    .map((kind) => (kind === "-" ? "" : kind));

/** The bits of each type, by number; 0 if it is not an array type. */
const kBits: readonly number[] = kKinds.map((kind) => Number(kind.slice(1)));

/** Returns the letter of the type's kind; "" if the number is unknown or the type is not an array type. */
function letter(type: PrimitiveType): string {
  return ((typeof type === "number" ? kKinds[type] : undefined) ?? "").charAt(0);
}

/**
 * Returns true if arrays can have elements of this type: all types but tuple, opaque, token, buffer and the invalid type
 * (IsArrayType).
 *
 * @example
 * isArrayType(PrimitiveType.PRED); // => true
 * isArrayType(PrimitiveType.TOKEN); // => false
 */
export function isArrayType(type: PrimitiveType): boolean {
  return letter(type) !== "";
}

/**
 * Returns true if the type holds real floating-point numbers; complex types do not count (IsFloatingPointType).
 *
 * @example
 * isFloatingPointType(PrimitiveType.BF16); // => true
 * isFloatingPointType(PrimitiveType.C64); // => false
 */
export function isFloatingPointType(type: PrimitiveType): boolean {
  return letter(type) === "f";
}

/**
 * Returns true if the type holds complex numbers (IsComplexType).
 *
 * @example
 * isComplexType(PrimitiveType.C128); // => true
 */
export function isComplexType(type: PrimitiveType): boolean {
  return letter(type) === "c";
}

/**
 * Returns true if the type holds integers; PRED does not count (IsIntegralType).
 *
 * @example
 * isIntegralType(PrimitiveType.U4); // => true
 * isIntegralType(PrimitiveType.PRED); // => false
 */
export function isIntegralType(type: PrimitiveType): boolean {
  return isSignedIntegralType(type) || isUnsignedIntegralType(type);
}

/**
 * Returns true if the type holds signed integers (IsSignedIntegralType).
 *
 * @example
 * isSignedIntegralType(PrimitiveType.S1); // => true
 */
export function isSignedIntegralType(type: PrimitiveType): boolean {
  return letter(type) === "s";
}

/**
 * Returns true if the type holds unsigned integers (IsUnsignedIntegralType).
 *
 * @example
 * isUnsignedIntegralType(PrimitiveType.U8); // => true
 */
export function isUnsignedIntegralType(type: PrimitiveType): boolean {
  return letter(type) === "u";
}

/**
 * Returns true if the type is an array type other than PRED with fewer than 8 bits (IsSubByteNonPredType).
 *
 * @example
 * isSubByteNonPredType(PrimitiveType.F4E2M1FN); // => true
 * isSubByteNonPredType(PrimitiveType.PRED); // => false
 */
export function isSubByteNonPredType(type: PrimitiveType): boolean {
  return isArrayType(type) && type !== PrimitiveType.PRED && bitWidth(type) < 8;
}

/**
 * Returns the number of bits of one element (BitWidth). Throws INVALID_ARGUMENT if the type is not an array type (XLA aborts).
 *
 * @example
 * bitWidth("c128"); // => 128
 * bitWidth("pred"); // => 1
 * bitWidth("tuple"); // throws INVALID_ARGUMENT
 */
export function bitWidth(type: PrimitiveTypeLike): number {
  const number = toPrimitiveType(type);
  const bits = kBits[number]!;
  if (bits === 0) throw new InvalidArgumentError(`${primitiveTypeName(number)} is an invalid type for BitWidth`);
  return bits;
}

/**
 * Returns the number of bytes of one element in memory, the bits rounded up (ByteWidth, ByteSizeOfPrimitiveType). Throws
 * INVALID_ARGUMENT if the type is not an array type.
 *
 * @example
 * byteWidth("s4"); // => 1
 * byteWidth(PrimitiveType.F64); // => 8
 */
export function byteWidth(type: PrimitiveTypeLike): number {
  return Math.ceil(bitWidth(type) / 8);
}
