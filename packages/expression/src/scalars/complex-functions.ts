/**
 * Functions of complex numbers for the evaluator, in float64 arithmetic. The caller then rounds both parts to the dtype. Products of complex64
 * are computed in float32 as in TensorFlow and NumPy: each product of parts is rounded, then their difference or sum. Quotients of complex64
 * are those of float64, rounded once.
 *
 * Multiplication, and division of complex128, are the plain formulas, without the special cases that std::complex has for infinities: a part
 * of a product of infinities may be NaN. The functions have the results of C99's Annex G for infinities, NaN and zeros.
 */
import type { Complex } from "@onebuffer/base";
import { kDown, kFar, kFarAngle, kHuge, kLarge, kNear, kPole, kSmall, kTiny, kUp } from "../formulas/complex-limits.ts";

const multiply = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];

/** The product of complex64 numbers. */
function multiplySingle([a, b]: Complex, [c, d]: Complex): Complex {
  const { fround } = Math;
  return [fround(fround(a * c) - fround(b * d)), fround(fround(a * d) + fround(b * c))];
}

/** (a + bi) / (c + di) by Smith's method: scales by the larger part of the divisor instead of squaring it, which may overflow. */
export function divide([a, b]: Complex, [c, d]: Complex): Complex {
  if (Math.abs(c) >= Math.abs(d)) {
    const ratio = c === 0 && d === 0 ? 0 : d / c;
    const scale = c + d * ratio;
    return [(a + b * ratio) / scale, (b - a * ratio) / scale];
  }
  const ratio = c / d;
  const scale = c * ratio + d;
  return [(a * ratio + b) / scale, (b * ratio - a) / scale];
}

/**
 * The quotient of complex64 numbers before its parts are rounded: by the squares of the divisor's parts, which cannot overflow in float64, and
 * with one division, because divisions are what takes the time. A zero divisor has a square of 0, whose reciprocal is infinite; kTiny
 * keeps the sign of the numerator then. An infinite divisor makes zeros, as in C; kHuge keeps NaN from arising. (NumPy has NaN where both parts
 * of the divisor are infinite.)
 */
function divideSingle([a, b]: Complex, [c, d]: Complex): Complex {
  const by = 1 / (c * c + d * d);
  const x = Math.max(Math.min(c, kHuge), -kHuge) + kTiny;
  const y = Math.max(Math.min(d, kHuge), -kHuge);
  return [(a * x + b * y) * by, (b * x - a * y) * by];
}

/** The product, in the arithmetic of the dtype. */
export function product(x: Complex, y: Complex, { dtype }: { readonly dtype: string }): Complex {
  return dtype === "complex64" ? multiplySingle(x, y) : multiply(x, y);
}

/** The quotient, in the arithmetic of the dtype. */
export function quotient(x: Complex, y: Complex, { dtype }: { readonly dtype: string }): Complex {
  return dtype === "complex64" ? divideSingle(x, y) : divide(x, y);
}

const scale = ([a, b]: Complex, by: number): Complex => [a * by, b * by];
const shift = ([a, b]: Complex, by: number): Complex => [a + by, b];
/** i * z. */
const timesI = ([a, b]: Complex): Complex => [-b, a];
/** -i * z. */
const timesMinusI = ([a, b]: Complex): Complex => [b, -a];

const isInfinite = (x: number): boolean => Math.abs(x) === Number.POSITIVE_INFINITY;

/** The angle b beside a size that a decides: 0 where a is infinite and b has no direction, so that the size stays an infinity or a zero. */
const angleBeside = (a: number, b: number): number => (isInfinite(a) && !Number.isFinite(b) ? 0 : b);

/** A number that is not negative, with the sign of another one; NaN counts as positive. */
const withSign = (size: number, like: number): number => (like < 0 || Object.is(like, -0) ? -size : size);

/** e^z. For real z the imaginary part stays a zero: Infinity * sin(0) would be NaN. */
export function exp([a, b]: Complex): Complex {
  const size = Math.exp(a);
  const angle = angleBeside(a, b);
  return b === 0 ? [size, b] : [size * Math.cos(angle), size * Math.sin(angle)];
}

