/**
 * The functions of complex numbers: the formulas of our evaluator (packages/eigen/src/evaluator/complex-functions.ts) on the two parts in
 * f64. StableHLO's own differ where parts are infinite or overflow on the way.
 */
import type { Builder, Value } from "../text/builder.ts";
import type { FloatUnary } from "./float-functions.ts";
import { angle, difference, floatFunctions, productOf, quotient, sum } from "./float-functions.ts";

/** A complex number as its two parts in f64. */
export type Parts = readonly [re: Value, im: Value];

/** Writes a function of two numbers. */
type ComplexBinaryPart = (b: Builder, x: Value, y: Value) => Value;

/** Writes a function of one complex number; an abs has only one part. */
export type ComplexUnary = (b: Builder, z: Parts) => Parts;
/** Writes a function of two complex numbers. */
export type ComplexBinary = (b: Builder, z: Parts, w: Parts) => Parts;

/** Returns the parts of a complex value in f64. */
export function partsOf(b: Builder, z: Value): Parts {
  return [b.convert(b.real(z), "f64"), b.convert(b.imag(z), "f64")];
}

/** Returns a complex value of parts in f64, each rounded to the part type of `element`. */
export function fromParts(b: Builder, [re, im]: Parts, element: "f32" | "f64"): Value {
  return b.complex(b.convert(re, element), b.convert(im, element));
}

const fn = (op: keyof typeof floatFunctions): FloatUnary => floatFunctions[op] as FloatUnary;
const [exp, log, log1p, expm1, sqrt] = [fn("exp"), fn("log"), fn("log1p"), fn("expm1"), fn("sqrt")];
const [sin, cos, tan, realSinh, realCosh] = [fn("sin"), fn("cos"), fn("tan"), fn("sinh"), fn("cosh")];
const abs: FloatUnary = fn("abs");

const isZero = (b: Builder, x: Value): Value => b.compare("EQ", x, b.like(x, 0));
const over = (b: Builder, x: Value, y: Value): Value => quotient(b, x, y, false);
const scaled = (b: Builder, x: Value, by: number): Value => productOf(b, x, b.like(x, by));

/** sqrt(a^2 + b^2) without overflow; an infinite part decides even beside NaN. */
export function hypot(b: Builder, x: Value, y: Value): Value {
  const [p, q] = [abs(b, x), abs(b, y)];
  const [more, less] = [b.maximum(p, q), b.minimum(p, q)];
  const ratio = over(b, less, more);
  const size = productOf(b, more, sqrt(b, sum(b, productOf(b, ratio, ratio), b.like(x, 1))));
  const infinite = b.like(x, Infinity);
  const isInfinite = b.or(b.compare("EQ", p, infinite), b.compare("EQ", q, infinite));
  return b.select(isInfinite, infinite, b.select(isZero(b, more), more, size));
}

const negative: ComplexUnary = (b, [x, y]) => [b.negate(x), b.negate(y)];
const timesI: ComplexUnary = (b, [x, y]) => [b.negate(y), x];
const timesMinusI: ComplexUnary = (b, [x, y]) => [y, b.negate(x)];
const plusOne: ComplexUnary = (b, [x, y]) => [sum(b, x, b.like(x, 1)), y];
const one = (b: Builder, [x]: Parts): Parts => [b.like(x, 1), b.like(x, 0)];

function multiply(b: Builder, [x, y]: Parts, [u, v]: Parts): Parts {
  return [difference(b, productOf(b, x, u), productOf(b, y, v)), sum(b, productOf(b, x, v), productOf(b, y, u))];
}

