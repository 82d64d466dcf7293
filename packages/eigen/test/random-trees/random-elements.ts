// Elements for the leaves of random trees: ordinary values, rare values among ordinary ones, or random bits.
import type { DType, RawDType, TypedArray } from "@onebuffer/base";
import { arraySlots, dtypeSize, typedArrayConstructor } from "@onebuffer/base";
import { tensorMap } from "@onebuffer/eigen";
import type { Dice } from "../kernel/kernel-subjects.ts";
import { product } from "../row-major.ts";

/** Ends of ranges, ties, zeros, infinities, and values on both sides of the overflow and underflow of exp and log. */
const rareFloats = [
  ...[0, -0, 1, -1, NaN, Infinity, -Infinity, 0.5, -0.5, 1.5, 2.5, -2.5, 3, 10, -126, -149, 127, 128],
  ...[2 ** -149, -1e-40, 2 ** -126, 3.4028234663852886e38, -3.4028234663852886e38, 16777217, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 63],
  ...[-(2 ** 63), 2 ** 64, 65504, 65520, 2 ** -24, 2 ** -25, 5e-324, -1e-310, 2.2250738585072014e-308, 1.7976931348623157e308, 1e300],
  ...[88.7, -87.4, -103.9, 709.7, 710, -745.2, -708.5, 2 ** 53 + 2, 255.5, -129, 4294967296, -2977044471.819572, -3468.3297200000266],
];

/**
 * Returns an unusual float: one with any exponent, one from the list, or an x for which 2^x or e^x has the binary exponent h * 2^32 + l with
 * a small l. A kernel that keeps exponents in 32 bits without checking the range would see only l.
 */
function rareFloat(dice: Dice): number {
  const sign = dice.below(2) === 0 ? 1 : -1;
  switch (dice.below(8)) {
    case 0:
      return (
        sign * ((1 + dice.below(1 << dice.below(21))) * 2 ** 32 + dice.below(2001) - 1000) * dice.pick([1, Math.LN2, Math.LN2, Math.LOG10E])
      );
    case 1:
      return sign * (1 + dice.unit()) * 2 ** (dice.below(2098) - 1074);
    case 2:
      return sign * dice.unit() * 2 ** (20 + dice.below(44));
    default:
      return dice.pick(rareFloats);
  }
}

function ordinaryFloat(dice: Dice): number {
  switch (dice.below(8)) {
    case 0:
      return dice.below(9) - 4;
    case 1:
      return (dice.below(33) - 16) / 2;
    case 2:
      return (dice.unit() - 0.5) * 200;
    default:
      return (dice.unit() - 0.5) * 4;
  }
}

/** The values of `integerEnds`, which is asked for every element. */
const ends = new Map<RawDType, readonly [low: bigint, high: bigint]>();

/** Returns the lowest and the highest value of an integer dtype, including the narrow and quantized ones. */
export function integerEnds(dtype: RawDType): readonly [low: bigint, high: bigint] {
  const known = ends.get(dtype);
  if (known !== undefined) return known;
  const bits = BigInt(dtype.replace(/\D/g, ""));
  const found = /^q?u/.test(dtype) ? ([0n, 2n ** bits - 1n] as const) : ([-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] as const);
  ends.set(dtype, found);
  return found;
}

function rareInteger(dtype: RawDType, dice: Dice): bigint {
  const [low, high] = integerEnds(dtype);
  const wild = (BigInt(dice.next()) << 32n) | BigInt(dice.next());
  const value = dice.pick([low, high, low + 1n, high - 1n, 0n, 1n, -1n, 1n << BigInt(dice.below(64)), wild, wild >> 32n]);
  return low + ((((value - low) % (high - low + 1n)) + (high - low + 1n)) % (high - low + 1n));
}

function ordinaryInteger(dtype: RawDType, dice: Dice): bigint {
  const [low, high] = integerEnds(dtype);
  const value = BigInt(dice.below(19)) - (low < 0n ? 9n : 0n);
  return value < low ? low : value > high ? high : value;
}

