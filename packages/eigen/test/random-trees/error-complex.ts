// Error bounds of operations on complex numbers: one bound for both parts, in units of the larger one. Arithmetic of exact operands has the
// same bits everywhere. Functions are computed in float64 from float64 functions that are within some ulp, so a complex64 result may be
// rounded the other way. Beyond sums and products nothing is known of the results of inexact operands.
import type { Complex, DType } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import { isComplexDType, partDType } from "@onebuffer/expression/src/tree/dtype-groups";
import { attributesOf } from "@onebuffer/expression/src/tree/op-attributes";
import type { ReduceAttributes } from "@onebuffer/expression/src/tree/op-attributes";
import { linesAlong } from "@onebuffer/evaluator/src/axis-walk";
import { broadcastMap } from "@onebuffer/evaluator/src/index-map";
import { compileTree } from "@onebuffer/evaluator/src/compile-tree";
import type { Read, Value } from "@onebuffer/evaluator/src/values";
import { operationsWhere } from "../operation-records.ts";
import { movedErrors, scatterErrors } from "./error-whole.ts";
import { largestOf, unitAt } from "./float-units.ts";
import type { Errors, Step } from "./step.ts";
import { operationOn, storedOperand } from "./step.ts";
import { product } from "../row-major.ts";

/** Operations with the same bits in every evaluation. */
const exact: ReadonlySet<string> = new Set([...operationsWhere(({ exactOnComplex }) => exactOnComplex), "select", "cast"]);
/** The units of float64 within which functions of exact operands are. */
const kUnits = 64;

/** Returns true for an operation whose first operand, or whose result, is complex. */
export function isOnComplex({ dtype, inputs }: ExpressionTree): boolean {
  return isComplexDType(dtype) || (inputs.length > 0 && isComplexDType(inputs.at(-1)!.dtype));
}

/** Returns the largest finite part of a value. */
function sizeOf(value: Value): number {
  const parts = Array.isArray(value) ? (value as Complex) : [Number(value)];
  return parts.reduce((most, part) => (Number.isFinite(part) ? Math.max(most, Math.abs(part)) : most), 0);
}

const isFinite = (value: Value): boolean => (Array.isArray(value) ? value : [value]).every((part) => Number.isFinite(Number(part)));

/** Returns the errors of an operation on complex numbers, or with such a result. */
export function complexErrors(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  const hasErrors = inputs.some(({ errors }) => errors !== null);
  switch (opTable[node.op].class) {
    case "leaf":
    case "generator":
      return null;
    case "movement":
      return node.op === "scatter" ? scatterErrors(node, inputs) : movedErrors(node, inputs);
    case "reduction":
      return sumErrors(node, inputs[0]!, read);
    case "contraction":
      return contractionErrors(node, inputs, read);
    case "scan":
      return hasErrors ? new Float64Array(product(node.dimensions)).fill(Infinity) : null;
    default:
      return !hasErrors && exact.has(node.op) ? null : elementwiseErrors(node, inputs, read);
  }
}

function elementwiseErrors(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  const places = inputs.map(({ dimensions }) => broadcastMap(dimensions, node.dimensions) ?? ((k: number) => k));
  return Float64Array.from({ length: product(node.dimensions) }, (_, k) => {
    const operands = inputs.map((input, i) => input.read(places[i]!(k)));
    const errors = inputs.map(({ errors: each }, i) => each?.[places[i]!(k)] ?? 0);
    const value = read(k);
    if (errors.every((error) => error === 0)) return ownError(node, operands, value);
    return errors.includes(Infinity) ? Infinity : carriedError(node, operands, errors, value);
  });
}

