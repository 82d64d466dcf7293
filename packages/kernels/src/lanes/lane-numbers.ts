/**
 * lane-numbers: casts between the numbers in lanes (Eigen's pcast, TensorFlow's CastFunctor).
 *
 *     integer -> wider integer     extended with the sign of the source       integer -> narrower      truncated
 *     integer -> float             exact or rounded to nearest even           float -> integer         truncated towards zero
 *     float -> float16, bfloat16   rounded to nearest even, NaN made canonical, kept as float32; narrow floats likewise
 *
 * A float outside an integer's range becomes what x86 makes of it, as in TensorFlow. For 8 and 16 bits that is the lower bits of
 * the 32-bit integer; for int32 it is -2^31, and for int64 -2^63. For uint32 and uint64, values from -2^31 or -2^63 on wrap
 * around, and all others become 2^31 or 2^63. docs/expressions.md has the table. A saturating cast first clips, in the lanes of
 * the source.
 */
import type { DType } from "@onebuffer/base";
import { dtypeRows } from "@onebuffer/base/internal";
import { isComplexDType, saturationRange } from "@onebuffer/expression/internal";
import { kindOf, laneWidth, lanesOf, mapLanes, maskOfWidth } from "./lanes.ts";
import type { Lanes } from "./lanes.ts";
import { byteDTypeOf, floatsToPatterns, isNarrowFloat, isNarrowInteger, narrowIntegers, patternsToFloats } from "./narrow-lanes.ts";
import type { Vector, VectorKind } from "@onebuffer/wasm/internal";
import { laneBytes } from "@onebuffer/wasm/internal";

/**
 * Casts a value from one dtype to another: see the top of this file. Without `round`, a float16 or bfloat16 result stays
 * unrounded float32, and the code that stores it rounds it.
 */
export function castLanes(value: Lanes, from: DType, to: DType, saturate: boolean, round: boolean = true): Lanes {
  const range = saturate ? saturationRange(from, to) : null;
  if (range !== null) return narrowSaturated(value, range, to) ?? castLanes(clipLanes(value, range), from, to, false, round);
  if (from === to && from !== "float16" && from !== "bfloat16") return value;
  if (isNarrowInteger(to)) return narrowIntegers(castLanes(value, from, byteDTypeOf(to), false), to);
  if (to === "bool") return mapLanes(value, (vector) => vector.ne(0));
  const kind = kindOf(to);
  if (from === "bool") {
    return mapLanes(maskOfWidth(value, laneWidth(to)), (mask) => oneWhere(mask, kind));
  }
  if (isFloatDType(to)) return castToFloat(value, from, to, round);
  return isFloatDType(from) ? floatsToIntegers(value, kind) : resizeIntegers(value, kind);
}

/** Casts to a float dtype. float16 and bfloat16 are reached by way of float32, to which float64 is first rounded. */
function castToFloat(value: Lanes, from: DType, to: DType, round: boolean): Lanes {
  const source = value.vectors[0]!.kind;
  if (to === "float64") return source === "f32x4" ? widenFloats(value) : isFloatDType(from) ? value : integersToFloats(value, "f64x2");
  const single = source === "f64x2" ? narrowFloats(value) : source === "f32x4" ? value : integersToFloats(value, "f32x4");
  if (!round) return single;
  if (to === "float16") return roundToHalf(single);
  if (isNarrowFloat(to)) return patternsToFloats(floatsToPatterns(single, to), to);
  return to === "bfloat16" ? roundToBfloat16(single) : single;
}

/** Applies `f` to pairs of neighboring vectors. A last vector without a neighbor is paired with itself. */
function pairs(value: Lanes, f: (low: Vector, high: Vector) => Vector): Lanes {
  const { vectors } = value;
  const made = Array.from({ length: Math.ceil(vectors.length / 2) }, (_, i) => f(vectors[2 * i]!, vectors[2 * i + 1] ?? vectors[2 * i]!));
  return { vectors: made, uniform: value.uniform };
}

/** Returns the lower and the upper half of each vector. A uniform value needs only its lower half. */
function halves(value: Lanes, low: (vector: Vector) => Vector, high: (vector: Vector) => Vector): Lanes {
  if (value.uniform) return mapLanes(value, low);
  return lanesOf(value.vectors.flatMap((vector) => [low(vector), high(vector)]));
}

const isUnsignedKind = (kind: VectorKind): boolean => kind.startsWith("u");

/** Returns integers in lanes of another width, modulo 2^bits. The source determines whether they are extended with the sign. */
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

/** Converts float32 or 32-bit integers to float64, exactly. */
export function widenFloats(value: Lanes): Lanes {
  return halves(
    value,
    (vector) => vector.lowToF64(),
    (vector) => vector.highToF64(),
  );
}

/** Converts float64 to float32, rounded to nearest even. */
export function narrowFloats(value: Lanes): Lanes {
  return pairs(value, (low, high) => low.demote(high));
}

/** 2^84 + 2^52, and 2^84 + 2^63 + 2^52: the sums of the constants that are added to the two halves of a 64-bit integer as doubles. */
const kUnsignedBias = 2 ** 84 + 2 ** 52;
const kSignedBias = 2 ** 84 + 2 ** 63 + 2 ** 52;

