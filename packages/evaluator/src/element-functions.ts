/**
 * Returns the function of an operation and dtype, from values to values: takes it from the references of the operation's record, by the kind
 * of value, and adds rounding or wrapping. Floats are computed in float64 and rounded, integers exactly and wrapped. For float32 this gives
 * the correctly rounded result of + - * / and the square root, because a float64 has more than twice as many significant bits. The other
 * functions are as accurate as the float64 function, then rounded.
 */
import type { Complex, DType } from "@onebuffer/base";
import { InternalError, InvalidArgumentError, dtypeSize } from "@onebuffer/base";
import { isComplexDType, isFloat, references } from "@onebuffer/expression/internal";
import type { OpNameOf, ScalarContext } from "@onebuffer/expression/internal";
import type { OpName } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
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

/** A reference, as it is called: a unary one takes its context second. */
type Compute = (x: Value, y: Value | ScalarContext, at?: ScalarContext) => Value;

/** Returns the arithmetic of a dtype. */
function contextOf(dtype: DType): ScalarContext {
  return {
    dtype,
    bits: dtypeSize(dtype) * 8,
    round: roundTo(dtype),
    wrap: (x) => wrapBig(dtype, x),
    refuse(message) {
      throw new InvalidArgumentError(message);
    },
  };
}

/** Returns the reference of an operation for a dtype. Throws INTERNAL if its record has none. */
function referenceOf(op: OpName, dtype: DType): Compute {
  const kind = valueKind(dtype);
  const name = kind === "bigint" ? "big" : kind === "complex" ? kind : dtype === "bool" ? dtype : isFloat(dtype) ? "float" : "integer";
  const compute = references[op]?.[name];
  if (compute === undefined) throw new InternalError(`the op table lists ${op} of ${dtype}, the evaluator does not have it`);
  return compute as Compute;
}

/** Returns the function that brings the result of an operation into the range of a dtype; null if it needs none. */
function fittingOf(op: OpName, dtype: DType): ((x: Value) => Value) | null {
  const kind = valueKind(dtype);
  if (kind === "complex") return (x) => fitResult(dtype, x as Complex | number);
  if (opTable[op].result === "bool" || opTable[op].result === "uint8" || dtype === "float64" || dtype === "bool") return null;
  return (kind === "bigint" ? (x) => wrapBig(dtype, x as bigint) : roundTo(dtype)) as (x: Value) => Value;
}

/** Returns the function of a unary operation other than cast. */
export function unaryFunction(op: OpNameOf<"unary">, dtype: DType): UnaryFunction {
  const [compute, fit, at] = [referenceOf(op, dtype), fittingOf(op, dtype), contextOf(dtype)];
  return fit === null ? (x) => compute(x, at) : (x) => fit(compute(x, at));
}

/** Returns the function of a binary operation. */
export function binaryFunction(op: OpNameOf<"binary">, dtype: DType): BinaryFunction {
  const [compute, fit, at] = [referenceOf(op, dtype), fittingOf(op, dtype), contextOf(dtype)];
  return fit === null ? (x, y) => compute(x, y, at) : (x, y) => fit(compute(x, y, at));
}

function fitResult(dtype: DType, result: Complex | number): Value {
  if (typeof result === "number") return dtype === "complex64" ? Math.fround(result) : result;
  return fitComplex(dtype, result);
}
