/**
 * lane-numbers: casts between the numbers in lanes (Eigen's pcast, TensorFlow's CastFunctor).
 *
 *     integer -> wider integer     extend, with the sign of the source        integer -> narrower      cut off
 *     integer -> float             exact or rounded to nearest even           float -> integer         cut off, towards zero
 *     float -> float16, bfloat16   rounded to nearest even, NaN made canonical, kept as float32
 *
 * What is out of an integer's range is what x86 makes of it, as in TensorFlow: of 8 and 16 bits the lower bits of the
 * 32-bit integer, -2^31 of int32, -2^63 of int64; unsigned ones of 32 and 64 bits wrap around from -2^31 or -2^63 on, and are 2^31 or
 * 2^63 beyond. docs/expressions.md has the table. A saturating cast clips first, in the lanes that it comes from.
 */
import type { DType } from "@onebuffer/base";
import { saturationRange } from "../../expression/inference/saturation.ts";
import { kindOf, laneWidth, lanesOf, mapLanes, maskOfWidth } from "../plan/lanes.ts";
import type { Lanes } from "../plan/lanes.ts";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

/** Two neighbours at a time; the last is paired with itself where there is no other. */
function pairs(value: Lanes, f: (low: Vector, high: Vector) => Vector): Lanes {
  const { vectors } = value;
  const made = Array.from({ length: Math.ceil(vectors.length / 2) }, (_, i) => f(vectors[2 * i]!, vectors[2 * i + 1] ?? vectors[2 * i]!));
  return { vectors: made, uniform: value.uniform };
}

/** The lower and the upper half of each vector; of a uniform value the lower is all there is. */
function halves(value: Lanes, low: (vector: Vector) => Vector, high: (vector: Vector) => Vector): Lanes {
  if (value.uniform) return mapLanes(value, low);
  return lanesOf(value.vectors.flatMap((vector) => [low(vector), high(vector)]));
}

const isUnsignedKind = (kind: VectorKind): boolean => kind.startsWith("u");

/** Integers with lanes of another width, kept modulo 2^bits; the sign is that of the source. */
export function resizeIntegers(value: Lanes, kind: VectorKind): Lanes {
  let lanes = value;
  const from = lanes.vectors[0]!.kind;
  while (laneBytes[lanes.vectors[0]!.kind] < laneBytes[kind]) {
    lanes = halves(
      lanes,
      (vector) => vector.extendLow(),
      (vector) => vector.extendHigh(),
    );
  }
  while (laneBytes[lanes.vectors[0]!.kind] > laneBytes[kind]) lanes = pairs(lanes, (low, high) => low.wrap(high));
  return from === kind ? lanes : mapLanes(lanes, (vector) => vector.as(kind));
}

/** float32 or 32-bit integers to float64: exact. */
export function widenFloats(value: Lanes): Lanes {
  return halves(
    value,
    (vector) => vector.lowToF64(),
    (vector) => vector.highToF64(),
  );
}

/** float64 to float32, to nearest even. */
export function narrowFloats(value: Lanes): Lanes {
  return pairs(value, (low, high) => low.demote(high));
}

/** 2^84 + 2^52, and with 2^63 added: what the two halves of a 64-bit integer carry with them as doubles. */
const kUnsignedBias = 2 ** 84 + 2 ** 52;
const kSignedBias = 2 ** 84 + 2 ** 63 + 2 ** 52;

/** 64-bit integers to float64, to nearest even: each half becomes the mantissa of a double, and their sum is rounded once. */
function longsToDoubles(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const bits = vector.as("u64x2");
    const signed = vector.kind === "i64x2";
    const high = bits
      .shr(32)
      .xor(signed ? 0x4530000080000000n : 0x4530000000000000n)
      .as("f64x2");
    const low = bits.and(0xffffffffn).or(0x4330000000000000n).as("f64x2");
    return high.sub(signed ? kSignedBias : kUnsignedBias).add(low);
  });
}