/** Returns one element as `copyFrom` accepts it. */
function elementOf(dtype: RawDType, dice: Dice, rare: boolean): unknown {
  if (dtype === "bool") return dice.below(2) === 1;
  const float = rare ? rareFloat(dice) : ordinaryFloat(dice);
  if (dtype.startsWith("complex")) return [float, ordinaryFloat(dice)];
  if (dtype.includes("float")) return float;
  const integer = rare ? rareInteger(dtype, dice) : ordinaryInteger(dtype, dice);
  return dtype === "int64" || dtype === "uint64" ? integer : Number(integer);
}

/** Gives half of the NaN of float32 and float64 random payload bits, so that some are signaling. */
function withPayloads(dtype: RawDType, data: TypedArray, dice: Dice): void {
  if (dtype !== "float32" && dtype !== "float64") return;
  const wide = dtype === "float64";
  const words = new Uint32Array(data.buffer, data.byteOffset, data.byteLength / 4);
  for (let i = 0; i < data.length; i++) {
    if (!Number.isNaN(data[i]) || dice.below(2) === 0) continue;
    words[wide ? 2 * i + 1 : i] = (dice.below(2) << 31) | (wide ? 0x7ff00000 : 0x7f800000) | (1 + dice.below(wide ? 0xfffff : 0x7fffff));
  }
}

/** Which elements of a leaf are rare: none, some, or all (random bits); "few" draws from a few different values, so most are equal. */
export type Sprinkling = "ordinary" | "sprinkled" | "few" | "wild";

/** Returns the number of elements per rare one: few, so that rare ones are close together, or so many that a group has only one. */
function elementsPerRare(count: number, dice: Dice): number {
  return Math.ceil(dice.pick([3 + dice.below(6), 20 + dice.below(40), 1 + count / 2]));
}

/** Returns a function that draws the elements of a leaf. */
function drawing(dtype: RawDType, count: number, sprinkling: Sprinkling, dice: Dice): () => unknown {
  if (sprinkling === "few") {
    // Zeros of both signs are equal, and they are the largest elements if the third value is -1.
    const zeros = /^b?float(16|32|64)$/.test(dtype) && dice.below(2) === 0 ? [0, -0, dice.pick([1, -1])] : [];
    const list = zeros.length > 0 ? zeros : Array.from({ length: 2 + dice.below(3) }, () => elementOf(dtype, dice, dice.below(3) === 0));
    return () => dice.pick(list);
  }
  if (sprinkling === "ordinary") return () => elementOf(dtype, dice, false);
  const oneIn = elementsPerRare(count, dice);
  // Few different rare values, so that the effect of one is not hidden by that of another beside it.
  const rare = Array.from({ length: dice.pick([1, 2, 8]) }, () => elementOf(dtype, dice, true));
  return () => (dice.below(oneIn) === 0 ? dice.pick(rare) : elementOf(dtype, dice, false));
}

/** Returns the elements of a leaf in a new array of the dtype. */
export function randomElements(dtype: RawDType, dims: readonly number[], sprinkling: Sprinkling, dice: Dice): TypedArray {
  const count = product(dims);
  const data = new (typedArrayConstructor(dtype))(count * arraySlots(dtype)) as TypedArray;
  if (sprinkling === "wild" && /^(b?float(16|32|64)|u?int(8|16|32|64))$/.test(dtype)) {
    const bytes = new Uint8Array(data.buffer, data.byteOffset, count * dtypeSize(dtype));
    for (let i = 0; i < bytes.length; i++) bytes[i] = dice.below(256);
    return data;
  }
  const draw = drawing(dtype, count, sprinkling, dice);
  const elements = Array.from({ length: count }, draw);
  tensorMap(dtype as DType, data as never, [count]).copyFrom(elements as never);
  withPayloads(dtype, data, dice);
  return data;
}

/** Returns a random sprinkling; "sprinkled" is the most frequent. */
export const someSprinkling = (dice: Dice): Sprinkling =>
  dice.pick(["ordinary", "ordinary", "sprinkled", "sprinkled", "sprinkled", "few", "wild"]);
