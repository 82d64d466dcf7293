/**
 * The elementwise operations on complex numbers, by float64 arithmetic; both parts are then rounded to the dtype.
 *
 * Multiplication and division are the plain formulas (as std::complex computes them without its special cases for
 * infinities): a product of infinities may be NaN in a part.
 */
import type { Complex } from "@onebuffer/base";
import type { OpNameOf } from "../expression/op-table.ts";

/** An operation of one complex number. */
export type ComplexUnary = (x: Complex) => Complex | number;
/** An operation of two; comparisons give 0 or 1. */
export type ComplexBinary = (x: Complex, y: Complex) => Complex | number;

const multiply = ([a, b]: Complex, [c, d]: Complex): Complex => [a * c - b * d, a * d + b * c];

/** (a + bi) / (c + di) by Smith's method: scaled by the larger part of the divisor, so that its square is not needed. */
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

/** The operations of one operand. */
export const complexUnary: Readonly<Partial<Record<OpNameOf<"unary">, ComplexUnary>>> = {
  neg: ([re, im]) => [-re, -im],
  abs: ([re, im]) => Math.hypot(re, im),
  square: (x) => multiply(x, x),
  reciprocal: (x) => divide([1, 0], x),
};

/** The operations of two. */
export const complexBinary: Readonly<Partial<Record<OpNameOf<"binary">, ComplexBinary>>> = {
  add: ([a, b], [c, d]) => [a + c, b + d],
  sub: ([a, b], [c, d]) => [a - c, b - d],
  mul: multiply,
  div: divide,
  // TensorFlow's functor multiplies the difference with its conjugate.
  squaredDifference: ([a, b], [c, d]) => [(a - c) * (a - c) + (b - d) * (b - d), 0],
  equal: ([a, b], [c, d]) => (a === c && b === d ? 1 : 0),
  notEqual: ([a, b], [c, d]) => (a === c && b === d ? 0 : 1),
};