/** Converts 64-bit integers to float64, rounded to nearest even. Each half becomes the mantissa of a double; their sum is rounded once. */
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

/** 2^52 + 2^51. The doubles from 2^52 on have the bits of this one plus an integer: integers within 2^51 of 0 become doubles by an addition. */
const kMagic = 2 ** 52 + 2 ** 51;
const kMagicBits = 0x4338000000000000n;

/**
 * Converts 64-bit integers to float32, rounded once: the lowest 11 bits of large integers are first replaced by one sticky bit. If other
 * code handles groups with integers outside [-2^51, 2^51), the conversion to double is exact and short.
 */
function longsToFloats(value: Lanes): Lanes {
  const guarded = value.vectors.map((vector) => {
    if (vector.kind === "u64x2") return vector.source.guard(vector.shr(32), 2 ** 19 - 1);
    return vector.source.guard(
      vector
        .add(1n << 51n)
        .as("u64x2")
        .shr(32),
      2 ** 20 - 1,
    );
  });
  if (guarded.every(Boolean)) return narrowFloats(mapLanes(value, (vector) => vector.add(kMagicBits).as("f64x2").sub(kMagic)));
  const odd = mapLanes(value, (vector) => {
    const signed = vector.kind === "i64x2";
    const large = signed
      ? vector
          .add(1n << 53n)
          .as("u64x2")
          .gt(1n << 54n)
      : vector.gt(1n << 53n);
    const sticky = vector.and(0x7ffn).as("i64x2").ne(0n).as(vector.kind).and(0x800n);
    return large.select(vector.or(sticky).and(-0x800n), vector);
  });
  return narrowFloats(longsToDoubles(odd));
}

/** Converts integers to float32 or float64. */
function integersToFloats(value: Lanes, kind: "f32x4" | "f64x2"): Lanes {
  const from = value.vectors[0]!.kind;
  if (laneBytes[from] === 8) return kind === "f64x2" ? longsToDoubles(value) : longsToFloats(value);
  const words = resizeIntegers(value, isUnsignedKind(from) ? "u32x4" : "i32x4");
  return kind === "f64x2" ? widenFloats(words) : mapLanes(words, (vector) => vector.toF32());
}

/**
 * Truncates doubles to signed 64-bit integers, upper and lower half separately. NaN and values out of range become -2^63. If other code
 * handles groups with values from 2^51 on, one addition puts the integer into the lower bits.
 */
function doublesToLongs(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const short = shortLong(vector);
    if (short !== null) return short;
    const whole = vector.trunc();
    const upper = whole.mul(2 ** -32).floor();
    const lower = whole.sub(upper.mul(2 ** 32));
    const high = upper.truncate(upper, "i32x4").extendLow().shl(32);
    const low = lower.truncate(lower, "u32x4").extendLow().as("i64x2");
    const inside = vector.abs().lt(2 ** 63);
    return inside.select(high.or(low), -(2n ** 63n));
  });
}

/** Truncates doubles below 2^51 to 64-bit integers, if other code handles groups with larger ones; otherwise returns null. */
function shortLong(vector: Vector): Vector | null {
  const magnitude = vector.as("u64x2").and(0x7fffffffffffffffn).shr(32);
  return vector.source.guard(magnitude, kTwoTo51 - 1) ? vector.trunc().add(kMagic).as("i64x2").sub(kMagicBits) : null;
}

/** The upper half of the bits of the double 2^51. */
const kTwoTo51 = 0x43200000;

/**
 * Truncates doubles to unsigned 64-bit integers. From 2^63 on, 2^63 is subtracted before and the upper bit set after. NaN and
 * values out of range become 2^63.
 */
function doublesToUnsignedLongs(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const short = shortLong(vector);
    if (short !== null) return short.as("u64x2");
    const large = vector.ge(2 ** 63).and(vector.lt(2 ** 64));
    const [lower] = doublesToLongs(lanesOf([large.select(vector.sub(2 ** 63), vector)])).vectors;
    return lower!.xor(large.and(-(2n ** 63n))).as("u64x2");
  });
}

/** Truncates floats to signed 32-bit integers. NaN and values out of range become -2^31. */
function floatsToInts(value: Lanes): Lanes {
  if (value.vectors[0]!.kind === "f32x4") return mapLanes(value, (vector) => vector.lt(2 ** 31).select(vector.toI32(), -(2 ** 31)));
  const inside = maskOfWidth(
    mapLanes(value, (vector) => vector.lt(2 ** 31)),
    4,
  );
  const cut = pairs(value, (low, high) => low.truncate(high, "i32x4"));
  return { vectors: cut.vectors.map((vector, i) => inside.vectors[i]!.select(vector, -(2 ** 31))), uniform: value.uniform };
}

/**
 * Truncates floats to unsigned 32-bit integers. Values in the range of int32 wrap around; NaN and values out of both ranges
 * become 2^31.
 */
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

