/**
 * Lowerings of the elementwise operations: the operands are broadcast, then the dtype decides which function writes the result.
 */
import type { DType } from "@onebuffer/base";
import { formulas, isComplexDType, isFloat, isMap } from "@onebuffer/expression/internal";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { opTable } from "@onebuffer/expression";
import { UnimplementedError } from "@onebuffer/base";
import type { Builder, Direction, Value } from "../text/builder.ts";
import { isComplexType } from "../text/tensor-type.ts";
import { complexFormula, writeComplex } from "./complex-parts.ts";
import { angle, difference, floatFunctions, floorModulo, power, productOf, quotient, sum } from "./float-functions.ts";
import {
  floorQuotient,
  floorRemainder,
  integerAbs,
  integerNegative,
  integerPower,
  integerProduct,
  integerSign,
  shifted,
  truncatedQuotient,
  truncatedRemainder,
} from "./integers.ts";
import type { Lowering, Site } from "./lowering.ts";
import { inputAt, operand, operandAt } from "./lowering.ts";
import { TextValue } from "./text-value.ts";

type Binary = (site: Site, x: Value, y: Value) => Value;

const integerUnary: Readonly<Partial<Record<OpNameOf<"unary">, (b: Builder, x: Value) => Value>>> = {
  neg: integerNegative,
  abs: integerAbs,
  sign: integerSign,
  square: (b, x) => integerProduct(b, x, x),
  round: (_, x) => x,
  invert: (b, x) => b.not(x),
};

/** Returns what writes a function of one real number: a form of its own, or the steps of its formula. */
function realFunction(op: OpNameOf<"unary">, dtype: DType): ((b: Builder, x: Value) => Value) | undefined {
  const own = isFloat(dtype) ? floatFunctions[op] : integerUnary[op];
  if (own !== undefined || formulas[op] === undefined) return own;
  return (b, x) => (opTable[op].result === "uint8" ? b.convert(steps(op, b, x, x), "ui8") : steps(op, b, x, x));
}

/** Writes the steps of a formula. */
function steps(op: string, b: Builder, x: Value, y: Value): Value {
  const [first, second] = [x, y].map((value) => new TextValue(b, value, value.type.element === "f32")) as [TextValue, TextValue];
  return (formulas[op]!(first, second) as TextValue).value;
}

/** Returns true if a function of one operand has a form for a dtype. */
export function hasForm(op: OpNameOf<"unary">, dtype: DType): boolean {
  if (isComplexDType(dtype)) return complexFormula(op) !== undefined;
  return realFunction(op, dtype) !== undefined;
}

/** Returns the lowering of a function of one operand of the same dtype, or of the real parts' dtype for abs. */
export function unary(op: OpNameOf<"unary">): Lowering {
  return (site) => {
    const { b } = site;
    const { dtype } = inputAt(site);
    const x = operand(site);
    const formula = isComplexDType(dtype) ? complexFormula(op) : undefined;
    if (formula !== undefined) return writeComplex(b, formula, [x]);
    const write = realFunction(op, dtype);
    if (write === undefined) throw new UnimplementedError(`toStableHLO: ${op} of ${dtype} has no form in StableHLO`);
    return write(b, x);
  };
}

/** Returns the lowering of an operation on two operands of one dtype, from its forms for floats, integers and complex numbers. */
export function binary(op: string, floats: Binary | null, integers: Binary | null): Lowering {
  return (site) => {
    const { dtype } = inputAt(site);
    const [x, y] = [operandAt(site, 0), operandAt(site, 1)];
    const formula = isComplexDType(dtype) ? complexFormula(op) : undefined;
    if (formula !== undefined) return writeComplex(site.b, formula, [x, y]);
    const write = isFloat(dtype) ? floats : integers;
    if (write === null) throw new UnimplementedError(`toStableHLO: ${op} of ${dtype} has no form in StableHLO`);
    return write(site, x, y);
  };
}

const plain =
  (op: string): Binary =>
  ({ b }, x, y) =>
    b.same(`stablehlo.${op}`, x, y);

/** The operations of StableHLO that are the same for all dtypes. */
export function same(op: string): Lowering {
  return binary(op, plain(op), plain(op));
}

