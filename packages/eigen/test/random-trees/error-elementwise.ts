// Error bounds of elementwise operations. An inexact operand is an interval; the operation at its ends gives the range of the result. This
// holds for operations that are monotonic in each operand; the others have rules of their own.
import type { DType } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import { attributesOf } from "@onebuffer/expression/src/tree/op-attributes";
import { castFunction } from "@onebuffer/evaluator/src/cast-function";
import { binaryFunction, unaryFunction } from "@onebuffer/evaluator/src/element-functions";
import { broadcastMap } from "@onebuffer/evaluator/src/index-map";
import type { Read, Value } from "@onebuffer/evaluator/src/values";
import { computedIn, largestOf, unitAt } from "./float-units.ts";
import { isFloatDType } from "./growth.ts";
import type { Errors, Step } from "./step.ts";
import { records, wholeRecords } from "../operation-records.ts";
import type { InexactRule } from "@onebuffer/expression/src/ops/op-record";
import { product } from "../row-major.ts";

/** The bounds of the records in ulp: float32, float64. Other operations are rounded once. */
function boundOf(op: OpName): readonly [number, number, number?] | undefined {
  const accuracy = (records[op] ?? wholeRecords[op])?.accuracy;
  return typeof accuracy === "string" ? undefined : accuracy;
}

/** Returns the units that two evaluations may differ: one is within the documented bound, the other within 1. */
function unitsOf(op: OpName, dtype: DType): number {
  const bound = boundOf(op);
  return bound === undefined ? 0 : (dtype === "float64" ? bound[1] : bound[0]) + 1;
}

/** Returns the error of a function of exact operands, or what its own error adds to theirs. */
function functionError(op: OpName, dtype: DType, units: number, value: number): number {
  return units * unitAt(computedIn(dtype), Math.max(Math.abs(value), boundOf(op)?.[2] ?? 0));
}

/** Returns true for zeros, NaN and infinities. */
const isSpecial = (x: number): boolean => x === 0 || x !== x || Math.abs(x) === Infinity;

/** Returns true for exp(x - max(x)), as in softmax: there kernels may flush results below the normal numbers to 0. */
function isPowerBelowMaximum({ op, inputs }: ExpressionTree): boolean {
  const [from, largest] = inputs[0]?.op === "sub" ? inputs[0].inputs : [];
  if (op !== "exp" || from === undefined) return false;
  let reduction = largest as ExpressionTree;
  while (opTable[reduction.op].class === "movement") reduction = reduction.inputs[0] as ExpressionTree;
  return reduction.op === "max";
}

/** Returns the error of a function of exact operands: 0 where the result is one of the special values that the page lists. */
function ownError(op: OpName, dtype: DType, operands: readonly number[], value: number): number {
  const units = unitsOf(op, dtype);
  if (units === 0 || value !== value) return 0;
  if (operands.some(isSpecial) && (isSpecial(value) || Math.abs(value) === 1)) return 0;
  if (op === "exp2" && Number.isInteger(operands[0])) return 0;
  return functionError(op, dtype, units, value);
}

/** Functions that turn: each returns a bound for the change of the result. */
const turning: Readonly<Partial<Record<InexactRule, (x: number, error: number, value: number) => number>>> = {
  slope: (_, error) => error,
  wave: (_, error) => Math.min(error, 2),
  square: (x, error) => 2 * Math.abs(x) * error + error * error,
  cosh: (x, error) => Math.max(Math.cosh(Math.abs(x) + error) - Math.cosh(x), 0) + error * error,
  tan: (_, error, value) => (error * (1 + value * value) < 0.01 ? 2 * error * (1 + value * value) : Infinity),
};

/** Returns the largest difference of a value to the results at the ends of intervals; Infinity if a difference is infinite or NaN. */
function spread(value: number, ends: readonly number[]): number {
  let most = 0;
  for (const end of ends) {
    if (Object.is(end, value) || (end !== end && value !== value)) continue;
    const off = Math.abs(end - value);
    if (!(off < Infinity)) return Infinity;
    most = Math.max(most, off, Number.MIN_VALUE);
  }
  return most;
}

type Function = (operands: readonly number[]) => number;

/** Returns the values at all corners of the operands' intervals. */
function corners(compute: Function, operands: readonly number[], errors: readonly number[]): number[] {
  let points: number[][] = [[]];
  operands.forEach((x, k) => {
    const error = errors[k] as number;
    const ends = error === 0 ? [x] : [x - error, x, x + error];
    points = points.flatMap((point) => ends.map((end) => [...point, end]));
  });
  return points.map(compute);
}

/** Functions that may be discontinuous, or have no bound, somewhere: each returns true if this may be within the intervals. */
const jumping: Readonly<Partial<Record<InexactRule, (x: number, dx: number, y: number, dy: number) => boolean>>> = {
  unknown: () => true,
  divisor: (_x, _dx, y, dy) => dy > 0 && Math.abs(y) <= dy,
  pole: (x, dx) => Math.abs(x) <= dx,
  power: (x, dx, y) => x <= dx || (dx > 0 && y !== y),
  equality: (x, dx, y, dy) => Math.abs(x - y) <= dx + dy,
  classes: (x, dx) => Math.abs(x) + dx >= 1e38,
};

