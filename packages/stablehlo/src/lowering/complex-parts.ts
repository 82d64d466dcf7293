/**
 * complex-parts: complex numbers as their two parts in f64. Their functions are the formulas that the kernels compute
 * (eigen's expression/formulas): StableHLO's own differ where parts are infinite or overflow on the way.
 */
import { complexFormulas } from "@onebuffer/expression/internal";
import type { ComplexFormula } from "@onebuffer/expression/internal";
import type { Builder, Value } from "../text/builder.ts";
import { TextValue } from "./text-value.ts";

/** A complex number as its two parts in f64. */
export type Parts = readonly [re: Value, im: Value];

/** Returns the parts of a complex value in f64. */
export function partsOf(b: Builder, z: Value): Parts {
  return [b.convert(b.real(z), "f64"), b.convert(b.imag(z), "f64")];
}

/** Returns a complex value of parts in f64, each rounded to the part type of `element`. */
export function fromParts(b: Builder, [re, im]: Parts, element: "f32" | "f64"): Value {
  return b.complex(b.convert(re, element), b.convert(im, element));
}

/** Returns the formula of an operation on complex numbers; undefined if there is none. */
export function complexFormula(op: string): ComplexFormula | undefined {
  return complexFormulas[op as keyof typeof complexFormulas];
}

/** Writes a formula of one or two complex numbers. The result has one part if it is not complex. */
export function writeComplex(b: Builder, formula: ComplexFormula, operands: readonly Value[]): Value {
  const element = operands[0]!.type.element === "complex<f32>" ? "f32" : "f64";
  const [z, w] = operands.map((operand) => {
    const [re, im] = partsOf(b, operand);
    return [new TextValue(b, re, element === "f32"), new TextValue(b, im, element === "f32")] as const;
  });
  const result = formula(z!, w ?? z!);
  if (!Array.isArray(result)) return b.convert((result as TextValue).value, element);
  const [re, im] = result as unknown as readonly [TextValue, TextValue];
  return fromParts(b, [re.value, im.value], element);
}