/** Smith's method: scales by the larger part of the divisor. */
function divide(b: Builder, [x, y]: Parts, [u, v]: Parts): Parts {
  const isWide = b.compare("GE", abs(b, u), abs(b, v));
  const [more, less] = [b.select(isWide, u, v), b.select(isWide, v, u)];
  const bothZero = b.and(isZero(b, u), isZero(b, v));
  const ratio = b.select(bothZero, b.like(u, 0), over(b, less, more));
  const scale = sum(b, more, productOf(b, less, ratio));
  // The parts of the numerator, in the order in which the larger part of the divisor meets them.
  const [p, q] = [b.select(isWide, x, y), b.select(isWide, y, x)];
  const re = sum(b, p, productOf(b, q, ratio));
  const im = difference(b, q, productOf(b, p, ratio));
  return [over(b, re, scale), over(b, b.select(isWide, im, b.negate(im)), scale)];
}

/** Above every part of a complex64 number, and below every such part but 0 (the evaluator's kHuge and kTiny, where the reasons are). */
const [kHuge, kTiny] = [2 ** 400, 2 ** -700];
/** The other limits of the evaluator's formulas, under the same names. */
const [kLarge, kSmall, kDown, kUp] = [2 ** 1000, 2 ** -900, 2 ** -100, 2 ** 100];
const [kFar, kNear, kFarAngle, kPole] = [2 ** 28, 2 ** -30, 2 ** 60, 2 ** -400];

/** The quotient of complex64 numbers, by the squares of the divisor's parts. */
export const divideSingle: ComplexBinary = (b, [x, y], [u, v]) => {
  const by = over(b, b.like(u, 1), sum(b, productOf(b, u, u), productOf(b, v, v)));
  const bounded = (part: Value): Value => b.maximum(b.minimum(part, b.like(part, kHuge)), b.like(part, -kHuge));
  const [near, w] = [sum(b, bounded(u), b.like(u, kTiny)), bounded(v)];
  const re = sum(b, productOf(b, x, near), productOf(b, y, w));
  const im = difference(b, productOf(b, y, near), productOf(b, x, w));
  return [productOf(b, re, by), productOf(b, im, by)];
};

const isInfinite = (b: Builder, x: Value): Value => b.compare("EQ", abs(b, x), b.like(x, Infinity));
const isFinite = (b: Builder, x: Value): Value => b.compare("LT", abs(b, x), b.like(x, Infinity));
const exceeds = (b: Builder, x: Value, limit: number): Value => b.compare("GT", abs(b, x), b.like(x, limit));
const isBelow = (b: Builder, x: Value, limit: number): Value => b.compare("LT", abs(b, x), b.like(x, limit));

/** The angle beside a size: 0 where x is infinite and y not finite. */
const angleBeside: ComplexBinaryPart = (b, x, y) => b.select(isInfinite(b, x), b.select(isFinite(b, y), y, b.like(y, 0)), y);

/** Returns a number that is not negative, with the sign of another one; NaN counts as positive. */
const withSign: ComplexBinaryPart = (b, size, like) => b.select(isNegative(b, like), b.negate(size), size);

/** Parts whose modulus neither overflows nor loses bits, and a function that chooses by how they were scaled. */
function scaledParts(
  b: Builder,
  [x, y]: Parts,
): { readonly parts: Parts; readonly pick: (down: number, up: number, none: number) => Value } {
  const larger = b.maximum(abs(b, x), abs(b, y));
  const [isLarge, isSmall] = [exceeds(b, larger, kLarge), isBelow(b, larger, kSmall)];
  const pick = (down: number, up: number, none: number): Value =>
    b.select(isLarge, b.like(x, down), b.select(isSmall, b.like(x, up), b.like(x, none)));
  const by = pick(kDown, kUp, 1);
  return { parts: [productOf(b, x, by), productOf(b, y, by)], pick };
}

/** log|z| for z that is not near the unit circle. */
function logModulus(b: Builder, z: Parts): Value {
  const { parts, pick } = scaledParts(b, z);
  return sum(b, log(b, hypot(b, ...parts)), pick(100 * Math.LN2, -100 * Math.LN2, 0));
}

const complexExp: ComplexUnary = (b, [x, y]) => {
  const size = exp(b, x);
  const turn = angleBeside(b, x, y);
  const isReal = isZero(b, y);
  return [b.select(isReal, size, productOf(b, size, cos(b, turn))), b.select(isReal, y, productOf(b, size, sin(b, turn)))];
};