/** Returns the lowering of a comparison. Complex numbers are equal if both parts are. */
export function comparison(direction: Direction): Lowering {
  return (site) => {
    const { b } = site;
    const [x, y] = [operandAt(site, 0), operandAt(site, 1)];
    if (!isComplexType(x.type.element)) return b.compare(direction, x, y);
    const [re, im] = [b.compare(direction, b.real(x), b.real(y)), b.compare(direction, b.imag(x), b.imag(y))];
    return direction === "EQ" ? b.and(re, im) : b.or(re, im);
  };
}

/** Returns true if an operand is constant or broadcast: then XLA knows more about the divisor than its elements. */
function isBroadcastDivisor(site: Site): boolean {
  const divisor = inputAt(site, 1);
  const count = (dims: readonly number[]): number => dims.reduce((product, size) => product * size, 1);
  return count(divisor.dimensions) < count(site.node.dimensions) || !isMap(divisor);
}

/** Returns the lowering of a function of two floats that has a formula, which may divide by the second. */
export function formulaOfTwo(op: string): Lowering {
  return binary(op, (site, x, y) => steps(op, site.b, x, isBroadcastDivisor(site) ? site.b.opaque(y) : y), null);
}

/** The lowerings of div. */
export const division: Lowering = binary("div", (site, x, y) => quotient(site.b, x, y, isBroadcastDivisor(site)), truncatedQuotient);

/** The lowerings of floorDiv: the floor of the rounded quotient. */
export const floorDivision: Lowering = binary(
  "floorDiv",
  (site, x, y) => site.b.same("stablehlo.floor", quotient(site.b, x, y, isBroadcastDivisor(site))),
  floorQuotient,
);

export const addition: Lowering = binary("add", ({ b }, x, y) => sum(b, x, y), plain("add"));
export const subtraction: Lowering = binary("sub", ({ b }, x, y) => difference(b, x, y), plain("subtract"));
export const multiplication: Lowering = binary(
  "mul",
  ({ b }, x, y) => productOf(b, x, y),
  ({ b }, x, y) => integerProduct(b, x, y),
);
export const modulo: Lowering = binary("mod", ({ b }, x, y) => floorModulo(b, x, y), floorRemainder);
export const truncatedModulo: Lowering = binary("truncateMod", ({ b }, x, y) => b.same("stablehlo.remainder", x, y), truncatedRemainder);
export const exponentiation: Lowering = binary("pow", ({ b }, x, y) => power(b, x, y), integerPower);
export const arcTangent: Lowering = binary("atan2", ({ b }, y, x) => angle(b, y, x), null);
export const squaredDifference: Lowering = binary(
  "squaredDifference",
  ({ b }, x, y) => {
    const off = difference(b, x, y);
    return productOf(b, off, off);
  },
  ({ b }, x, y) => {
    const off = b.subtract(x, y);
    return integerProduct(b, off, off);
  },
);

/** Returns the lowering of a shift. */
export function shift(isLeft: boolean): Lowering {
  return binary(isLeft ? "leftShift" : "rightShift", null, ({ b }, x, y) => shifted(b, x, y, isLeft));
}

export const realPart: Lowering = (site) => site.b.real(operand(site));
export const imaginaryPart: Lowering = (site) => site.b.imag(operand(site));
export const conjugate: Lowering = (site) => {
  const { b } = site;
  return b.complex(b.real(operand(site)), b.negate(b.imag(operand(site))));
};
export const isNan: Lowering = (site) => site.b.compare("NE", operand(site), operand(site));
export const isFinite: Lowering = (site) => {
  const size = site.b.same("stablehlo.abs", operand(site));
  return site.b.compare("LT", size, site.b.like(size, Infinity));
};
export const isInf: Lowering = (site) => {
  const size = site.b.same("stablehlo.abs", operand(site));
  return site.b.compare("EQ", size, site.b.like(size, Infinity));
};
export const logicalNot: Lowering = (site) => site.b.not(operand(site));
export const selection: Lowering = (site) => site.b.select(operandAt(site, 0), operandAt(site, 1), operandAt(site, 2));
