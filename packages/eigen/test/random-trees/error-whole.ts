// Error bounds of operations whose elements depend on many elements of the operand. A movement moves errors as it moves elements, so the
// same operation is applied to the errors as float64. The error of a sum is in units of the sum of the absolute values, for any order.
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/eigen";
import { attributesOf } from "@onebuffer/expression/src/tree/op-attributes";
import { fieldsOf } from "@onebuffer/expression/internal";
import { linesAlong } from "@onebuffer/evaluator/src/axis-walk";
import { compileTree } from "@onebuffer/evaluator/src/compile-tree";
import type { Read } from "@onebuffer/evaluator/src/values";
import { computedIn, largestOf, unitAt } from "./float-units.ts";
import { isFloatDType } from "./growth.ts";
import type { Errors, Step } from "./step.ts";
import { operationOn, storedOperand } from "./step.ts";
import { product } from "../row-major.ts";

/**
 * Returns the units of the sum of the absolute values by which two sums, or matrix products, may differ; docs/expressions.md, "Over axes".
 * Kernels add float32 in blocks of 32 additions, the evaluator adds float64 in blocks of `block` elements with a plain loop; each
 * addition inside a block may lose half a unit.
 */
const sumUnits = (dtype: DType, count: number, block: number): number => 4 + Math.min(count, dtype === "float64" ? block : kFloatBlock) / 2;
const kFloatBlock = 32;
const kBlock = 128;

const isFloat = (dtype: DType): boolean => isFloatDType(dtype as "float32");
const hasErrors = (inputs: readonly Step[]): boolean => inputs.some(({ errors }) => errors !== null);
const errorAt = ({ errors }: Step, k: number): number => errors?.[k] ?? 0;
const unknown = (count: number): Float64Array => new Float64Array(count).fill(Infinity);

/** Returns numbers as a float64 operand. */
const numbers = (dims: readonly number[], read: (k: number) => number): ExpressionTree => storedOperand("float64", dims, read).operand;
const errorsAsOperand = (step: Step): ExpressionTree => numbers(step.dimensions, (k) => errorAt(step, k));

/** Returns all elements of a float64 tree. */
function computed(tree: ExpressionTree): Float64Array {
  const read = compileTree(tree);
  return Float64Array.from({ length: product(tree.dimensions) }, (_, k) => read(k) as number);
}

/** Returns the errors of a movement. */
export function movedErrors(node: ExpressionTree, inputs: readonly Step[]): Errors {
  if (!hasErrors(inputs)) return null;
  if (node.op !== "gather") return computed(operationOn(node, inputs.map(errorsAsOperand), "float64"));
  const [operand, indices] = inputs as [Step, Step];
  if (indices.errors !== null) return unknown(product(node.dimensions));
  return computed(operationOn(node, [errorsAsOperand(operand), indexOperand(indices)], "float64"));
}

const indexOperand = ({ dtype, dimensions, read }: Step): ExpressionTree => storedOperand(dtype as "int32", dimensions, read).operand;

/** Returns the errors of a scatter: for updates those of the stored elements; for sums they are unknown. */
export function scatterErrors(node: ExpressionTree, inputs: readonly Step[]): Errors {
  if (!hasErrors(inputs)) return null;
  const [operand, indices, updates] = inputs as [Step, Step, Step];
  const { axis, reduction, skips } = attributesOf(node, "scatter");
  if (indices.errors !== null || reduction === "add" || reduction === "mul") return unknown(product(node.dimensions));
  // The error of the maximum or minimum of two values is at most the larger of their errors.
  const attributes = { axis, skips, reduction: reduction === "update" ? reduction : ("max" as const) };
  const moved = operationOn(
    { ...fieldsOf(node), attributes },
    [errorsAsOperand(operand), indexOperand(indices), errorsAsOperand(updates)],
    "float64",
  );
  return computed(moved);
}

/** The values of one line of a reduction, with their errors. */
interface Line {
  readonly count: number;
  readonly value: (k: number) => number;
  readonly error: (k: number) => number;
}

/** Returns the result of `judge` for every line of a reduction over `axes`. */
function everyLine(step: Step, axes: readonly number[], judge: (line: Line, index: number) => number): Float64Array {
  const { lines, count, first, along } = linesAlong(step.dimensions, axes);
  return Float64Array.from({ length: lines }, (_, n) => {
    const start = first(n);
    const line = {
      count,
      value: (k: number) => step.read(start + along(k)) as number,
      error: (k: number) => errorAt(step, start + along(k)),
    };
    return judge(line, n);
  });
}

