/**
 * argument-reduction: reduces any x modulo pi/2 with the significant bits of 2/pi (the algorithm of Payne and Hanek).
 *
 *     x = M 2^e      x 2/pi = M 2^e (0.10100010 11111001 10000011 ...)
 *                                     `---- multiples of 4 -'`-- window of the table --' `- too small to matter
 *
 * The table of 2/pi is a list of constants, so it needs no memory. The bytes of a window are looked up in each constant with
 * i8x16.swizzle, which gives 0 for bytes of another constant, and the results are combined. The product is in fixed point: two bits for
 * the quarter turn, the others for the fraction.
 */
import type { Vector } from "../vector/vector.ts";
import { constantLike, formatOf } from "./float-format.ts";

/** The result of a reduction, x = n pi/2 + r: n in the low bits of integers of the width of x, and r as one float or as the sum of two. */
export interface Reduction {
  readonly n: Vector;
  readonly high: Vector;
  readonly low: Vector | null;
}

/** The hexadecimal digits of 2/pi after the point. */
const kTwoOverPi =
  "a2f9836e4e441529fc2757d1f534ddc0db6295993c439041fe5163abdebbc561" +
  "b7246e3a424dd2e006492eea09d1921cfe1deb1cb129a73ee88235f52ebb4484" +
  "e99c7026b45f7e413991d639835339f49c845f8bbdf9283b1ff897ffde05980f" +
  "ef2f118b5a0a6d1f6d367ecf27cb09b74f463f669e5fea2d7527bac7ebe5f17b" +
  "3d0739f78a5292ea6bfb5fb11f8d5d0856033046fc7b6bab";

/** The number of zero bytes before the digits of 2/pi, so that small numbers have a window, too. */
const kLeadingBytes = 8;

/** Returns the leading zeros and the bytes of 2/pi as `count` constants of 16 bytes. */
function tableBytes(count: number): readonly (readonly number[])[] {
  const bytes = Array.from({ length: count * 16 }, (_, i) => {
    const digit = (i - kLeadingBytes) * 2;
    return i < kLeadingBytes ? 0 : Number.parseInt(kTwoOverPi.slice(digit, digit + 2) || "0", 16);
  });
  return Array.from({ length: count }, (_, i) => bytes.slice(i * 16, i * 16 + 16));
}

/** Returns the bytes of the table at `indices`. */
function lookUp(indices: Vector, tables: readonly (readonly number[])[]): Vector {
  let found: Vector | null = null;
  tables.forEach((bytes, i) => {
    const { source } = indices;
    const part = source.constants("u8x16", bytes).swizzle(indices.as("u8x16").sub(i * 16));
    found = found === null ? part : (found as Vector).or(part);
  });
  return found!;
}

/** Returns the upper 64 bits of the products of two u64x2. */
function multiplyHigh(a: Vector, b: Vector): Vector {
  const low = (v: Vector): Vector => v.as("u32x4").lanes(v.as("u32x4"), [0, 2, 0, 2]);
  const high = (v: Vector): Vector => v.as("u32x4").lanes(v.as("u32x4"), [1, 3, 1, 3]);
  const product = (v: Vector, w: Vector): Vector => v.extendMultiplyLow(w);
  const middle = product(high(a), low(b)).add(product(low(a), low(b)).shr(32));
  const other = product(low(a), high(b)).add(middle.and(0xffffffffn));
  return product(high(a), high(b)).add(middle.shr(32)).add(other.shr(32));
}

/** Returns the index in the table of the first byte of the window of x. */
function windowStart(x: Vector): Vector {
  const { unsignedBits, mantissaBits, bias } = formatOf(x);
  const exponent = x
    .as(unsignedBits)
    .shr(mantissaBits)
    .sub(bias + mantissaBits - 8 * kLeadingBytes + 2);
  return exponent.shr(3);
}

/** Reduces x >= 1 of f32. */
function reduceF32(x: Vector, needsLow: boolean): Reduction {
  const start = windowStart(x);
  const tables = tableBytes(2);
  const indices = start.mul(0x01010101).add(0x00010203);
  const windows = [0, 4, 8].map((more) => lookUp(indices.as("u8x16").add(more), tables).as("u32x4"));
  // M 2^e without the multiple of 8 in e, which `start` accounts for. The product is below 2^31.
  const power = constantLike(start, 127 + 8 * kLeadingBytes - 2)
    .sub(start.shl(3))
    .shl(23)
    .as("f32x4");
  const m = x.mul(power).toU32();
  return joinHalves(needsLow, ["low", "high"], (half) => {
    const product = (w: Vector): Vector => (half === "low" ? m.extendMultiplyLow(w) : m.extendMultiplyHigh(w));
    const fixed = product(windows[0]!).shl(32).add(product(windows[1]!)).add(product(windows[2]!).shr(32));
    const n = fixed.add(1n << 61n).shr(62);
    const words = fixed.sub(n.shl(62)).as("i32x4");
    const fraction = words
      .lanes(words, [1, 3, 1, 3])
      .lowToF64()
      .mul(2 ** 32)
      .add(words.lanes(words, [0, 2, 0, 2]).as("u32x4").lowToF64());
    return { n: n.as("i32x4"), r: fraction.mul((Math.PI / 2) * 2 ** -62) };
  });
}

