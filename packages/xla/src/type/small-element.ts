/**
 * The small element types as numbers: what each bit pattern of at most 8 bits stands for, and which pattern a number
 * rounds to (xla/types.h, ml_dtypes).
 *
 *     type       exponent, mantissa bits   bias   largest   infinity   NaN              negative zero
 *     f8e4m3              4, 3               7      240     78, f8     79..7f, f9..ff   yes
 *     f8e3m4              3, 4               3      15.5    70, f0     71..7f, f1..ff   yes
 *     f8e8m0fnu           8, 0             127    2^127     none       ff               no sign, no zero
 *
 * The float8 types that TensorFlow knows, f4e2m1fn and the 4-bit and 2-bit integers come from base.
 */
import type { Float8DType } from "@onebuffer/base";
import {
  elementCodec,
  float4E2m1fnToFloat,
  float8Table,
  floatToFloat4E2m1fn,
  int2Bits,
  int4Bits,
  InvalidArgumentError,
  toInt2,
  toInt4,
  toUint2,
  toUint4,
} from "@onebuffer/base";
import { PrimitiveType, primitiveTypeName } from "./primitive-type.ts";
import { primitiveTypeToDType } from "./primitive-type-data-type.ts";

/** A type of at most 8 bits. */
export interface SmallElement {
  /** The value of each of the 256 bytes; what lies above the type's bits is ignored. */
  readonly values: Float32Array<ArrayBuffer>;
  /** The pattern of a number: integers wrap, floats round to nearest even. */
  bitsOf(value: number): number;
}

const kScratch = new DataView(new ArrayBuffer(1));
const kKnown = new Map<PrimitiveType, SmallElement>();

/** The small element of a type. Always the same object. Throws INVALID_ARGUMENT for a type that is not small. */
export function smallElement(type: PrimitiveType): SmallElement {
  const known = kKnown.get(type);
  if (known !== undefined) return known;
  const made = makeSmallElement(type);
  kKnown.set(type, made);
  return made;
}

function makeSmallElement(type: PrimitiveType): SmallElement {
  switch (type) {
    case PrimitiveType.S4:
      return coded(toInt4, int4Bits);
    case PrimitiveType.U4:
      return coded(toUint4, toUint4);
    case PrimitiveType.S2:
      return coded(toInt2, int2Bits);
    case PrimitiveType.U2:
      return coded(toUint2, toUint2);
    case PrimitiveType.S1:
      return coded(
        (bits) => ((bits & 1) === 0 ? 0 : -1),
        (value) => value & 1,
      );
    case PrimitiveType.U1:
      return coded(
        (bits) => bits & 1,
        (value) => value & 1,
      );
    case PrimitiveType.F8E4M3:
      return minifloat(4, 3, 7);
    case PrimitiveType.F8E3M4:
      return minifloat(3, 4, 3);
    case PrimitiveType.F4E2M1FN:
      return coded(float4E2m1fnToFloat, floatToFloat4E2m1fn);
    case PrimitiveType.F8E8M0FNU:
      return powerOfTwo();
    case PrimitiveType.F8E5M2:
    case PrimitiveType.F8E4M3FN:
    case PrimitiveType.F8E4M3B11FNUZ:
    case PrimitiveType.F8E5M2FNUZ:
    case PrimitiveType.F8E4M3FNUZ:
      return float8(primitiveTypeToDType(type) as Float8DType);
    default:
      throw new InvalidArgumentError(`${primitiveTypeName(type)} is not an element type of at most 8 bits in a table`);
  }
}

/** A type of 4 bits or fewer, by the functions of its codec. */
function coded(valueOf: (bits: number) => number, bitsOf: (value: number) => number): SmallElement {
  return { values: Float32Array.from({ length: 256 }, (_, bits) => valueOf(bits)), bitsOf };
}

/** A type of base's; its codec has the rounding. */
function float8(dtype: Float8DType): SmallElement {
  const codec = elementCodec(dtype);
  return {
    values: float8Table(dtype),
    bitsOf(value) {
      codec.write(kScratch, 0, value);
      return kScratch.getUint8(0);
    },
  };
}

/** Sign, exponent, mantissa as in IEEE 754: the largest exponent holds infinity and NaN. */
function minifloat(exponentBits: number, mantissaBits: number, bias: number): SmallElement {
  const signBit = 1 << (exponentBits + mantissaBits);
  const infinity = ((1 << exponentBits) - 1) << mantissaBits;
  const magnitudes = Array.from({ length: infinity + 1 }, (_, bits) => magnitudeOf(bits, mantissaBits, bias));
  const values = Float32Array.from({ length: 256 }, (_, byte) => {
    const bits = byte & (signBit - 1);
    const magnitude = bits < infinity ? magnitudes[bits]! : bits === infinity ? Infinity : Number.NaN;
    return (byte & signBit) === 0 ? magnitude : -magnitude;
  });
  return {
    values,
    bitsOf(value) {
      if (Number.isNaN(value)) return infinity | (1 << (mantissaBits - 1));
      // Rounded as if the numbers went on beyond the largest; what lands there is infinite.
      return nearest(magnitudes, Math.abs(value)) | (value < 0 || Object.is(value, -0) ? signBit : 0);
    },
  };
}

function magnitudeOf(bits: number, mantissaBits: number, bias: number): number {
  const exponent = bits >> mantissaBits;
  const fraction = (bits & ((1 << mantissaBits) - 1)) / (1 << mantissaBits);
  return exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias);
}

/** An exponent alone: pattern b is 2^(b - 127). A number without one, zero and below, or too large, is NaN; zero is 2^-127. */
function powerOfTwo(): SmallElement {
  const powers = Array.from({ length: 256 }, (_, bits) => 2 ** (bits - 127));
  return {
    values: Float32Array.from(powers, (power, bits) => (bits === 255 ? Number.NaN : power)),
    bitsOf: (value) => (value >= 0 ? nearest(powers, value) : 255),
  };
}

/** The place of the nearest number in an ascending list; of two equally near, the even place. */
function nearest(ascending: readonly number[], value: number): number {
  let low = 0;
  let high = ascending.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (ascending[middle]! <= value) low = middle;
    else high = middle - 1;
  }
  const [below, above] = [ascending[low]!, ascending[low + 1]];
  if (above === undefined) return low;
  const [down, up] = [value - below, above - value];
  return down < up || (down === up && low % 2 === 0) ? low : low + 1;
}
