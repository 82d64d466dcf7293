/**
 * The element types of at most 8 bits as numbers: the value of each bit pattern, and the pattern to which a number is
 * rounded (xla/types.h, ml_dtypes).
 *
 *     type       exponent, mantissa bits   bias   largest   infinity   NaN              negative zero
 *     f8e4m3              4, 3               7      240     78, f8     79..7f, f9..ff   yes
 *     f8e3m4              3, 4               3      15.5    70, f0     71..7f, f1..ff   yes
 *     f8e8m0fnu           8, 0             127    2^127     none       ff               no sign, no zero
 *
 * The small types that TensorFlow has come from @onebuffer/base.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isSmallDType, smallCodec } from "@onebuffer/base/internal";
import { PrimitiveType, primitiveTypeName } from "./primitive-type.ts";
import { dtypeOfType } from "./primitive-type-data-type.ts";

/** The conversions of a type of at most 8 bits. */
export interface SmallElement {
  /** The value of each of the 256 bytes; bits above the type's own are ignored. */
  readonly values: Float32Array<ArrayBuffer>;
  /** Returns the bit pattern of a number: integers wrap, floats round to nearest, ties to even. */
  bitsOf(value: number): number;
}

const kCache = new Map<PrimitiveType, SmallElement>();

/** Returns the conversions of a type, the same object at every call. Throws INVALID_ARGUMENT if the type is not one of those above. */
export function smallElement(type: PrimitiveType): SmallElement {
  const cached = kCache.get(type);
  if (cached !== undefined) return cached;
  const made = makeSmallElement(type);
  kCache.set(type, made);
  return made;
}

function makeSmallElement(type: PrimitiveType): SmallElement {
  const dtype = dtypeOfType(type);
  if (dtype !== null && isSmallDType(dtype)) return coded(...smallCodec(dtype));
  switch (type) {
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
    case PrimitiveType.F8E8M0FNU:
      return powerOfTwo();
    default:
      throw new InvalidArgumentError(`${primitiveTypeName(type)} is not an element type of at most 8 bits in a table`);
  }
}

/** Makes the conversions of a type of at most 8 bits from two functions. */
function coded(valueOf: (bits: number) => number, bitsOf: (value: number) => number): SmallElement {
  return { values: Float32Array.from({ length: 256 }, (_, bits) => valueOf(bits)), bitsOf };
}

/** Makes the conversions of a type laid out as in IEEE 754: sign, exponent, mantissa; the largest exponent means infinity and NaN. */
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
      // Rounds as if the finite numbers continued at the pattern of infinity: a number rounded to that pattern is infinite.
      return nearest(magnitudes, Math.abs(value)) | (value < 0 || Object.is(value, -0) ? signBit : 0);
    },
  };
}

function magnitudeOf(bits: number, mantissaBits: number, bias: number): number {
  const exponent = bits >> mantissaBits;
  const fraction = (bits & ((1 << mantissaBits) - 1)) / (1 << mantissaBits);
  return exponent === 0 ? fraction * 2 ** (1 - bias) : (1 + fraction) * 2 ** (exponent - bias);
}

/**
 * Makes the conversions of f8e8m0fnu, an exponent alone: pattern b is 2^(b - 127), and 255 is NaN. Zero becomes 2^-127;
 * negative numbers and numbers that are too large become NaN.
 */
function powerOfTwo(): SmallElement {
  const powers = Array.from({ length: 256 }, (_, bits) => 2 ** (bits - 127));
  return {
    values: Float32Array.from(powers, (power, bits) => (bits === 255 ? Number.NaN : power)),
    bitsOf: (value) => (value >= 0 ? nearest(powers, value) : 255),
  };
}

/** Returns the position of the nearest number in an ascending list; of two equally near, the even position. */
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