const complexExpm1: ComplexUnary = (b, [x, y]) => {
  const turn = angleBeside(b, x, y);
  const half = sin(b, scaled(b, turn, 0.5));
  const re = difference(b, productOf(b, expm1(b, x), cos(b, turn)), scaled(b, productOf(b, half, half), 2));
  return [re, b.select(isZero(b, y), y, productOf(b, exp(b, x), sin(b, turn)))];
};

const complexLog: ComplexUnary = (b, [x, y]) => {
  const size = hypot(b, x, y);
  const [p, q] = [abs(b, x), abs(b, y)];
  const [more, less] = [b.maximum(p, q), b.minimum(p, q)];
  const unit = b.like(x, 1);
  const off = sum(b, productOf(b, difference(b, more, unit), sum(b, more, unit)), productOf(b, less, less));
  const isNear = b.and(b.compare("GT", size, b.like(x, 0.5)), b.compare("LT", size, b.like(x, 2)));
  return [b.select(isNear, scaled(b, log1p(b, off), 0.5), logModulus(b, [x, y])), angle(b, y, x)];
};

const complexLog1p: ComplexUnary = (b, [x, y]) => {
  const half = b.like(x, 0.5);
  const isSmall = b.and(b.compare("LT", abs(b, x), half), b.compare("LT", abs(b, y), half));
  const right = sum(b, x, b.like(x, 1));
  const off = sum(b, productOf(b, x, sum(b, x, b.like(x, 2))), productOf(b, y, y));
  const near = scaled(b, log1p(b, off), 0.5);
  return [b.select(isSmall, near, log(b, hypot(b, right, y))), angle(b, y, right)];
};

/** Returns where a number is negative or -0. */
function isNegative(b: Builder, x: Value): Value {
  const bits = b.bitcast(x, "i64");
  return b.and(b.compare("LT", bits, b.like(bits, 0)), b.compare("EQ", x, x));
}

/** Beside an infinite imaginary part both parts are infinite. */
const complexSqrt: ComplexUnary = (b, [x, y]) => {
  const {
    parts: [u, v],
    pick,
  } = scaledParts(b, [x, y]);
  const root = pick(2 ** 50, 2 ** -50, 1);
  const half = sqrt(b, scaled(b, sum(b, hypot(b, u, v), abs(b, u)), 0.5));
  const [size, other] = [productOf(b, half, root), productOf(b, over(b, abs(b, v), scaled(b, half, 2)), root)];
  const isRight = b.compare("GE", x, b.like(x, 0));
  const origin = b.and(isZero(b, x), isZero(b, y));
  const re = b.select(origin, b.like(x, 0), b.select(isRight, size, other));
  const im = b.select(origin, y, withSign(b, b.select(isRight, other, size), y));
  const isEndless = isInfinite(b, y);
  return [b.select(isEndless, abs(b, y), re), b.select(isEndless, y, im)];
};

const complexSinh: ComplexUnary = (b, [x, y]) => {
  const turn = angleBeside(b, x, y);
  const re = productOf(b, realSinh(b, x), cos(b, turn));
  const im = productOf(b, realCosh(b, x), sin(b, turn));
  return [b.select(isZero(b, x), b.select(isFinite(b, y), re, x), re), b.select(isZero(b, y), y, im)];
};

const complexCosh: ComplexUnary = (b, [x, y]) => {
  const turn = angleBeside(b, x, y);
  const size = realSinh(b, x);
  const product = productOf(b, size, sin(b, turn));
  const zero = b.select(b.compare("LT", x, b.like(x, 0)), b.negate(y), y);
  const im = b.select(isZero(b, y), b.select(isFinite(b, size), product, zero), product);
  return [productOf(b, realCosh(b, x), cos(b, turn)), b.select(isZero(b, x), b.select(isFinite(b, y), im, b.like(x, 0)), im)];
};

