/** polynomial: polynomials of values of formulas. */
import type { FormulaValue } from "./formula-value.ts";

/** Returns the polynomial of x with some coefficients, that of the highest power first, by Horner's method. */
export function polynomial(x: FormulaValue, [first, ...others]: readonly number[]): FormulaValue {
  return others.reduce((sum, coefficient) => sum.mul(x).add(coefficient), x.number(first!));
}