/** 64-bit integers to float32, rounded once: of large ones the lowest 11 bits are first made one that says "more". */
function longsToFloats(value: Lanes): Lanes {
  const odd = mapLanes(value, (vector) => {
    const signed = vector.kind === "i64x2";
    const large = signed
      ? vector
          .add(1n << 53n)
          .as("u64x2")
          .gt(1n << 54n)
      : vector.gt(1n << 53n);
    const rest = vector.and(0x7ffn).as("i64x2").ne(0n).as(vector.kind).and(0x800n);
    return large.select(vector.or(rest).and(-0x800n), vector);
  });
  return narrowFloats(longsToDoubles(odd));
}

/** Integers to float32 or float64. */
function integersToFloats(value: Lanes, kind: "f32x4" | "f64x2"): Lanes {
  const from = value.vectors[0]!.kind;
  if (laneBytes[from] === 8) return kind === "f64x2" ? longsToDoubles(value) : longsToFloats(value);
  const words = resizeIntegers(value, isUnsignedKind(from) ? "u32x4" : "i32x4");
  return kind === "f64x2" ? widenFloats(words) : mapLanes(words, (vector) => vector.toF32());
}

/** Doubles cut off to 64-bit integers: upper and lower half apart. What is out of range, or NaN, becomes -2^63. */
function doublesToLongs(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const whole = vector.trunc();
    const upper = whole.mul(2 ** -32).floor();
    const lower = whole.sub(upper.mul(2 ** 32));
    const high = upper.truncate(upper, "i32x4").extendLow().shl(32);
    const low = lower.truncate(lower, "u32x4").extendLow().as("i64x2");
    const inside = vector.abs().lt(2 ** 63);
    return inside.select(high.or(low), -(2n ** 63n));
  });
}

/** Doubles to unsigned 64-bit integers: from 2^63 on, less 2^63 and with the upper bit set. What is out of range becomes 2^63. */
function doublesToUnsignedLongs(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const large = vector.ge(2 ** 63).and(vector.lt(2 ** 64));
    const [lower] = doublesToLongs(lanesOf([large.select(vector.sub(2 ** 63), vector)])).vectors;
    return lower!.xor(large.and(-(2n ** 63n))).as("u64x2");
  });
}

/** Floats to 32-bit integers; what is out of range, or NaN, becomes -2^31. */
function floatsToInts(value: Lanes): Lanes {
  if (value.vectors[0]!.kind === "f32x4") return mapLanes(value, (vector) => vector.lt(2 ** 31).select(vector.toI32(), -(2 ** 31)));
  const inside = maskOfWidth(
    mapLanes(value, (vector) => vector.lt(2 ** 31)),
    4,
  );
  const cut = pairs(value, (low, high) => low.truncate(high, "i32x4"));
  return { vectors: cut.vectors.map((vector, i) => inside.vectors[i]!.select(vector, -(2 ** 31))), uniform: value.uniform };
}

/** Floats to unsigned 32-bit integers: those of signed ones wrap around; what is out of both ranges, or NaN, becomes 2^31. */
function floatsToUnsignedInts(value: Lanes): Lanes {
  const doubles = value.vectors[0]!.kind === "f32x4" ? widenFloats(value) : value;
  const lower = mapLanes(doubles, (vector) => {
    const inside = vector.lt(2 ** 32).and(vector.gt(-(2 ** 31) - 1));
    const whole = inside.select(vector.trunc(), 2 ** 31);
    return whole.sub(
      whole
        .mul(2 ** -32)
        .floor()
        .mul(2 ** 32),
    );
  });
  return pairs(lower, (low, high) => low.truncate(high, "u32x4"));
}

/** Floats to integers, as x86 has it. */
function floatsToIntegers(value: Lanes, kind: VectorKind): Lanes {
  if (laneBytes[kind] === 8) {
    const doubles = value.vectors[0]!.kind === "f32x4" ? widenFloats(value) : value;
    return kind === "i64x2" ? doublesToLongs(doubles) : doublesToUnsignedLongs(doubles);
  }
  if (kind === "u32x4") return floatsToUnsignedInts(value);
  return resizeIntegers(floatsToInts(value), kind);
}