/** Kahan's form; for large |x| the real part is ±1 and the imaginary part 4 sin y cos y / e^2|x|. */
const complexTanh: ComplexUnary = (b, [x, y]) => {
  const unit = b.like(x, 1);
  const t = tan(b, y);
  const s = realSinh(b, x);
  const sec2 = sum(b, productOf(b, t, t), unit);
  const below = sum(b, productOf(b, productOf(b, sec2, s), s), unit);
  const root = sqrt(b, sum(b, productOf(b, s, s), unit));
  const re = over(b, productOf(b, productOf(b, sec2, root), s), below);
  const isFar = b.compare("GT", abs(b, x), b.like(x, 22));
  const decay = exp(b, scaled(b, abs(b, x), -2));
  const turn = angleBeside(b, x, y);
  const far = productOf(b, productOf(b, scaled(b, sin(b, turn), 4), cos(b, turn)), decay);
  const limit = b.select(isFinite(b, turn), fn("sign")(b, x), b.like(x, Number.NaN));
  const near = [b.select(isZero(b, x), x, re), b.select(isZero(b, y), y, over(b, t, below))] as const;
  return [b.select(isFar, limit, near[0]), b.select(isFar, far, near[1])];
};

const asinh: FloatUnary = (b, x) => {
  const size = abs(b, x);
  const isFar = b.compare("GT", size, b.like(x, 2 ** 28));
  const square = productOf(b, size, size);
  const root = sqrt(b, sum(b, square, b.like(x, 1)));
  // log1p(s + s^2 / (1 + sqrt(1 + s^2))) does not cancel near 0.
  const near = log1p(b, sum(b, size, over(b, square, sum(b, root, b.like(x, 1)))));
  const far = sum(b, log(b, size), b.like(x, Math.LN2));
  const value = b.select(isFar, far, near);
  return b.select(b.compare("LT", x, b.like(x, 0)), b.negate(value), b.select(isZero(b, x), x, value));
};

/** The square roots of 1 - z and 1 + z, of which asin and acos are made so that nothing cancels (Kahan). */
function rootsOf(b: Builder, z: Parts): readonly [Parts, Parts] {
  return [complexSqrt(b, plusOne(b, [productOf(b, z[0], b.like(z[0], -1)), b.negate(z[1])])), complexSqrt(b, plusOne(b, z))];
}

/** True where asin and acos are those of a large number, and where asin z is z. */
const isFarOut = (b: Builder, [x, y]: Parts): Value => b.or(exceeds(b, x, kFar), exceeds(b, y, kFar));
const isNearZero = (b: Builder, [x, y]: Parts): Value => b.and(isBelow(b, x, kNear), isBelow(b, y, kNear));

const complexAsin: ComplexUnary = (b, z) => {
  const [x, y] = z;
  const [[p, q], [r, s]] = rootsOf(b, z);
  const [isFar, isNear] = [isFarOut(b, z), isNearZero(b, z)];
  const re = angle(b, x, difference(b, productOf(b, p, r), productOf(b, q, s)));
  const im = asinh(b, difference(b, productOf(b, p, s), productOf(b, q, r)));
  const far = withSign(b, sum(b, logModulus(b, z), b.like(x, Math.LN2)), y);
  const near = b.select(b.or(isZero(b, x), isNear), x, re);
  return [b.select(isFar, angle(b, x, abs(b, y)), near), b.select(isFar, far, b.select(isNear, y, im))];
};

const complexAcos: ComplexUnary = (b, z) => {
  const [x, y] = z;
  const [[p, q], [r, s]] = rootsOf(b, z);
  const isFar = isFarOut(b, z);
  const re = b.select(isZero(b, x), b.like(x, Math.PI / 2), scaled(b, angle(b, p, r), 2));
  const im = asinh(b, difference(b, productOf(b, r, q), productOf(b, s, p)));
  const far = withSign(b, sum(b, logModulus(b, z), b.like(x, Math.LN2)), b.negate(y));
  return [b.select(isFar, angle(b, abs(b, y), x), re), b.select(isFar, far, b.select(isNearZero(b, z), b.negate(y), im))];
};

