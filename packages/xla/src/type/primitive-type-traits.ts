/**
 * What kind of numbers a primitive type holds, and how wide they are (xla/primitive_util.h).
 *
 * Quirk: PRED has a bit width of 1 and a byte width of 1; in memory it takes a byte. Types below a byte take a byte too,
 * unless the layout's element size packs them.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import type { PrimitiveTypeLike } from "./primitive-type.ts";
import { PrimitiveType, primitiveTypeName, toPrimitiveType } from "./primitive-type.ts";

/** p pred, s signed, u unsigned, f floating, c complex; then the bits. By number, "" for what is no array's type. */
const kKinds: readonly string[] =
  " p1 s8 s16 s32 s64 u8 u16 u32 u64 f16 f32 f64 - - c64 f16 - c128 f8 f8 s4 u4 f8 f8 f8 s2 u2 f8 f8 s1 u1 f4 f8 -"
    .split(" ")
    .map((kind) => (kind === "-" ? "" : kind));

/** Bits by number, 0 for what is no array's type. */
const kBits: readonly number[] = kKinds.map((kind) => Number(kind.slice(1)));

/** The kind's letter, "" for what is no array's type and for no type at all. */
function letter(type: PrimitiveType): string {
  return ((typeof type === "number" ? kKinds[type] : undefined) ?? "").charAt(0);
}

/**
 * Whether arrays have elements of this type: all but tuple, opaque, token, buffer and the invalid type (IsArrayType).
 *
 * @example
 * isArrayType(PrimitiveType.PRED); // => true
 * isArrayType(PrimitiveType.TOKEN); // => false
 */
export function isArrayType(type: PrimitiveType): boolean {
  return letter(type) !== "";
}

/**
 * Whether the type holds real floating-point numbers; complex types do not count (IsFloatingPointType).
 *
 * @example
 * isFloatingPointType(PrimitiveType.BF16); // => true
 * isFloatingPointType(PrimitiveType.C64); // => false
 */
export function isFloatingPointType(type: PrimitiveType): boolean {
  return letter(type) === "f";
}

/**
 * Whether the type holds complex numbers (IsComplexType).
 *
 * @example
 * isComplexType(PrimitiveType.C128); // => true
 */
export function isComplexType(type: PrimitiveType): boolean {
  return letter(type) === "c";
}

/**
 * Whether the type holds integers; PRED does not (IsIntegralType).
 *
 * @example
 * isIntegralType(PrimitiveType.U4); // => true
 * isIntegralType(PrimitiveType.PRED); // => false
 */
export function isIntegralType(type: PrimitiveType): boolean {
  return isSignedIntegralType(type) || isUnsignedIntegralType(type);
}

/**
 * Whether the type holds signed integers (IsSignedIntegralType).
 *
 * @example
 * isSignedIntegralType(PrimitiveType.S1); // => true
 */
export function isSignedIntegralType(type: PrimitiveType): boolean {
  return letter(type) === "s";
}

/**
 * Whether the type holds unsigned integers (IsUnsignedIntegralType).
 *
 * @example
 * isUnsignedIntegralType(PrimitiveType.U8); // => true
 */
export function isUnsignedIntegralType(type: PrimitiveType): boolean {
  return letter(type) === "u";
}

/**
 * Whether an array's type, other than PRED, has fewer than 8 bits (IsSubByteNonPredType).
 *
 * @example
 * isSubByteNonPredType(PrimitiveType.F4E2M1FN); // => true
 * isSubByteNonPredType(PrimitiveType.PRED); // => false
 */
export function isSubByteNonPredType(type: PrimitiveType): boolean {
  return isArrayType(type) && type !== PrimitiveType.PRED && bitWidth(type) < 8;
}

/**
 * Bits of one element (BitWidth). Throws INVALID_ARGUMENT for types that no array has (XLA: fatal).
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
 * Bytes of one element in memory, bits rounded up (ByteWidth, ByteSizeOfPrimitiveType). Throws INVALID_ARGUMENT for types
 * that no array has.
 *
 * @example
 * byteWidth("s4"); // => 1
 * byteWidth(PrimitiveType.F64); // => 8
 */
export function byteWidth(type: PrimitiveTypeLike): number {
  return Math.ceil(bitWidth(type) / 8);
}
