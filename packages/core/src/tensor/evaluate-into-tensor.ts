/**
 * Evaluates an expression into a tensor: Eigen's `Tensor = expression` (TensorFlow's kernels write `output->flat<T>().device(d) =
 * expression` into a tensor that they allocated).
 *
 *     expression: dtype, sizes  --->  fresh elements  --->  map of them .assign(expression)
 *
 * The map's `assign` (@onebuffer/eigen) chooses the evaluator and computes. This file only allocates the elements, and frees them
 * if the assignment throws.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError, isRawDType, shownValue } from "@onebuffer/base";
import type { Assigned, Assignments, ExpressionTree, Operand } from "@onebuffer/eigen";
import { assignFresh, assignTogether, mayGoDirectly, opTable, treeOf } from "@onebuffer/eigen";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts } from "../buffer/shape-and-buffer.ts";
import { unalignedViewOfSizes } from "../buffer/tensor-views.ts";

/** Throws INVALID_ARGUMENT unless `value` is an expression or a map whose elements compute. */
function checkOperand(value: unknown): Operand<DType, number> {
  const { op, dtype, dimensions } = (typeof value === "object" && value !== null ? value : {}) as Partial<ExpressionTree>;
  if (typeof op !== "string" || !Object.hasOwn(opTable, op) || !Array.isArray(dimensions) || dtype === undefined)
    throw new InvalidArgumentError(
      `evaluate: ${shownValue(value)} is not a map and not an expression; a tensor is an operand through its maps, as tensor.matrix()`,
    );
  if (!isRawDType(dtype)) throw new InvalidArgumentError(`evaluate: elements of ${dtype} do not compute`);
  return value as Operand<DType, number>;
}

/** Assigns to all elements of a tensor, at any byte offset. Throws as `assign` of a map does. */
export function assignToParts<D extends DType>({ shape, buffer }: TensorParts, source: Parameters<Assignments<D>["assign"]>[0]): void {
  const map = unalignedViewOfSizes<DType, number>(shape.dataType, buffer, shape.numElements, shape.dimSizes);
  (map as unknown as Assignments<D>).assign(source);
}

/** Returns the parts of fresh tensors that hold the values of the expressions. If it throws, nothing stays allocated. */
export function evaluatedTogether(expressions: readonly Operand<DType, number>[], options: AllocationOptions): TensorParts[] {
  if (!Array.isArray(expressions)) throw new InvalidArgumentError(`evaluate: ${shownValue(expressions)} is not an array of expressions`);
  for (const expression of expressions) checkOperand(expression);
  const all: TensorParts[] = [];
  try {
    const pairs = expressions.map((expression) => {
      const parts = allocateFilledParts(expression.dtype, expression.dimensions, options);
      all.push(parts);
      const { shape, buffer } = parts;
      return [unalignedViewOfSizes<DType, number>(shape.dataType, buffer, shape.numElements, shape.dimSizes), expression] as const;
    });
    assignTogether(pairs as readonly Assigned[]);
  } catch (error) {
    for (const { buffer } of all) buffer?.unref();
    throw error;
  }
  return all;
}

/** Returns the parts of a fresh tensor that holds the values of the expression. If it throws, nothing stays allocated. */
export function evaluatedParts(expression: Operand<DType, number>, options: AllocationOptions): TensorParts {
  const { dtype, dimensions } = mayGoDirectly(expression) ? expression : checkOperand(expression);
  const parts = allocateFilledParts(dtype, dimensions, options);
  const { buffer, shape } = parts;
  try {
    // For small tensors a map, and the typed array in it, would be a noticeable part of the cost.
    if (buffer === null || !assignFresh(treeOf(expression), buffer.memory, buffer.byteOffset, shape.numElements))
      assignToParts(parts, expression);
  } catch (error) {
    buffer?.unref();
    throw error;
  }
  return parts;
}