/**
 * Reduces the halves of f32 in f64, and rounds r once. `low` is the rounding error, computed only if `needsLow` is true. The lower 32 bits
 * of the lanes of n are the multiples of pi/2.
 */
export function joinHalves<T>(needsLow: boolean, [first, second]: readonly [T, T], reduce: (half: T) => HalfReduction): Reduction {
  const [low, high] = [reduce(first), reduce(second)];
  const r = low.r.demote(high.r);
  const lost = needsLow ? low.r.sub(r.lowToF64()).demote(high.r.sub(r.highToF64())) : null;
  return { n: low.n.lanes(high.n, [0, 2, 4, 6]), high: r, low: lost };
}

/** Two reduced numbers in f64, and their multiples of pi/2 as an i32x4. */
interface HalfReduction {
  readonly n: Vector;
  readonly r: Vector;
}

/** pi/2 2^-62 as high + low. `upper` holds the upper bits of high, with which products are exact. */
const kUnit = { high: 1.5707963267948966 * 2 ** -62, upper: 1.5707963109016418 * 2 ** -62, low: 6.123233995736766e-17 * 2 ** -62 };

/** Reduces x >= 1 of f64. */
function reduceF64(x: Vector): Reduction {
  const start = windowStart(x);
  const tables = tableBytes(10);
  const indices = start.mul(0x0101010101010101n).add(0x0001020304050607n);
  const windows = [0, 8, 16].map((more) => lookUp(indices.as("u8x16").add(more), tables).as("u64x2"));
  // M shifted left by the exponent modulo 8, as `start` accounts for the multiple of 8. The result is below 2^60.
  const bits = x.as("u64x2");
  const shift = bits
    .shr(52)
    .sub(1023 + 52 - 8 * kLeadingBytes + 2)
    .and(7);
  const power = x.source.constants("u8x16", [1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0]).swizzle(shift.or(~0xffn).as("u8x16"));
  const m = bits.and(0xfffffffffffffn).or(0x10000000000000n).mul(power.as("u64x2"));
  const carry = multiplyHigh(m, windows[2]!);
  const low = m.mul(windows[1]!).add(carry);
  // The mask is -1 in lanes where the sum of the lower words has wrapped around, so subtracting it adds the carry.
  const high = m.mul(windows[0]!).add(multiplyHigh(m, windows[1]!)).sub(low.lt(carry).as("u64x2"));
  const n = high.add(1n << 61n).shr(62);
  const upper = high.sub(n.shl(62)).as("i32x4");
  const lower = low.as("u32x4");
  const even = (v: Vector): Vector => v.lanes(v, [0, 2, 0, 2]);
  const odd = (v: Vector): Vector => v.lanes(v, [1, 3, 1, 3]);
  const a = odd(upper)
    .lowToF64()
    .mul(2 ** 32);
  const b = even(upper).as("u32x4").lowToF64();
  const c = odd(lower)
    .lowToF64()
    .mul(2 ** -32)
    .add(
      even(lower)
        .lowToF64()
        .mul(2 ** -64),
    );
  // The sum of a, b and c as two floats; a is 0 or larger than b.
  const sum = a.add(b);
  const tail = a.sub(sum).add(b).add(c);
  const f = sum.add(tail);
  const fLow = sum.sub(f).add(tail);
  // The product with pi/2. The product of the leading parts is exact as a sum of two floats.
  const fUpper = f.as("i64x2").and(-134217728n).as("f64x2");
  const fRest = f.sub(fUpper);
  const product = f.mul(kUnit.high);
  const unitRest = kUnit.high - kUnit.upper;
  const error = fUpper.mul(kUnit.upper).sub(product).add(fUpper.mul(unitRest)).add(fRest.mul(kUnit.upper)).add(fRest.mul(unitRest));
  const more = error.add(f.mul(kUnit.low)).add(fLow.mul(kUnit.high));
  const r = product.add(more);
  return { n: n.as("i64x2"), high: r, low: product.sub(r).add(more) };
}

/** Reduces any finite x >= 1. The result is meaningless for infinities and NaN. For f32, `low` is computed only if `needsLow` is true. */
export function reduceAny(x: Vector, needsLow: boolean): Reduction {
  return x.kind === "f32x4" ? reduceF32(x, needsLow) : reduceF64(x);
}