/** Returns the sum of the finite absolute values, and the sum of the errors. */
function sizes({ count, value, error }: Line): { readonly size: number; readonly off: number } {
  let [size, off] = [0, 0];
  for (let k = 0; k < count; k++) {
    const x = Math.abs(value(k));
    if (x < Infinity) size += x;
    // An element that is certainly NaN makes every result NaN, so its error does not count.
    if (x === x || error(k) === Infinity) off += error(k);
  }
  return { size, off };
}

/** Returns the error of a sum, or of a mean with `divisor` elements. */
function sumError(dtype: DType, line: Line, total: number, divisor: number): number {
  const { size, off } = sizes(line);
  if (total !== total && off === 0) {
    for (let k = 0; k < line.count; k++) if (!Number.isFinite(line.value(k))) return size < largestOf(dtype) / 2 ? 0 : Infinity;
  }
  // One order of adding may overflow on the way where another does not.
  if (!(size + off < largestOf(dtype) / 2)) return Infinity;
  if (total !== total || Math.abs(total) === Infinity) return off === 0 ? 0 : Infinity;
  return (
    (off + (line.count > 1 ? sumUnits(dtype, line.count, kBlock) * unitAt(dtype, size + off) : 0)) / divisor +
    (divisor > 1 ? 2 * unitAt(dtype, total) : 0)
  );
}

/** Returns the error of a product: half a unit per factor for each evaluation; unknown if a partial product may overflow or underflow. */
function prodError(dtype: DType, { count, value, error }: Line, total: number): number {
  let [up, down, relative] = [0, 0, 0];
  for (let k = 0; k < count; k++) {
    const x = value(k);
    if (error(k) > 0) relative += error(k) / (Math.abs(x) - error(k)) >= 0 ? error(k) / (Math.abs(x) - error(k)) : Infinity;
    if (x === 0 || !Number.isFinite(x)) continue;
    if (Math.abs(x) >= 1) up += Math.log2(Math.abs(x));
    else down -= Math.log2(Math.abs(x));
  }
  const [top, bottom] = dtype === "float64" ? [1000, 1000] : [120, 110];
  if (up > top || down > bottom) return Infinity;
  if (total === 0 || !Number.isFinite(total)) return relative === 0 ? 0 : Infinity;
  if (!(relative < 0.01)) return Infinity;
  return count > 1
    ? Math.abs(total) * 2 * relative + (dtype === "float64" ? count + 1 : 2) * unitAt(dtype, total)
    : Math.abs(total) * relative;
}

/** Returns the error of max or min: the largest error of any element; unknown if the result or an inexact element is NaN. */
function extremeError({ count, value, error }: Line, best: number): number {
  let most = 0;
  for (let k = 0; k < count; k++) {
    const off = error(k);
    if (off === 0) continue;
    if (best !== best) return Infinity;
    most = Math.max(most, value(k) === value(k) ? off : Infinity);
  }
  return most;
}

/** Returns 0 if the index of the largest or smallest element is certain, because no other element comes near it; otherwise Infinity. */
function placeError(op: "argmax" | "argmin", { count, value, error }: Line, place: number): number {
  const sign = op === "argmax" ? 1 : -1;
  const least = sign * value(place) - error(place);
  let inexact = false;
  for (let k = 0; k < count; k++) {
    if (error(k) > 0) inexact = true;
    if (k !== place && (error(k) > 0 || error(place) > 0) && !(sign * value(k) + error(k) < least)) return Infinity;
  }
  return inexact && !Number.isFinite(least) ? Infinity : 0;
}

/** Returns the error of a reduction of integers or booleans, which is either 0 or unknown. */
function wholeNumberError({ count, error }: Line): number {
  for (let k = 0; k < count; k++) if (error(k) > 0) return Infinity;
  return 0;
}

