/**
 * The elementwise operations on complex numbers, in float64 arithmetic. The caller then rounds both parts to the dtype. Products of complex64
 * are computed in float32 as in TensorFlow and NumPy: each product of parts is rounded, then their difference or sum. Quotients of complex64
 * are those of float64, rounded once.
 *
 * Multiplication, and division of complex128, are the plain formulas, without the special cases that std::complex has for infinities: a part
 * of a product of infinities may be NaN.
 */
import type { Complex } from "@onebuffer/base";
import type { OpNameOf } from "../expression/tree/op-table.ts";

/** An operation on one complex number. */
export type ComplexUnary = (x: Complex) => Complex | number;
/** An operation on two complex numbers; comparisons return 0 or 1. */
export type ComplexBinary = (x: Complex, y: Complex) => Complex | number;

const multiply = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];

/** The product of complex64 numbers. */
export function multiplySingle([a, b]: Complex, [c, d]: Complex): Complex {
  const { fround } = Math;
  return [fround(fround(a * c) - fround(b * d)), fround(fround(a * d) + fround(b * c))];
}

/** (a + bi) / (c + di) by Smith's method: scales by the larger part of the divisor instead of squaring it, which may overflow. */
function divide([a, b]: Complex, [c, d]: Complex): Complex {
  if (Math.abs(c) >= Math.abs(d)) {
    const ratio = c === 0 && d === 0 ? 0 : d / c;
    const scale = c + d * ratio;
    return [(a + b * ratio) / scale, (b - a * ratio) / scale];
  }
  const ratio = c / d;
  const scale = c * ratio + d;
  return [(a * ratio + b) / scale, (b * ratio - a) / scale];
}

/** Above every part of a complex64 number. Products with one are finite. */
export const kHuge: number = 2 ** 400;
/** Lost when it is added to any part of a complex64 number but 0. */
export const kTiny: number = 2 ** -700;

/**
 * The quotient of complex64 numbers before its parts are rounded: by the squares of the divisor's parts, which cannot overflow in float64, and
 * with one division, because divisions are what takes the time. A zero divisor has a square of 0, whose reciprocal is infinite; kTiny
 * keeps the sign of the numerator then. An infinite divisor makes zeros, as in C; kHuge keeps NaN from arising. (NumPy has NaN where both parts
 * of the divisor are infinite.)
 */
export function divideSingle([a, b]: Complex, [c, d]: Complex): Complex {
  const by = 1 / (c * c + d * d);
  const x = Math.max(Math.min(c, kHuge), -kHuge) + kTiny;
  const y = Math.max(Math.min(d, kHuge), -kHuge);
  return [(a * x + b * y) * by, (b * x - a * y) * by];
}

const scale = ([a, b]: Complex, by: number): Complex => [a * by, b * by];
const shift = ([a, b]: Complex, by: number): Complex => [a + by, b];
/** i * z. */
const timesI = ([a, b]: Complex): Complex => [-b, a];
/** -i * z. */
const timesMinusI = ([a, b]: Complex): Complex => [b, -a];

/** e^z. For real z the imaginary part stays a zero: Infinity * sin(0) would be NaN. */
function exp([a, b]: Complex): Complex {
  const size = Math.exp(a);
  return b === 0 ? [size, b] : [size * Math.cos(b), size * Math.sin(b)];
}

/** e^z - 1. The real part is expm1(a) cos(b) - 2 sin(b/2)^2, which does not cancel near 0. */
function expm1([a, b]: Complex): Complex {
  const half = Math.sin(b / 2);
  return [Math.expm1(a) * Math.cos(b) - 2 * half * half, b === 0 ? b : Math.exp(a) * Math.sin(b)];
}

/** log|z| + i arg z. If |z| is between 0.5 and 2, log|z| is computed from |z|^2 - 1, which is accurate where log|z| is near 0. */
function log([a, b]: Complex): Complex {
  const size = Math.hypot(a, b);
  const [more, less] = Math.abs(a) < Math.abs(b) ? [Math.abs(b), Math.abs(a)] : [Math.abs(a), Math.abs(b)];
  const near = size > 0.5 && size < 2;
  return [near ? Math.log1p((more - 1) * (more + 1) + less * less) / 2 : Math.log(size), Math.atan2(b, a)];
}

/** log(1 + z). For small z the real part is computed from |1 + z|^2 - 1 = a (2 + a) + b^2. */
function log1p([a, b]: Complex): Complex {
  const small = Math.abs(a) < 0.5 && Math.abs(b) < 0.5;
  return [small ? Math.log1p(a * (2 + a) + b * b) / 2 : Math.log(Math.hypot(1 + a, b)), Math.atan2(b, 1 + a)];
}

