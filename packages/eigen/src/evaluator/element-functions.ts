/**
 * Returns the function of an operation and dtype, from values to values: takes it from the table for the kind of value, and adds rounding
 * or wrapping. The op table lists which operations exist. If a listed one is missing here, the error is INTERNAL.
 */
import type { Complex, DType } from "@onebuffer/base";
import { InternalError } from "@onebuffer/base";
import type { OpNameOf } from "../expression/tree/op-table.ts";
import { opTable } from "../expression/tree/op-table.ts";
import { isComplexDType, isFloat } from "../expression/tree/dtype-groups.ts";
import { bigBinary, bigUnary } from "./bigint-functions.ts";
import { complexBinary, complexUnary, divideSingle, multiplySingle } from "./complex-functions.ts";
import { numberBinary, numberUnary } from "./number-functions.ts";
import type { Value } from "./values.ts";
import { roundTo, valueKind, wrapBig } from "./values.ts";

/** A function from one value to a value. */
export type UnaryFunction = (x: Value) => Value;
/** A function from two values to a value. */
export type BinaryFunction = (x: Value, y: Value) => Value;

/** Rounds both parts of a complex number to a dtype. */
function fitComplex(dtype: DType, [re, im]: Complex): Complex {
  return dtype === "complex64" ? [Math.fround(re), Math.fround(im)] : [re, im];
}

/** How sums and products of a dtype accumulate: the dtype of the intermediate values, and the function that rounds the final one. */
export interface Accumulation {
  readonly wide: DType;
  readonly rounded: (value: Value) => Value;
}

/** Returns how sums and products accumulate: floats in float64, complex numbers in complex128, and integers wrap at each step. */
export function accumulationOf(dtype: DType): Accumulation {
  if (isComplexDType(dtype)) return { wide: "complex128", rounded: (value) => fitComplex(dtype, value as Complex) };
  if (!isFloat(dtype)) return { wide: dtype, rounded: (value) => value };
  const round = roundTo(dtype);
  return { wide: "float64", rounded: (value) => round(value as number) };
}

/** Returns the function of a unary operation other than cast. */
export function unaryFunction(op: OpNameOf<"unary">, dtype: DType): UnaryFunction {
  switch (valueKind(dtype)) {
    case "bigint": {
      const compute = present(bigUnary[op], op, dtype);
      return (x) => wrapBig(dtype, compute(x as bigint));
    }
    case "complex": {
      if (op === "square" && dtype === "complex64") return (x) => multiplySingle(x as Complex, x as Complex);
      const compute = present(complexUnary[op], op, dtype);
      return (x) => fitResult(dtype, compute(x as Complex));
    }
    default: {
      const compute = present(numberUnary(op, dtype), op, dtype);
      // Booleans need no rounding.
      if (opTable[op].result === "bool" || dtype === "float64") return compute as UnaryFunction;
      const round = roundTo(dtype);
      return (x) => round(compute(x as number));
    }
  }
}

/** Returns the function of a binary operation. */
export function binaryFunction(op: OpNameOf<"binary">, dtype: DType): BinaryFunction {
  const toBool = opTable[op].result === "bool";
  switch (valueKind(dtype)) {
    case "bigint": {
      const compute = present(bigBinary(op, dtype), op, dtype);
      return toBool ? (compute as BinaryFunction) : (x, y) => wrapBig(dtype, compute(x as bigint, y as bigint) as bigint);
    }
    case "complex": {
      if (op === "mul" && dtype === "complex64") return multiplySingle as BinaryFunction;
      const compute = op === "div" && dtype === "complex64" ? divideSingle : present(complexBinary[op], op, dtype);
      return (x, y) => fitResult(dtype, compute(x as Complex, y as Complex));
    }
    default: {
      const round = roundTo(dtype);
      const compute = present(numberBinary(op, dtype, round), op, dtype);
      if (toBool || dtype === "float64" || dtype === "bool") return compute as BinaryFunction;
      return (x, y) => round(compute(x as number, y as number));
    }
  }
}

function fitResult(dtype: DType, result: Complex | number): Value {
  if (typeof result === "number") return dtype === "complex64" ? Math.fround(result) : result;
  return fitComplex(dtype, result);
}

/** Returns `compute`. Throws INTERNAL if it is undefined. */
function present<F>(compute: F | undefined, op: string, dtype: DType): F {
  if (compute === undefined) throw new InternalError(`the op table lists ${op} of ${dtype}, the evaluator does not have it`);
  return compute;
}