/** The least and the largest value of an integer kind. */
export function integerRange(kind: VectorKind): readonly [low: bigint, high: bigint] {
  const bits = BigInt(laneBytes[kind] * 8);
  return isUnsignedKind(kind) ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/** Lanes clipped to a range; NaN stays. */
function clipLanes(value: Lanes, [low, high]: readonly [number | bigint, number | bigint]): Lanes {
  const { kind } = value.vectors[0]!;
  if (kind === "f32x4" || kind === "f64x2") return mapLanes(value, (vector) => vector.pmin(Number(high)).pmax(Number(low)));
  const [least, most] = integerRange(kind);
  return mapLanes(value, (vector) => {
    const above = low > least ? vector.max(low) : vector;
    return high < most ? above.min(high) : above;
  });
}

/** float32 to 8 or 16 bits by instructions that stop at the ends themselves; null where those are not the ends asked for. */
function narrowSaturated(value: Lanes, [low, high]: readonly [number | bigint, number | bigint], to: DType): Lanes | null {
  const kind = kindOf(to);
  const [least, most] = integerRange(kind);
  const narrows = kind === "i8x16" || kind === "u8x16" || kind === "i16x8" || kind === "u16x8";
  if (value.vectors[0]!.kind !== "f32x4" || !narrows || Number(least) !== low || Number(most) !== high) return null;
  const words = mapLanes(value, (vector) => vector.toI32());
  if (laneBytes[kind] === 2) return pairs(words, (a, b) => a.narrow(b, kind));
  return pairs(
    pairs(words, (a, b) => a.narrow(b, "i16x8")),
    (a, b) => a.narrow(b, kind),
  );
}

/** float32 rounded to the nearest float16, ties to even, as float32 again; NaN stays NaN. */
export function roundToHalf(value: Lanes): Lanes {
  return halvesToFloats(floatsToHalves(value));
}

/** float32 rounded to the nearest bfloat16, ties to even, as float32 again; NaN becomes the canonical one. */
export function roundToBfloat16(value: Lanes): Lanes {
  return mapLanes(value, (vector) =>
    bfloat16Word(vector)
      .and(0xffff0000 | 0)
      .as("f32x4"),
  );
}

/** The bits of a float32 without the sign. */
function magnitudeBits(vector: Vector): Vector {
  return vector.as("u32x4").and(0x7fffffff);
}

/** The float32 word whose upper half is the nearest bfloat16; the lower half is anything. */
function bfloat16Word(vector: Vector): Vector {
  const word = vector.as("u32x4");
  const rounded = word.shr(16).and(1).add(word).add(0x7fff);
  if (vector.source.guard(magnitudeBits(vector), 0x7f800000)) return rounded;
  return vector.eq(vector).select(rounded, 0x7fc00000);
}

/** 16 bits in the lower halves of 32-bit lanes, the upper halves zero, as 16-bit lanes. */
export function packHalves(value: Lanes): Lanes {
  return pairs(value, (low, high) => low.as("i32x4").narrow(high.as("i32x4"), "u16x8"));
}

/** float32 to the bits of bfloat16, in the lower halves of 32-bit lanes. */
export function floatsToBfloat16s(value: Lanes): Lanes {
  return mapLanes(value, (vector) => bfloat16Word(vector).shr(16));
}

/** The bits of bfloat16, in the lower halves of 32-bit lanes, to float32: exact. */
export function bfloat16sToFloats(value: Lanes): Lanes {
  return mapLanes(value, (vector) => vector.shl(16).as("f32x4"));
}

/** The bits of float16, in the lower halves of 32-bit lanes, to float32: exact, denormals too. */
export function halvesToFloats(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const bits = vector.as("u32x4");
    const magnitude = bits.and(0x7fff).shl(13);
    const finite = magnitude
      .as("f32x4")
      .mul(2 ** 112)
      .as("u32x4");
    // Infinity and NaN have the largest exponent, which the multiplication does not reach.
    const special = magnitude
      .as("i32x4")
      .ge(0x7c00 << 13)
      .as("u32x4")
      .and(0x7f800000);
    return finite.or(special).or(bits.and(0x8000).shl(16)).as("f32x4");
  });
}

