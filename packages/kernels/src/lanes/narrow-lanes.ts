/**
 * narrow-lanes: loads and stores of the narrow dtypes, whose elements are patterns of 8, 4 or 2 bits in a byte (ml_dtypes). In lanes floats
 * of 8 and 4 bits are float32, and integers of 4 and 2 bits are bytes with their value.
 *
 *     float8_e4m3fn   s eeee mmm   ->   float32   s eeeeeeee mmm00000000000000000000     the exponents differ by their biases
 *     int4            .... 1111    ->   int8      11111111                               bits above the value are ignored
 *
 * Patterns are those of the codecs of @onebuffer/base, which compute one element at a time: what infinity and NaN become is asked of them.
 */
import type { DType } from "@onebuffer/base";
import { dtypeRows, isSmallDType, smallCodec } from "@onebuffer/base/internal";
import type { SmallDType } from "@onebuffer/base/internal";
import type { Vector } from "@onebuffer/wasm/internal";
import { mapLanes } from "./lanes.ts";
import type { Lanes } from "./lanes.ts";

/** Returns true for floats of 8 and 4 bits. */
export const isNarrowFloat = (dtype: DType): dtype is SmallDType => isSmallDType(dtype) && dtypeRows[dtype].float !== undefined;

/** Returns true for integers of 4 and 2 bits. */
export const isNarrowInteger = (dtype: DType): boolean => isSmallDType(dtype) && dtypeRows[dtype].float === undefined;

/** Returns the integers of 8 bits that have the values of a narrow integer dtype in lanes. */
export const byteDTypeOf = (dtype: DType): "int8" | "uint8" => (dtypeRows[dtype].class === "smallUint" ? "uint8" : "int8");

/** Returns bytes as the elements of a narrow integer dtype that their lowest bits are: those above are the sign, or 0. */
export function narrowIntegers(value: Lanes, dtype: DType): Lanes {
  const { bits } = dtypeRows[dtype];
  const lowest = mapLanes(value, (vector) => narrowBits(vector, bits));
  const sign = 2 ** (bits - 1);
  return byteDTypeOf(dtype) === "uint8" ? lowest : mapLanes(lowest, (vector) => vector.xor(sign).sub(sign));
}

/** Returns the patterns of narrow integers, with zeros above them. */
export const narrowPatterns = (value: Lanes, dtype: DType): Lanes => mapLanes(value, (vector) => narrowBits(vector, dtypeRows[dtype].bits));

const narrowBits = (vector: Vector, bits: number): Vector => vector.and(2 ** bits - 1);

/** The format of a narrow float dtype. */
interface NarrowFormat {
  readonly bits: number;
  readonly mantissaBits: number;
  readonly bias: number;
  /** The patterns of the largest finite number, of infinity and of NaN. */
  readonly largest: number;
  readonly infinity: number;
  readonly nan: number;
  readonly hasInfinity: boolean;
  /** True if the pattern of -0 is NaN. */
  readonly isZeroUnsigned: boolean;
}

function formatOf(dtype: SmallDType): NarrowFormat {
  const { bits, float } = dtypeRows[dtype];
  const [significandBits, leastExponent, largest] = float!;
  const [decode, encode] = smallCodec(dtype);
  const mantissaBits = significandBits - 1;
  return {
    bits,
    mantissaBits,
    bias: 1 - mantissaBits - leastExponent,
    largest: encode(largest),
    infinity: encode(Infinity),
    nan: encode(NaN),
    hasInfinity: decode(encode(Infinity)) === Infinity,
    isZeroUnsigned: Number.isNaN(decode(2 ** (bits - 1))),
  };
}

/** Converts the patterns of a narrow float dtype, in the lowest bytes of 32-bit lanes, to float32, exactly. */
export function patternsToFloats(value: Lanes, dtype: SmallDType): Lanes {
  const format = formatOf(dtype);
  const { bits, mantissaBits, bias } = format;
  const sign = 2 ** (bits - 1);
  return mapLanes(value, (vector) => {
    const pattern = vector.as("u32x4");
    const magnitude = pattern.and(sign - 1);
    const normal = magnitude
      .shl(23 - mantissaBits)
      .add((127 - bias) << 23)
      .as("f32x4");
    // A conversion: a product of a denormal float32 would take a hundred cycles.
    const denormal = magnitude
      .as("i32x4")
      .toF32()
      .mul(2 ** (1 - bias - mantissaBits));
    const size = magnitude.lt(2 ** mantissaBits).select(denormal, normal);
    return withSpecialNumbers(format, pattern, size.as("u32x4").or(pattern.and(sign).shl(32 - bits)));
  });
}

/** The bits of the canonical NaN, and of infinity, of float32. */
const kNaN = 0x7fc00000;
const kInfinity = 0x7f800000;

/**
 * Returns the numbers of patterns, given those that they would be if all were finite, as bits of float32. All tests are of bits: shaders may take
 * for granted that no number is NaN.
 */
function withSpecialNumbers({ bits, largest, hasInfinity, isZeroUnsigned }: NarrowFormat, pattern: Vector, words: Vector): Vector {
  const sign = 2 ** (bits - 1);
  if (isZeroUnsigned) return pattern.eq(sign).select(kNaN, words).as("f32x4");
  if (largest === sign - 1) return words.as("f32x4");
  const magnitude = pattern.and(sign - 1);
  const special = hasInfinity ? magnitude.gt(largest + 1).select(kNaN, words.or(kInfinity)) : kNaN;
  return magnitude.gt(largest).select(special, words).as("f32x4");
}

/**
 * Converts float32 to the nearest patterns of a narrow float dtype, ties to even, in the lowest bytes of 32-bit lanes. NaN has one pattern,
 * with whatever sign.
 */
export function floatsToPatterns(value: Lanes, dtype: SmallDType): Lanes {
  const { bits, mantissaBits, bias, largest, infinity, nan, isZeroUnsigned } = formatOf(dtype);
  const dropped = 23 - mantissaBits;
  const leastNormal = 128 - bias;
  return mapLanes(value, (vector) => {
    const word = vector.as("u32x4");
    const magnitude = word.and(0x7fffffff);
    const sign = word.shr(32 - bits).and(2 ** (bits - 1));
    // `power` has the weight of the last bit that is kept as the weight of its own last bit: the sum is rounded to that bit. As in the
    // conversion to float16, the bits of the sum above those of `power` count such units, and the exponent is added above them. Where the
    // exponent of `power` is beyond that of float32, the pattern is above the largest all the same.
    const power = magnitude
      .and(0x7f800000)
      .max(leastNormal << 23)
      .add(dropped << 23);
    const places = magnitude.as("f32x4").add(power.as("f32x4")).as("u32x4").sub(power);
    const pattern = power
      .shr(dropped)
      .sub((leastNormal + dropped) << mantissaBits)
      .add(places);
    const signed = pattern.gt(largest).select(infinity, pattern).or(sign);
    const number = isZeroUnsigned ? pattern.eq(0).select(0, signed) : signed;
    return magnitude.gt(kInfinity).select(nan, number);
  });
}