const complexAtan: ComplexUnary = (b, [x, y]) => {
  const size = hypot(b, x, y);
  const isFar = exceeds(b, size, kFarAngle);
  const farRe = b.select(b.compare("EQ", x, x), withSign(b, b.like(x, Math.PI / 2), x), x);
  const farIm = b.select(isInfinite(b, size), withSign(b, b.like(y, 0), y), over(b, over(b, y, size), size));
  const side = abs(b, y);
  const left = difference(b, b.like(x, 1), side);
  const distance = hypot(b, x, left);
  const depth = scaled(b, log1p(b, over(b, scaled(b, side, 4), productOf(b, distance, distance))), 0.25);
  const pole = scaled(b, difference(b, b.like(x, Math.LN2), log(b, distance)), 0.5);
  const level = b.select(isBelow(b, distance, kPole), pole, depth);
  const cosine = difference(b, productOf(b, left, sum(b, side, b.like(x, 1))), productOf(b, x, x));
  const re = scaled(b, angle(b, scaled(b, x, 2), cosine), 0.5);
  return [b.select(isFar, farRe, re), b.select(isFar, farIm, b.select(isZero(b, y), y, withSign(b, level, y)))];
};

/** Beside an infinite part a finite one is 0; two infinite parts are equal. */
const complexSign: ComplexUnary = (b, [x, y]) => {
  const isFar = b.or(isInfinite(b, x), isInfinite(b, y));
  const { parts } = scaledParts(b, [x, y]);
  const unit = (part: Value): Value => b.select(isInfinite(b, part), withSign(b, b.like(part, 1), part), b.like(part, 0));
  const [u, v] = [b.select(isFar, unit(x), parts[0]), b.select(isFar, unit(y), parts[1])];
  const size = hypot(b, u, v);
  const part = (value: Value): Value => b.select(isZero(b, size), b.like(x, 0), over(b, value, size));
  return [part(u), part(v)];
};

const complexSquare: ComplexUnary = (b, z) => multiply(b, z, z);

/** The functions of one complex number with a complex result. */
export const complexFunctions: Readonly<Record<string, ComplexUnary>> = {
  neg: negative,
  sign: complexSign,
  square: complexSquare,
  reciprocal: (b, z) => divide(b, one(b, z), z),
  sqrt: complexSqrt,
  rsqrt: (b, z) => divide(b, one(b, z), complexSqrt(b, z)),
  exp: complexExp,
  expm1: complexExpm1,
  log: complexLog,
  log1p: complexLog1p,
  sin: (b, z) => timesMinusI(b, complexSinh(b, timesI(b, z))),
  cos: (b, z) => complexCosh(b, timesI(b, z)),
  tan: (b, z) => timesMinusI(b, complexTanh(b, timesI(b, z))),
  asin: complexAsin,
  acos: complexAcos,
  atan: complexAtan,
  sinh: complexSinh,
  cosh: complexCosh,
  tanh: complexTanh,
  sigmoid: (b, z) => divide(b, one(b, z), plusOne(b, complexExp(b, negative(b, z)))),
};

/** The functions of two complex numbers with a complex result. */
export const complexPairs: Readonly<Record<string, ComplexBinary>> = {
  add: (b, [x, y], [u, v]) => [sum(b, x, u), sum(b, y, v)],
  sub: (b, [x, y], [u, v]) => [difference(b, x, u), difference(b, y, v)],
  mul: multiply,
  div: divide,
  pow: (b, z, w) => {
    const isNone = b.and(isZero(b, w[0]), isZero(b, w[1]));
    const [re, im] = complexExp(b, multiply(b, w, complexLog(b, z)));
    return [b.select(isNone, b.like(re, 1), re), b.select(isNone, b.like(re, 0), im)];
  },
  squaredDifference: (b, [x, y], [u, v]) => {
    const [p, q] = [difference(b, x, u), difference(b, y, v)];
    return [sum(b, productOf(b, p, p), productOf(b, q, q)), b.like(p, 0)];
  },
};
