/** item: the one element of an expression (NumPy's `item`). Maps and tensors have a method of this name. */
import type { DType, ElementOf } from "@onebuffer/base";
import { evaluate } from "./evaluate.ts";
import { checkTree, isMap } from "@onebuffer/expression/internal";
import type { Operand, TensorMap } from "@onebuffer/expression";
import { checkOneElement } from "@onebuffer/storage/internal";

/**
 * Computes an expression of one element, of any rank, and returns the element; of a map it returns the element that it holds.
 *
 * Throws INVALID_ARGUMENT unless there is exactly one element, and as `evaluate` does. Copies: never.
 *
 * @example
 * const m = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * item(m.sum()); // => 10
 * item(m.max([0, 1], { keepDims: true }).cast("int64")); // => 4n
 * item(m); // throws INVALID_ARGUMENT
 */
export function item<D extends DType>(operand: Operand<D, number>): ElementOf<D> {
  const tree = checkTree("item", operand);
  checkOneElement(tree);
  const map = isMap(tree) ? tree : evaluate(operand);
  return (map as TensorMap<D, number>).item();
}
