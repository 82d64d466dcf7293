/**
 * Elements as they are written in `dense<…>`. Finite floats are written in decimal: JavaScript's shortest text of a float64 reads back as
 * the same float64, so every element of a smaller format is exact, too. NaN and the infinities are written by their bits.
 */
import type { Complex } from "@onebuffer/base";
import { InternalError } from "@onebuffer/base";
import type { ElementType } from "./tensor-type.ts";
import { isComplexType, partType } from "./tensor-type.ts";

/** A plain value that `dense<…>` can hold. */
export type Literal = number | bigint | boolean | Complex;

/** The bits of NaN, Infinity and -Infinity by element type; formats without infinities have only NaN. */
const specialBits: Readonly<Partial<Record<ElementType, readonly [nan: string, infinity?: string, negative?: string]>>> = {
  f32: ["0x7FC00000", "0x7F800000", "0xFF800000"],
  f64: ["0x7FF8000000000000", "0x7FF0000000000000", "0xFFF0000000000000"],
  f16: ["0x7E00", "0x7C00", "0xFC00"],
  bf16: ["0x7FC0", "0x7F80", "0xFF80"],
  f8E5M2: ["0x7E", "0x7C", "0xFC"],
  f8E4M3FN: ["0x7F"],
  f8E4M3FNUZ: ["0x80"],
  f8E4M3B11FNUZ: ["0x80"],
  f8E5M2FNUZ: ["0x80"],
};

/** Returns an element as it is written in `dense<…>`. Throws INTERNAL for a value that the element type does not have. */
export function literalText(element: ElementType, value: Literal): string {
  if (typeof value === "object") return `(${value.map((part) => floatText(partType(element), part)).join(", ")})`;
  if (isComplexType(element)) return literalText(element, [Number(value), 0]);
  if (element === "i1") return String(Boolean(value));
  return /^u?i/.test(element) ? String(BigInt(value)) : floatText(element, Number(value));
}

function floatText(element: ElementType, value: number): string {
  if (Number.isFinite(value)) {
    const text = Object.is(value, -0) ? "-0" : String(value);
    return /^-?\d+$/.test(text) ? `${text}.0` : text.replace(/^(-?\d+)e/, "$1.0e");
  }
  const bits = specialBits[element]?.[value !== value ? 0 : value > 0 ? 1 : 2];
  if (bits === undefined) throw new InternalError(`${element} has no ${value}`);
  return bits;
}