/** Returns the error of an operation on exact operands. */
function ownError({ op, inputs }: ExpressionTree, operands: readonly Value[], value: Value): number {
  if (exact.has(op)) return 0;
  const part = partDType(inputs[0]!.dtype);
  // e^(w log z) loses as many digits as w log z has before the point.
  const lost = op === "pow" ? 8 * sizeOf(operands[1]!) * (1 + Math.abs(Math.log(sizeOf(operands[0]!) || 1)) + Math.PI) : 0;
  // The signs of infinite parts are those of the cosine and sine of the angle, which has lost these digits.
  if (op === "pow" && !isFinite(value)) return Infinity;
  const size = sizeOf(value);
  return (kUnits + lost) * unitAt("float64", size) + (part === "float32" ? 2 * unitAt(part, size) : 0);
}

/** Returns the error of an operation on inexact operands. */
function carriedError({ op, dtype }: ExpressionTree, operands: readonly Value[], errors: readonly number[], value: Value): number {
  if (op === "select") return errors[0]! > 0 ? Infinity : operands[0] === 0 ? errors[2]! : errors[1]!;
  if (![...operands, value].every(isFinite)) return Infinity;
  const [x, y] = operands.map(sizeOf) as [number, number];
  const [dx, dy = 0] = errors as [number, number];
  const unit = unitAt(partDType(dtype), sizeOf(value) + dx + dy);
  switch (op as OpName) {
    case "neg":
    case "conj":
    case "real":
    case "imag":
      return dx;
    case "add":
    case "sub":
      return dx + dy + unit;
    case "abs":
      return 2 * dx + 4 * unit;
    case "mul": {
      const size = 2 * (x + dx) * (y + dy);
      if (!(size < largestOf(partDType(dtype)))) return Infinity;
      return 2 * (x * dy + y * dx + dx * dy) + 4 * unitAt(partDType(dtype), size);
    }
    default:
      return Infinity;
  }
}

/** Returns the errors of sums and means. Products of exact operands are computed in the order of the elements everywhere. */
function sumErrors(node: ExpressionTree, operand: Step, read: Read): Errors {
  const { axes } = node.attributes as ReduceAttributes;
  if (operand.errors === null && (node.op === "prod" || axes.length === 0)) return null;
  const part = partDType(node.dtype);
  const { lines, count, first, along } = linesAlong(operand.dimensions, axes);
  return Float64Array.from({ length: lines }, (_, n) => {
    let [size, off] = [0, 0];
    let finite = true;
    for (let k = 0; k < count; k++) {
      const at = first(n) + along(k);
      size += sizeOf(operand.read(at));
      off += operand.errors?.[at] ?? 0;
      finite &&= isFinite(operand.read(at));
    }
    if (axes.length === 0) return off;
    if (node.op === "prod") return off === 0 ? 0 : Infinity;
    if (off > 0 && !(finite && isFinite(read(n)))) return Infinity;
    if (!(size + off < largestOf(part) / 2)) return Infinity;
    const units = 4 + Math.min(count, part === "float64" ? 128 : 32) / 2;
    return (
      (off + (count > 1 ? units * unitAt(part, size + off) : 0)) / (node.op === "mean" ? count : 1) + 2 * unitAt(part, sizeOf(read(n)))
    );
  });
}

/** Returns the errors of a product of matrices: kernels add up the products of the parts in the dtype of the parts. */
function contractionErrors(node: ExpressionTree, inputs: readonly Step[], read: Read): Errors {
  const part: DType = partDType(node.dtype);
  const scale = compileTree(
    operationOn(
      node,
      inputs.map((step) => storedOperand("float64", step.dimensions, (k) => 2 * sizeOf(step.read(k))).operand),
      "float64",
    ),
  );
  const inner = inputs[0]!.dimensions.at(attributesOf(node, "matMul").transposeA ? -2 : -1) as number;
  const hasErrors = inputs.some(({ errors }) => errors !== null);
  return Float64Array.from({ length: product(node.dimensions) }, (_, k) => {
    const size = scale(k) as number;
    if (hasErrors || !(size < largestOf(part) / 4)) return Infinity;
    return (8 + inner) * unitAt(part, size) + 2 * inner * unitAt(part, 0) + unitAt(part, sizeOf(read(k)));
  });
}