/** Returns the errors of a reduction. */
export function reductionErrors(node: ExpressionTree, operand: Step, read: Read): Errors {
  const { op } = node;
  const dtype = computedIn(operand.dtype);
  const orderMatters = isFloat(operand.dtype) && (op === "sum" || op === "mean" || op === "prod");
  if (operand.errors === null && !orderMatters) return null;
  const axes = op === "argmax" || op === "argmin" ? [attributesOf(node, op).axis] : attributesOf(node, op as "sum").axes;
  if (!isFloat(operand.dtype)) return everyLine(operand, axes, wholeNumberError);
  return everyLine(operand, axes, (line, n) => {
    if (op === "argmax" || op === "argmin") return placeError(op, line, Number(read(n)));
    const total = read(n) as number;
    if (axes.length === 0) return line.error(0);
    if (op === "sum") return sumError(dtype, line, total, 1);
    if (op === "mean") return sumError(dtype, line, total, line.count);
    return op === "prod" ? prodError(dtype, line, total) : extremeError(line, total);
  });
}

/** Returns the errors of a cumulative sum. They are unknown for other inexact scans and inexact integers. */
export function scanErrors(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  if (!hasErrors(inputs)) return null;
  if (inputs.length > 1) return unknown(product(node.dimensions));
  const operand = inputs[0] as Step;
  const running = computed(operationOn({ ...fieldsOf(node), op: "cumsum" }, [errorsAsOperand(operand)], "float64"));
  const isSum = node.op === "cumsum" && isFloat(node.dtype);
  const size = isSum
    ? computed(
        operationOn(
          { ...fieldsOf(node), op: "cumsum" },
          [numbers(operand.dimensions, (k) => Math.abs(operand.read(k) as number))],
          "float64",
        ),
      )
    : running;
  const width = operand.dimensions[attributesOf(node, "cumsum").axis] as number;
  return running.map((off, k) => {
    if (off === 0) return 0;
    const dtype = computedIn(node.dtype);
    const total = read(k) as number;
    if (!isSum || !Number.isFinite(total) || !((size[k] as number) + off < largestOf(dtype) / 2)) return Infinity;
    return off + sumUnits(dtype, width, Infinity) * unitAt(dtype, (size[k] as number) + off);
  });
}

/**
 * Returns the errors of sort, argsort and topK, which keeps the first elements of a row: an element moves by at most the largest error of
 * its row; indices need exact rows.
 */
export function orderingErrors(node: ExpressionTree, operand: Step): Errors {
  if (operand.errors === null) return null;
  const axis = operand.dimensions.length - 1;
  const kept = node.dimensions[axis] as number;
  const rows = everyLine(operand, [axis], ({ count, value, error }) => {
    let most = 0;
    for (let k = 0; k < count; k++)
      if (error(k) > 0) most = Math.max(most, node.op !== "argsort" && Number.isFinite(value(k)) ? error(k) : Infinity);
    return most;
  });
  return Float64Array.from({ length: product(node.dimensions) }, (_, k) => rows[Math.floor(k / kept)] as number);
}

/**
 * Returns the errors of a matrix product: those of a plain sum of products in the dtype, as kernels compute it, where each addition may lose
 * half a unit. The evaluator adds in float64.
 */
export function contractionErrors(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  if (!isFloat(node.dtype) && !hasErrors(inputs)) return null;
  const count = product(node.dimensions);
  const [a, b] = inputs as [Step, Step];
  if (!isFloat(node.dtype)) return unknown(count);
  const dtype = computedIn(node.dtype);
  const size = (step: Step): ExpressionTree =>
    numbers(step.dimensions, (k) => (Number.isFinite(step.read(k)) ? Math.abs(step.read(k) as number) : 0));
  const reach = (step: Step): ExpressionTree =>
    numbers(step.dimensions, (k) =>
      Number.isFinite(step.read(k)) ? Math.abs(step.read(k) as number) + errorAt(step, k) : errorAt(step, k),
    );
  const exactly = computed(operationOn(node, [size(a), size(b)], "float64"));
  const widest = hasErrors(inputs) ? computed(operationOn(node, [reach(a), reach(b)], "float64")) : exactly;
  const inner = a.dimensions.at(attributesOf(node, "matMul").transposeA ? -2 : -1) as number;
  return exactly.map((scale, k) => {
    const total = read(k) as number;
    const off = (widest[k] as number) - scale;
    if (!((widest[k] as number) < largestOf(dtype) / 4)) return Infinity;
    if (!Number.isFinite(total)) return off === 0 ? 0 : Infinity;
    return 2 * off + (6 + inner / 2) * unitAt(dtype, widest[k] as number) + inner * unitAt(dtype, 0);
  });
}