/** The square root whose real part is not negative. */
function sqrt([a, b]: Complex): Complex {
  if (a === 0 && b === 0) return [0, b];
  const size = Math.sqrt((Math.hypot(a, b) + Math.abs(a)) / 2);
  const other = Math.abs(b) / (2 * size);
  const sign = b < 0 || Object.is(b, -0) ? -1 : 1;
  return a >= 0 ? [size, sign * other] : [other, sign * size];
}

const sinh = ([a, b]: Complex): Complex => [Math.sinh(a) * Math.cos(b), Math.cosh(a) * Math.sin(b)];
const cosh = ([a, b]: Complex): Complex => [Math.cosh(a) * Math.cos(b), Math.sinh(a) * Math.sin(b)];

/** sinh(z) / cosh(z). */
function tanh([a, b]: Complex): Complex {
  // For large |a| the real part is ±1 and the imaginary part 4 sin b cos b / e^2|a|. Kahan's form would overflow there.
  if (Math.abs(a) > 22) return [Math.sign(a), 4 * Math.sin(b) * Math.cos(b) * Math.exp(-2 * Math.abs(a))];
  // Kahan's form: it has no subtraction, so it keeps its precision near the poles.
  const t = Math.tan(b);
  const s = Math.sinh(a);
  const sec2 = 1 + t * t;
  const below = 1 + sec2 * s * s;
  return [(sec2 * Math.sqrt(1 + s * s) * s) / below, t / below];
}

const sin = (z: Complex): Complex => timesMinusI(sinh(timesI(z)));
const tan = (z: Complex): Complex => timesMinusI(tanh(timesI(z)));

/** -i log(iz + sqrt(1 - z^2)), computed from the square roots of 1 - z and 1 + z so that nothing cancels (Kahan). */
function asin(z: Complex): Complex {
  const [p, q] = sqrt(shift(scale(z, -1), 1));
  const [r, s] = sqrt(shift(z, 1));
  return [Math.atan2(z[0], p * r - q * s), Math.asinh(p * s - q * r)];
}

/** The arc cosine, computed from the square roots of 1 - z and 1 + z like `asin`. */
function acos(z: Complex): Complex {
  const [p, q] = sqrt(shift(scale(z, -1), 1));
  const [r, s] = sqrt(shift(z, 1));
  return [2 * Math.atan2(p, r), Math.asinh(r * q - s * p)];
}

/** (log(1 + iz) - log(1 - iz)) / 2i. */
function atan(z: Complex): Complex {
  const [a, b] = log1p(timesI(z));
  const [c, d] = log1p(timesMinusI(z));
  return [(b - d) / 2, (c - a) / 2];
}

/** 1 / (1 + e^-z). */
const sigmoid = (z: Complex): Complex => divide([1, 0], shift(exp(scale(z, -1)), 1));

/** z / |z|; 0 for 0. */
function sign([a, b]: Complex): Complex {
  const size = Math.hypot(a, b);
  return size === 0 ? [0, 0] : [a / size, b / size];
}

/** e^(w log z). For z = 0 the result is 1 if w = 0, otherwise 0. */
function pow(z: Complex, w: Complex): Complex {
  if (w[0] === 0 && w[1] === 0) return [1, 0];
  if (z[0] === 0 && z[1] === 0) return [0, 0];
  return exp(multiply(w, log(z)));
}

/** The unary operations. */
export const complexUnary: Readonly<Partial<Record<OpNameOf<"unary">, ComplexUnary>>> = {
  neg: ([re, im]) => [-re, -im],
  abs: ([re, im]) => Math.hypot(re, im),
  conj: ([re, im]) => [re, -im],
  real: ([re]) => re,
  imag: ([, im]) => im,
  sign,
  square: (x) => multiply(x, x),
  reciprocal: (x) => divide([1, 0], x),
  sqrt,
  rsqrt: (x) => divide([1, 0], sqrt(x)),
  exp,
  expm1,
  log,
  log1p,
  sin,
  cos: (z) => cosh(timesI(z)),
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  sigmoid,
};

/** The binary operations. */
export const complexBinary: Readonly<Partial<Record<OpNameOf<"binary">, ComplexBinary>>> = {
  add: ([a, b], [c, d]) => [a + c, b + d],
  sub: ([a, b], [c, d]) => [a - c, b - d],
  mul: multiply,
  div: divide,
  pow,
  // TensorFlow's functor multiplies the difference by its conjugate.
  squaredDifference: ([a, b], [c, d]) => [(a - c) * (a - c) + (b - d) * (b - d), 0],
  equal: ([a, b], [c, d]) => (a === c && b === d ? 1 : 0),
  notEqual: ([a, b], [c, d]) => (a === c && b === d ? 0 : 1),
};