/** Truncates floats to integers, with the results of x86. */
function floatsToIntegers(value: Lanes, kind: VectorKind): Lanes {
  if (laneBytes[kind] === 8) {
    const doubles = value.vectors[0]!.kind === "f32x4" ? widenFloats(value) : value;
    return kind === "i64x2" ? doublesToLongs(doubles) : doublesToUnsignedLongs(doubles);
  }
  if (kind === "u32x4") return floatsToUnsignedInts(value);
  return resizeIntegers(floatsToInts(value), kind);
}

/** Returns the smallest and the largest value of an integer kind. */
export function integerRange(kind: VectorKind): readonly [low: bigint, high: bigint] {
  const bits = BigInt(laneBytes[kind] * 8);
  return isUnsignedKind(kind) ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

/** Clips lanes to a range. NaN stays NaN. */
function clipLanes(value: Lanes, [low, high]: readonly [number | bigint, number | bigint]): Lanes {
  const { kind } = value.vectors[0]!;
  if (kind === "f32x4" || kind === "f64x2") return mapLanes(value, (vector) => vector.pmin(Number(high)).pmax(Number(low)));
  const [least, most] = integerRange(kind);
  return mapLanes(value, (vector) => {
    const above = low > least ? vector.max(low) : vector;
    return high < most ? above.min(high) : above;
  });
}

/** Converts float32 to 8 or 16 bits by saturating instructions. Returns null if the range is not that of the target kind. */
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

/** Rounds float32 to the nearest float16, ties to even, and returns it as float32. NaN stays NaN. */
export function roundToHalf(value: Lanes): Lanes {
  return halvesToFloats(floatsToHalves(value));
}

/** Rounds float32 to the nearest bfloat16, ties to even, and returns it as float32. NaN becomes the canonical NaN. */
export function roundToBfloat16(value: Lanes): Lanes {
  return mapLanes(value, (vector) =>
    bfloat16Word(vector)
      .and(0xffff0000 | 0)
      .as("f32x4"),
  );
}

/** Returns the bits of a float32 without the sign. */
function magnitudeBits(vector: Vector): Vector {
  return vector.as("u32x4").and(0x7fffffff);
}

/** Returns a word whose upper half is the nearest bfloat16. The lower half is undefined. */
function bfloat16Word(vector: Vector): Vector {
  const word = vector.as("u32x4");
  const rounded = word.shr(16).and(1).add(word).add(0x7fff);
  if (vector.source.guard(magnitudeBits(vector), 0x7f800000)) return rounded;
  return vector.eq(vector).select(rounded, 0x7fc00000);
}

/** Packs 32-bit lanes that have 16 bits each, with zero upper halves, into 16-bit lanes. */
export function packHalves(value: Lanes): Lanes {
  return pairs(value, (low, high) => low.as("i32x4").narrow(high.as("i32x4"), "u16x8"));
}

/** Converts float32 to the bits of bfloat16, in the lower halves of 32-bit lanes. */
export function floatsToBfloat16s(value: Lanes): Lanes {
  return mapLanes(value, (vector) => bfloat16Word(vector).shr(16));
}

/** Converts the bits of bfloat16, in the lower halves of 32-bit lanes, to float32, exactly. */
export function bfloat16sToFloats(value: Lanes): Lanes {
  return mapLanes(value, (vector) => vector.shl(16).as("f32x4"));
}

/** Converts the bits of float16, in the lower halves of 32-bit lanes, to float32, exactly. Denormals are exact, too. */
export function halvesToFloats(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const bits = vector.as("u32x4");
    const magnitude = bits.and(0x7fff).shl(13);
    const finite = magnitude
      .as("f32x4")
      .mul(2 ** 112)
      .as("u32x4");
    // Infinity and NaN need the largest exponent, which the multiplication does not produce.
    const special = magnitude
      .as("i32x4")
      .ge(0x7c00 << 13)
      .as("u32x4")
      .and(0x7f800000);
    return finite.or(special).or(bits.and(0x8000).shl(16)).as("f32x4");
  });
}

/**
 * Converts float32 to the bits of the nearest float16, ties to even, in the lower halves of 32-bit lanes. NaN becomes 0x7e00 with
 * its sign.
 */
export function floatsToHalves(value: Lanes): Lanes {
  return mapLanes(value, (vector) => {
    const magnitude = magnitudeBits(vector);
    const sign = vector.as("u32x4").shr(16).and(0x8000);
    // `power` is 2^13 times the power of two in x, but at least 2^13 times the least normal float16. Its last mantissa bit has
    // the weight of the float16's last bit, so adding it rounds x to that bit. The bits of the sum above those of `power` count
    // such units; the exponent is then added above them.
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

/** The bits of 65520: from there on, a float32 is nearer to infinity than to a float16. */
const kHalfEnd = 0x477ff000;

/** Returns true for real floats of all sizes, also those without arithmetic. */
export const isFloatDType = (dtype: DType): boolean => dtypeRows[dtype].float !== undefined && !isComplexDType(dtype);

/** Returns 1 of a kind in the lanes where the mask is set, and 0 elsewhere. */
export function oneWhere(mask: Vector, kind: VectorKind): Vector {
  return mask.as(kind).and(mask.source.constant(kind, 1));
}