/** e^z - 1. The real part is expm1(a) cos(b) - 2 sin(b/2)^2, which does not cancel near 0. */
export function expm1([a, b]: Complex): Complex {
  const angle = angleBeside(a, b);
  const half = Math.sin(angle / 2);
  return [Math.expm1(a) * Math.cos(angle) - 2 * half * half, b === 0 ? b : Math.exp(a) * Math.sin(angle)];
}

/** Returns 1, or the factor for a number that is too large or too small. */
function factorOf(a: number, b: number): number {
  const larger = Math.max(Math.abs(a), Math.abs(b));
  return larger > kLarge ? kDown : larger < kSmall ? kUp : 1;
}

/** log|z| for z that is not near the unit circle. */
function logModulus(a: number, b: number): number {
  const by = factorOf(a, b);
  return Math.log(Math.hypot(a * by, b * by)) - Math.log2(by) * Math.LN2;
}

/** log|z| + i arg z. If |z| is between 0.5 and 2, log|z| is computed from |z|^2 - 1, which is accurate where log|z| is near 0. */
export function log([a, b]: Complex): Complex {
  const size = Math.hypot(a, b);
  const [more, less] = Math.abs(a) < Math.abs(b) ? [Math.abs(b), Math.abs(a)] : [Math.abs(a), Math.abs(b)];
  const near = size > 0.5 && size < 2;
  return [near ? Math.log1p((more - 1) * (more + 1) + less * less) / 2 : logModulus(a, b), Math.atan2(b, a)];
}

/** log(1 + z). For small z the real part is computed from |1 + z|^2 - 1 = a (2 + a) + b^2. */
export function log1p([a, b]: Complex): Complex {
  const small = Math.abs(a) < 0.5 && Math.abs(b) < 0.5;
  return [small ? Math.log1p(a * (2 + a) + b * b) / 2 : Math.log(Math.hypot(1 + a, b)), Math.atan2(b, 1 + a)];
}

/** The square root whose real part is not negative. Beside an infinite imaginary part both parts are infinite. */
export function sqrt([a, b]: Complex): Complex {
  if (a === 0 && b === 0) return [0, b];
  if (isInfinite(b)) return [Number.POSITIVE_INFINITY, b];
  const by = factorOf(a, b);
  const [x, y, root] = [a * by, b * by, 1 / Math.sqrt(by)];
  const size = Math.sqrt((Math.hypot(x, y) + Math.abs(x)) / 2);
  const other = Math.abs(y) / (2 * size);
  return a >= 0 ? [size * root, withSign(other * root, b)] : [other * root, withSign(size * root, b)];
}

/** A zero part stays a zero where the other part is not finite. */
export function sinh([a, b]: Complex): Complex {
  const angle = angleBeside(a, b);
  const real = a === 0 && !Number.isFinite(b) ? a : Math.sinh(a) * Math.cos(angle);
  return [real, b === 0 ? b : Math.cosh(a) * Math.sin(angle)];
}

/** A zero part makes a zero where the other part is not finite. */
export function cosh([a, b]: Complex): Complex {
  const angle = angleBeside(a, b);
  const real = Math.cosh(a) * Math.cos(angle);
  const size = Math.sinh(a);
  if (a === 0 && !Number.isFinite(b)) return [real, 0];
  if (b === 0 && !Number.isFinite(size)) return [real, a < 0 ? -b : b];
  return [real, size * Math.sin(angle)];
}