/** Returns the error of an operation on inexact operands. */
function carriedError(
  op: OpName,
  dtype: DType,
  compute: Function,
  operands: readonly number[],
  errors: readonly number[],
  value: number,
): number {
  if (errors.includes(Infinity)) return Infinity;
  // If an operand may be either infinite or the largest number, the result is unknown.
  if (operands.some((x, k) => (errors[k] as number) > 0 && !(Math.abs(x) + (errors[k] as number) < largestOf(computedIn(dtype)))))
    return Infinity;
  const rule = records[op]?.inexact ?? "monotonic";
  const [[x, y], [dx, dy]] = [operands, errors] as [number[], number[]] as [[number, number], [number, number]];
  if (jumping[rule]?.(x, dx, y, dy) === true) return Infinity;
  const rounding = functionError(op, dtype, unitsOf(op, dtype) + 2, value);
  const turned = turning[rule];
  if (turned !== undefined) return value !== value || Math.abs(value) === Infinity ? Infinity : turned(x, dx, value) + rounding;
  if (rule === "difference") {
    const difference = x - y;
    const off = dx + dy + unitAt(computedIn(dtype), difference);
    return value === Infinity ? Infinity : 2 * Math.abs(difference) * off + off * off + rounding;
  }
  const off = spread(value, corners(compute, operands, errors));
  // Operations that round correctly or are steps are monotonic: equal results at the ends mean equal bits. Other functions are not.
  if (off === 0 && (unitsOf(op, dtype) === 0 || value !== value || Math.abs(value) === Infinity)) return 0;
  return off + rounding;
}

/** Returns the function of a node, from numbers to a number. */
function functionOf(node: ExpressionTree, from: DType): Function {
  if (node.op === "cast") {
    const cast = castFunction(from, node.dtype, attributesOf(node, "cast").saturate);
    return ([x]) => cast(x as number) as number;
  }
  if (node.inputs.length === 1) {
    const compute = unaryFunction(node.op as "neg", from);
    return ([x]) => compute(x as number) as number;
  }
  const compute = binaryFunction(node.op as "add", from);
  return ([x, y]) => compute(x as number, y as number) as number;
}

/** Returns the error of a cast's operand. An inexact float16 or bfloat16 is rounded first, which may go either way. */
function castOperandError(from: DType, x: number, error: number): number {
  return error > 0 && (from === "float16" || from === "bfloat16") ? error + unitAt(from, Math.abs(x) + error) : error;
}

function selectErrors(node: ExpressionTree, inputs: readonly Step[], places: readonly ((k: number) => number)[]): Errors {
  const [condition, then, otherwise] = inputs as [Step, Step, Step];
  return Float64Array.from({ length: product(node.dimensions) }, (_, k) => {
    const at = (places[0] as (k: number) => number)(k);
    if ((condition.errors?.[at] ?? 0) > 0) return Infinity;
    const which = condition.read(at) === 0 ? 2 : 1;
    return (which === 2 ? otherwise : then).errors?.[(places[which] as (k: number) => number)(k)] ?? 0;
  });
}

/** Returns the errors of a unary, binary or ternary operation. */
export function elementwiseErrors(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  const { op } = node;
  const from = (inputs[0] as Step).dtype;
  const exact = inputs.every(({ errors }) => errors === null);
  const isFloat = isFloatDType(from as "float32");
  if (exact && (unitsOf(op, from) === 0 || !isFloat)) return null;
  const places = inputs.map(({ dimensions }) => broadcastMap(dimensions, node.dimensions) ?? ((k: number) => k));
  if (op === "select") return selectErrors(node, inputs, places);
  const count = product(node.dimensions);
  const errorsAt = (k: number): number[] => inputs.map(({ errors }, i) => errors?.[(places[i] as (k: number) => number)(k)] ?? 0);
  // Integers and booleans are either exact or unknown.
  if (!isFloat) return Float64Array.from({ length: count }, (_, k) => (errorsAt(k).some((error) => error > 0) ? Infinity : 0));
  const compute = functionOf(node, from);
  const lost = isPowerBelowMaximum(node) ? (from === "float64" ? 2 ** -1022 : 2 ** -126) : 0;
  const isNumber = (value: Value): value is number => typeof value === "number";
  return Float64Array.from({ length: count }, (_, k) => {
    const operands = inputs.map((input, i) => input.read((places[i] as (k: number) => number)(k)) as number);
    const value = read(k);
    const errors = op === "cast" ? errorsAt(k).map((error) => castOperandError(from, operands[0] as number, error)) : errorsAt(k);
    const below = isNumber(value) && Math.abs(value) <= lost ? lost : 0;
    if (errors.every((error) => error === 0)) return isNumber(value) ? ownError(op, from, operands, value) + below : 0;
    const certain = operands.every((x, i) => errors[i] === 0 || (x !== x && errors[i] !== Infinity));
    if (certain || !isNumber(value)) return certain ? 0 : Infinity;
    // A cast to bool is false for 0 only, and 0 may lie inside the interval.
    const mayBeZero = op === "cast" && node.dtype === "bool" && (errors[0] as number) >= Math.abs(operands[0] as number);
    const off = mayBeZero ? Infinity : carriedError(op, from, compute, operands, errors, value) + below;
    // Integers and booleans that may differ are not compared. A cast to fewer bits may round either way.
    if (op !== "cast") return off > 0 && node.dtype === "bool" ? Infinity : off;
    if (off > 0 && !isFloatDType(node.dtype as "float32")) return Infinity;
    return off > 0 ? off + unitAt(node.dtype, value) : 0;
  });
}

/** Returns the errors of normal random numbers, which are computed by a logarithm, a sine and a cosine. */
export function randomNormalErrors(node: ExpressionTree, read: Read): Errors {
  return Float64Array.from({ length: product(node.dimensions) }, (_, k) => 4 * unitAt(computedIn(node.dtype), read(k) as number));
}