/** float32 to the bits of the nearest float16, ties to even, in the lower halves of 32-bit lanes; NaN is 0x7e00 with its sign. */
export function floatsToHalves(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const magnitude = magnitudeBits(vector);
    const sign = vector.as("u32x4").shr(16).and(0x8000);
    // 2^13 times the power of two in x, or in the least normal float16: added, it has a float16's last place as its own, so
    // that the adder rounds. What then stands above it counts such places; the exponent is put above them.
    const power = magnitude
      .and(0x7f800000)
      .max(113 << 23)
      .add(13 << 23);
    const places = magnitude.as("f32x4").add(power.as("f32x4")).as("u32x4").sub(power);
    const finite = power
      .shr(13)
      .sub(126 << 10)
      .add(places)
      .or(sign);
    if (vector.source.guard(magnitude, kHalfEnd - 1)) return finite;
    const infinite = magnitude.gt(0x7f800000).as("u32x4").and(0x200).or(0x7c00).or(sign);
    return magnitude.ge(kHalfEnd).select(infinite, finite);
  });
}

/** The bits of 65520, from which on a float32 is nearer to infinity than to a float16. */
const kHalfEnd = 0x477ff000;

const isFloatDType = (dtype: DType): boolean => dtype === "float32" || dtype === "float64" || dtype === "float16" || dtype === "bfloat16";

/**
 * A value of one dtype as another: see the top of this file. Without `round`, what becomes float16 or bfloat16 is left to be
 * rounded by whoever stores it.
 */
export function castLanes(value: Lanes, from: DType, to: DType, saturate: boolean, round: boolean = true): Lanes {
  const range = saturate ? saturationRange(from, to) : null;
  if (range !== null) return narrowSaturated(value, range, to) ?? castLanes(clipLanes(value, range), from, to, false, round);
  if (from === to && from !== "float16" && from !== "bfloat16") return value;
  if (to === "bool")
    return mapLanes(value, (vector) =>
      vector.ne(vector.source.constant(vector.kind, laneBytes[vector.kind] === 8 && vector.kind !== "f64x2" ? 0n : 0)),
    );
  const kind = kindOf(to);
  if (from === "bool") {
    const ones = mapLanes(maskOfWidth(value, laneWidth(to)), (mask) => oneWhere(mask, kind));
    return ones;
  }
  if (isFloatDType(to)) return castToFloat(value, from, to, round);
  return isFloatDType(from) ? floatsToIntegers(value, kind) : resizeIntegers(value, kind);
}

/** 1 of the kind where the mask is set, else 0. */
export function oneWhere(mask: Vector, kind: VectorKind): Vector {
  const one = mask.source.constant(kind, laneBytes[kind] === 8 && kind !== "f64x2" ? 1n : 1);
  return mask.as(kind).and(one);
}

/** By way of float32, in which float64 is rounded a first time. */
function castToFloat(value: Lanes, from: DType, to: DType, round: boolean): Lanes {
  const source = value.vectors[0]!.kind;
  if (to === "float64") return source === "f32x4" ? widenFloats(value) : isFloatDType(from) ? value : integersToFloats(value, "f64x2");
  const single = source === "f64x2" ? narrowFloats(value) : source === "f32x4" ? value : integersToFloats(value, "f32x4");
  if (!round) return single;
  if (to === "float16") return roundToHalf(single);
  return to === "bfloat16" ? roundToBfloat16(single) : single;
}

/**
 * Sums of integers of a dtype, as i64x2, divided by how many they were, cut off towards 0. Of 64 bits by a scalar division;
 * means of at most 32 are exact without, because then the quotient of the nearest doubles is off by one at most, and the
 * rest shows it.
 */
export function integerMean(sum: Vector, count: Vector, dtype: DType): Vector {
  const toLong = (vector: Vector): Vector => castLanes(lanesOf([vector]), "float64", "int64", false).vectors[0]!;
  const divisor = toLong(count);
  if (laneWidth(dtype) === 8) return sum.source.longs(dtype === "int64" ? "i64.div_s" : "i64.div_u", sum, divisor);
  const doubles = castLanes(lanesOf([sum]), "int64", "float64", false).vectors[0]!;
  const quotient = toLong(doubles.div(count).trunc());
  const rest = sum.sub(quotient.mul(divisor));
  const below = sum.lt(0n);
  // Masks are -1: added they take one off.
  const tooLarge = rest.lt(0n).andNot(below).or(rest.le(divisor.neg()).and(below));
  const tooSmall = rest.ge(divisor).andNot(below).or(rest.gt(0n).and(below));
  return quotient.add(tooLarge).sub(tooSmall);
}
