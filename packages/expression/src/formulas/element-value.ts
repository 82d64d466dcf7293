/**
 * element-value: the arithmetic of formulas for elements of real numbers: what kernels write as vector programs and the package stablehlo as
 * text. Besides that of all formulas it has float64 and the bits of elements.
 */
import { FormulaValue } from "./formula-value.ts";

/** Some steps of a formula, from one value or two. */
export type FloatSteps = (x: FormulaValue, y: FormulaValue) => FormulaValue;

/** An operand of a formula over elements of real numbers. */
export abstract class ElementValue extends FormulaValue {
  /** The bytes of an element. */
  abstract readonly itemBytes: number;

  /** Returns the result of steps that are computed in float64 from this and perhaps another operand, rounded once to the dtype. */
  abstract inFloat64(steps: FloatSteps, other?: FormulaValue): FormulaValue;

  /** For a float: returns its bits as an integer. */
  abstract bits(): FormulaValue;

  /** Returns the float with some bits: the opposite of `bits` of an operand of the same dtype. */
  abstract floatOf(bits: FormulaValue): FormulaValue;

  /** For an integer: returns that of the same dtype of which all bytes are `byte`. */
  abstract repeated(byte: number): FormulaValue;

  /** Returns an integer shifted right by a constant number of bits. Bits of the sign or zeros enter. */
  abstract shiftRight(value: FormulaValue, count: number): FormulaValue;
}
