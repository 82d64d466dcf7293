/**
 * The functions of complex numbers: the formulas of our evaluator (packages/eigen/src/evaluator/complex-functions.ts) on the two parts in
 * f64. StableHLO's own differ where parts are infinite or overflow on the way.
 */
import type { Builder, Value } from "../text/builder.ts";
import type { FloatUnary } from "./float-functions.ts";
import { angle, difference, floatFunctions, productOf, quotient, sum } from "./float-functions.ts";

/** A complex number as its two parts in f64. */
export type Parts = readonly [re: Value, im: Value];

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

/** The quotient of complex64 numbers, by the squares of the divisor's parts. */
export const divideSingle: ComplexBinary = (b, [x, y], [u, v]) => {
  const by = over(b, b.like(u, 1), sum(b, productOf(b, u, u), productOf(b, v, v)));
  const bounded = (part: Value): Value => b.maximum(b.minimum(part, b.like(part, kHuge)), b.like(part, -kHuge));
  const [near, w] = [sum(b, bounded(u), b.like(u, kTiny)), bounded(v)];
  const re = sum(b, productOf(b, x, near), productOf(b, y, w));
  const im = difference(b, productOf(b, y, near), productOf(b, x, w));
  return [productOf(b, re, by), productOf(b, im, by)];
};

const complexExp: ComplexUnary = (b, [x, y]) => {
  const size = exp(b, x);
  const isReal = isZero(b, y);
  return [b.select(isReal, size, productOf(b, size, cos(b, y))), b.select(isReal, y, productOf(b, size, sin(b, y)))];
};

const complexExpm1: ComplexUnary = (b, [x, y]) => {
  const half = sin(b, scaled(b, y, 0.5));
  const re = difference(b, productOf(b, expm1(b, x), cos(b, y)), scaled(b, productOf(b, half, half), 2));
  return [re, b.select(isZero(b, y), y, productOf(b, exp(b, x), sin(b, y)))];
};

const complexLog: ComplexUnary = (b, [x, y]) => {
  const size = hypot(b, x, y);
  const [p, q] = [abs(b, x), abs(b, y)];
  const [more, less] = [b.maximum(p, q), b.minimum(p, q)];
  const unit = b.like(x, 1);
  const off = sum(b, productOf(b, difference(b, more, unit), sum(b, more, unit)), productOf(b, less, less));
  const isNear = b.and(b.compare("GT", size, b.like(x, 0.5)), b.compare("LT", size, b.like(x, 2)));
  return [b.select(isNear, scaled(b, log1p(b, off), 0.5), log(b, size)), angle(b, y, x)];
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

const complexSqrt: ComplexUnary = (b, [x, y]) => {
  const size = sqrt(b, scaled(b, sum(b, hypot(b, x, y), abs(b, x)), 0.5));
  const other = over(b, abs(b, y), scaled(b, size, 2));
  const isRight = b.compare("GE", x, b.like(x, 0));
  const signed = (value: Value): Value => b.select(isNegative(b, y), b.negate(value), value);
  const origin = b.and(isZero(b, x), isZero(b, y));
  return [b.select(origin, b.like(x, 0), b.select(isRight, size, other)), b.select(origin, y, signed(b.select(isRight, other, size)))];
};

const complexSinh: ComplexUnary = (b, [x, y]) => [productOf(b, realSinh(b, x), cos(b, y)), productOf(b, realCosh(b, x), sin(b, y))];
const complexCosh: ComplexUnary = (b, [x, y]) => [productOf(b, realCosh(b, x), cos(b, y)), productOf(b, realSinh(b, x), sin(b, y))];

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
  const far = productOf(b, productOf(b, scaled(b, sin(b, y), 4), cos(b, y)), decay);
  return [b.select(isFar, fn("sign")(b, x), re), b.select(isFar, far, over(b, t, below))];
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

const complexAsin: ComplexUnary = (b, z) => {
  const [[p, q], [r, s]] = rootsOf(b, z);
  const re = angle(b, z[0], difference(b, productOf(b, p, r), productOf(b, q, s)));
  return [re, asinh(b, difference(b, productOf(b, p, s), productOf(b, q, r)))];
};

const complexAcos: ComplexUnary = (b, z) => {
  const [[p, q], [r, s]] = rootsOf(b, z);
  return [scaled(b, angle(b, p, r), 2), asinh(b, difference(b, productOf(b, r, q), productOf(b, s, p)))];
};

const complexAtan: ComplexUnary = (b, z) => {
  const [p, q] = complexLog1p(b, timesI(b, z));
  const [r, s] = complexLog1p(b, timesMinusI(b, z));
  return [scaled(b, difference(b, q, s), 0.5), scaled(b, difference(b, r, p), 0.5)];
};

const complexSign: ComplexUnary = (b, [x, y]) => {
  const size = hypot(b, x, y);
  const part = (value: Value): Value => b.select(isZero(b, size), b.like(x, 0), over(b, value, size));
  return [part(x), part(y)];
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
    const isNull = b.and(isZero(b, z[0]), isZero(b, z[1]));
    const [re, im] = complexExp(b, multiply(b, w, complexLog(b, z)));
    const nothing = b.like(re, 0);
    return [b.select(isNone, b.like(re, 1), b.select(isNull, nothing, re)), b.select(b.or(isNone, isNull), nothing, im)];
  },
  squaredDifference: (b, [x, y], [u, v]) => {
    const [p, q] = [difference(b, x, u), difference(b, y, v)];
    return [sum(b, productOf(b, p, p), productOf(b, q, q)), b.like(p, 0)];
  },
};
