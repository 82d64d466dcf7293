/**
 * PrimitiveType: XLA's element type numbers (xla/xla_data.proto).
 *
 * The number is the value of field 2 of a shape message; numbers are never reused. In text a type is written in lower
 * case, `f32`, `pred`, `f8e4m3fn`; OPAQUE_TYPE (called OPAQUE in 2017) is written `opaque`. These numbers differ from
 * TensorFlow's DataType numbers: `dataTypeToPrimitiveType` converts.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";

/**
 * XLA's PrimitiveType numbers by their names in the proto.
 *
 * @example
 * PrimitiveType.F32; // => 11
 * PrimitiveType.PRED; // => 1
 * PrimitiveType.BUFFER; // => 34
 */
export const PrimitiveType = {
  PRIMITIVE_TYPE_INVALID: 0,
  PRED: 1,
  S8: 2,
  S16: 3,
  S32: 4,
  S64: 5,
  U8: 6,
  U16: 7,
  U32: 8,
  U64: 9,
  F16: 10,
  F32: 11,
  F64: 12,
  TUPLE: 13,
  OPAQUE_TYPE: 14,
  C64: 15,
  BF16: 16,
  TOKEN: 17,
  C128: 18,
  F8E5M2: 19,
  F8E4M3FN: 20,
  S4: 21,
  U4: 22,
  F8E4M3B11FNUZ: 23,
  F8E5M2FNUZ: 24,
  F8E4M3FNUZ: 25,
  S2: 26,
  U2: 27,
  F8E4M3: 28,
  F8E3M4: 29,
  S1: 30,
  U1: 31,
  F4E2M1FN: 32,
  F8E8M0FNU: 33,
  BUFFER: 34,
} as const;

/** A name of the proto's enum: `"F32"`, `"OPAQUE_TYPE"`, … */
export type PrimitiveTypeKey = keyof typeof PrimitiveType;

/** One of XLA's PrimitiveType numbers. */
export type PrimitiveType = (typeof PrimitiveType)[PrimitiveTypeKey];

/** The lower-case name of a type in shape text: `"f32"`, `"opaque"`, … */
export type PrimitiveTypeName = Exclude<Lowercase<PrimitiveTypeKey>, "opaque_type"> | "opaque";

/** A type given by its number or its name. Functions that make shapes accept either. */
export type PrimitiveTypeLike = PrimitiveType | PrimitiveTypeName;

const kNames: readonly string[] = Object.keys(PrimitiveType).map((key) => (key === "OPAQUE_TYPE" ? "opaque" : key.toLowerCase()));

/** Numbers by name. A Map rather than an object, in which "constructor" would be found. As in XLA, the invalid type has no entry. */
const kByName: ReadonlyMap<unknown, PrimitiveType> = new Map(kNames.slice(1).map((name, i) => [name, (i + 1) as PrimitiveType]));

/**
 * Returns true if `value` is the number of a type; the invalid type 0 does not count (PrimitiveType_IsValid and the check
 * of ValidateShape in one).
 *
 * @example
 * primitiveTypeNumberIsValid(34); // => true
 * primitiveTypeNumberIsValid(35); // => false
 * primitiveTypeNumberIsValid(0); // => false
 */
export function primitiveTypeNumberIsValid(value: unknown): value is PrimitiveType {
  return (
    typeof value === "number" && Number.isInteger(value) && value > PrimitiveType.PRIMITIVE_TYPE_INVALID && value <= PrimitiveType.BUFFER
  );
}

/**
 * Returns the name of a type in text (LowercasePrimitiveTypeName). Throws INVALID_ARGUMENT if `type` is not a type's number.
 *
 * @example
 * primitiveTypeName(PrimitiveType.F8E4M3FN); // => "f8e4m3fn"
 * primitiveTypeName(PrimitiveType.OPAQUE_TYPE); // => "opaque"
 * primitiveTypeName(35 as PrimitiveType); // throws INVALID_ARGUMENT
 */
export function primitiveTypeName(type: PrimitiveType): PrimitiveTypeName {
  const name = typeof type === "number" ? kNames[type] : undefined;
  if (name === undefined) throw new InvalidArgumentError(`Invalid element type: ${shownValue(type)}`);
  return name as PrimitiveTypeName;
}

/**
 * Returns the type with a lower-case name (StringToPrimitiveType). Throws INVALID_ARGUMENT for an unknown name.
 *
 * @example
 * primitiveTypeFromName("bf16"); // => PrimitiveType.BF16
 * primitiveTypeFromName("F32"); // throws INVALID_ARGUMENT
 */
export function primitiveTypeFromName(name: string): PrimitiveType {
  const type = kByName.get(name);
  if (type === undefined) throw new InvalidArgumentError(`Invalid element type string: '${shownValue(name)}'`);
  return type;
}

/** Returns true if `name` is the lower-case name of a type. */
export function isPrimitiveTypeName(name: unknown): name is PrimitiveTypeName {
  return kByName.has(name);
}

/** Returns the number of a type given by number or name. Throws INVALID_ARGUMENT for any other value and for the invalid type. */
export function toPrimitiveType(type: PrimitiveTypeLike): PrimitiveType {
  if (typeof type === "string") return primitiveTypeFromName(type);
  if (!primitiveTypeNumberIsValid(type)) throw new InvalidArgumentError(`Invalid element type: ${shownValue(type)}`);
  return type;
}
