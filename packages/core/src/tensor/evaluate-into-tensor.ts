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
import { countCopied } from "@onebuffer/allocator/internal";
import { InvalidArgumentError, isRawDType } from "@onebuffer/base";
import { shownValue, checkOptions } from "@onebuffer/base/internal";
import type { Assigned, Assignments, ExpressionTree, Operand, OperandLike } from "@onebuffer/eigen";
import { assignFresh } from "@onebuffer/eigen/internal";
import { checkTree, isMap, mayGoDirectly, sizesOf } from "@onebuffer/expression/internal";
import { assignTogether } from "@onebuffer/eigen";
import type { AllocationOptions, TensorParts } from "../buffer/shape-and-buffer.ts";
import { allocateFilledParts, kAllocationKeys, noOptions } from "../buffer/shape-and-buffer.ts";
import { unalignedViewOfSizes } from "../buffer/tensor-views.ts";

/** Returns the map or expression that `value` is or stands for. Throws INVALID_ARGUMENT if there is none or its elements do not compute. */
function checkOperand(call: string, value: unknown): ExpressionTree {
  const tree = checkTree(call, value);
  if (!isRawDType(tree.dtype)) throw new InvalidArgumentError(`${call}: elements of ${tree.dtype} do not compute`);
  return tree;
}

/** Assigns to all elements of a tensor, at any byte offset. Throws as `assign` of a map does. */
function assignToParts<D extends DType>({ shape, buffer }: TensorParts, source: Parameters<Assignments<D>["assign"]>[0]): void {
  const map = unalignedViewOfSizes<DType, number>(shape.dataType, buffer, shape.numElements, shape.dimSizes);
  (map as unknown as Assignments<D>).assign(source);
}

/** Returns the parts of fresh tensors that hold the values of the expressions. If it throws, nothing stays allocated. */
export function evaluatedTogether(expressions: readonly OperandLike<DType, number>[], options: AllocationOptions): TensorParts[] {
  if (!Array.isArray(expressions)) throw new InvalidArgumentError(`tensorsOf: ${shownValue(expressions)} is not an array of expressions`);
  if (options !== noOptions) checkOptions("tensorsOf", options, kAllocationKeys);
  const trees: ExpressionTree[] = [];
  for (const expression of expressions) trees.push(checkOperand("tensorsOf", expression));
  const all: TensorParts[] = [];
  try {
    const pairs = trees.map((expression) => {
      const parts = allocateFilledParts(expression.dtype, sizesOf(expression), options);
      all.push(parts);
      const { shape, buffer } = parts;
      return [unalignedViewOfSizes<DType, number>(shape.dataType, buffer, shape.numElements, shape.dimSizes), expression] as const;
    });
    assignTogether(pairs as unknown as readonly Assigned[]);
  } catch (error) {
    for (const { buffer } of all) buffer?.unref();
    throw error;
  }
  all.forEach(({ buffer }, k) => countCopyOf(trees[k]!, buffer));
  return all;
}

/**
 * Returns the parts of a fresh tensor that holds the values of the expression. `call` is its name in messages. If it throws, nothing stays
 * allocated.
 */
export function evaluatedParts(operand: OperandLike<DType, number>, options: AllocationOptions, call: string): TensorParts {
  if (options !== noOptions) checkOptions(call, options, kAllocationKeys);
  const expression = mayGoDirectly(operand) ? operand : checkOperand(call, operand);
  const parts = allocateFilledParts(expression.dtype, sizesOf(expression), options);
  const { buffer, shape } = parts;
  try {
    // For small tensors a map, and the typed array in it, would be a noticeable part of the cost.
    if (buffer === null || !assignFresh(expression, buffer.memory, buffer.byteOffset, shape.numElements))
      assignToParts(parts, expression as unknown as Operand<DType, number>);
  } catch (error) {
    buffer?.unref();
    throw error;
  }
  countCopyOf(expression, buffer);
  return parts;
}

/** Counts a copy, if all there is to an expression is a map. */
function countCopyOf(expression: ExpressionTree, buffer: TensorParts["buffer"]): void {
  if (isMap(expression)) countCopied(buffer?.size ?? 0);
}
