/** numbers: the arithmetic of real and of complex numbers, over which the reference of each factorization is written once. */
import type { DType } from "@onebuffer/base";
import type { CustomValue } from "@onebuffer/expression/internal";
import { isComplexDType } from "@onebuffer/expression/internal";
import { quotient } from "../spectrum/complex-numbers.ts";

/** A complex number: real and imaginary part. */
type Pair = readonly [re: number, im: number];

/** Arithmetic on numbers of type `T`, in float64. */
export interface Numbers<T> {
  of(re: number): T;
  add(x: T, y: T): T;
  sub(x: T, y: T): T;
  mul(x: T, y: T): T;
  div(x: T, y: T): T;
  conj(x: T): T;
  /** The size by which pivots are compared: the absolute value, as in TensorFlow. LAPACK compares |re| + |im|. */
  size(x: T): number;
  real(x: T): number;
}

const realNumbers: Numbers<number> = {
  of: (re) => re,
  add: (x, y) => x + y,
  sub: (x, y) => x - y,
  mul: (x, y) => x * y,
  div: (x, y) => x / y,
  conj: (x) => x,
  size: Math.abs,
  real: (x) => x,
};

const complexNumbers: Numbers<Pair> = {
  of: (re) => [re, 0],
  add: ([a, b], [c, d]) => [a + c, b + d],
  sub: ([a, b], [c, d]) => [a - c, b - d],
  mul: ([a, b], [c, d]) => [a * c - b * d, a * d + b * c],
  div: ([a, b], [c, d]) => quotient(a, b, c, d),
  conj: ([a, b]) => [a, -b],
  size: ([a, b]) => Math.hypot(a, b),
  real: ([a]) => a,
};

/** Returns the arithmetic of a dtype. Its numbers are the evaluator's values. */
export function numbersOf(dtype: DType): Numbers<CustomValue> {
  return (isComplexDType(dtype) ? complexNumbers : realNumbers) as unknown as Numbers<CustomValue>;
}