/** sinh(z) / cosh(z). */
export function tanh([a, b]: Complex): Complex {
  // For large |a| the real part is ±1 and the imaginary part 4 sin b cos b / e^2|a|. Kahan's form would overflow there.
  const angle = angleBeside(a, b);
  // An angle that is not finite makes both parts NaN.
  if (Math.abs(a) > 22) return [Math.sign(a) + (angle - angle), 4 * Math.sin(angle) * Math.cos(angle) * Math.exp(-2 * Math.abs(a))];
  // Kahan's form: it has no subtraction, so it keeps its precision near the poles.
  const t = Math.tan(b);
  const s = Math.sinh(a);
  const sec2 = 1 + t * t;
  const below = 1 + sec2 * s * s;
  return [a === 0 ? a : (sec2 * Math.sqrt(1 + s * s) * s) / below, b === 0 ? b : t / below];
}

/** The cosine. */
export const cos = (z: Complex): Complex => cosh(timesI(z));
/** The sine. */
export const sin = (z: Complex): Complex => timesMinusI(sinh(timesI(z)));
/** The tangent. */
export const tan = (z: Complex): Complex => timesMinusI(tanh(timesI(z)));

/**
 * -i log(iz + sqrt(1 - z^2)), computed from the square roots of 1 - z and 1 + z so that nothing cancels (Kahan). The real part of an
 * imaginary number's is a zero, even beside NaN.
 */
export function asin(z: Complex): Complex {
  const [a, b] = z;
  if (Math.abs(a) > kFar || Math.abs(b) > kFar) return [Math.atan2(a, Math.abs(b)), withSign(logModulus(a, b) + Math.LN2, b)];
  if (Math.abs(a) < kNear && Math.abs(b) < kNear) return z;
  const [p, q] = sqrt(shift(scale(z, -1), 1));
  const [r, s] = sqrt(shift(z, 1));
  return [a === 0 ? a : Math.atan2(a, p * r - q * s), Math.asinh(p * s - q * r)];
}

/** The arc cosine, computed from the square roots of 1 - z and 1 + z like `asin`. */
export function acos(z: Complex): Complex {
  const [a, b] = z;
  if (Math.abs(a) > kFar || Math.abs(b) > kFar) return [Math.atan2(Math.abs(b), a), withSign(logModulus(a, b) + Math.LN2, -b)];
  const [p, q] = sqrt(shift(scale(z, -1), 1));
  const [r, s] = sqrt(shift(z, 1));
  const isNear = Math.abs(a) < kNear && Math.abs(b) < kNear;
  return [a === 0 ? Math.PI / 2 : 2 * Math.atan2(p, r), isNear ? -b : Math.asinh(r * q - s * p)];
}

/** The real part is half the angle of (1 + iz) / (1 - iz), the imaginary part half the logarithm of its size. */
export function atan([a, b]: Complex): Complex {
  const size = Math.hypot(a, b);
  if (size > kFarAngle)
    return [Number.isNaN(a) ? a : withSign(Math.PI / 2, a), size === Number.POSITIVE_INFINITY ? withSign(0, b) : b / size / size];
  const side = Math.abs(b);
  const distance = Math.hypot(a, 1 - side);
  const depth = distance < kPole ? (Math.LN2 - Math.log(distance)) / 2 : Math.log1p((4 * side) / (distance * distance)) / 4;
  return [Math.atan2(2 * a, (1 - side) * (1 + side) - a * a) / 2, b === 0 ? b : withSign(depth, b)];
}

/** 1 / (1 + e^-z). */
export const sigmoid = (z: Complex): Complex => divide([1, 0], shift(exp(scale(z, -1)), 1));

/** z / |z|; 0 for 0. Beside an infinite part a finite one is 0; two infinite parts are equal. */
export function sign([a, b]: Complex): Complex {
  const isFar = isInfinite(a) || isInfinite(b);
  const unit = (x: number): number => (isInfinite(x) ? withSign(1, x) : 0);
  const by = factorOf(a, b);
  const [x, y] = isFar ? [unit(a), unit(b)] : [a * by, b * by];
  const size = Math.hypot(x, y);
  return size === 0 ? [0, 0] : [x / size, y / size];
}

/** e^(w log z); 1 if w = 0. */
export function pow(z: Complex, w: Complex): Complex {
  return w[0] === 0 && w[1] === 0 ? [1, 0] : exp(multiply(w, log(z)));
}
