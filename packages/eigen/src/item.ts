/** item: the one element of an expression (NumPy's `item`). Maps and tensors have a method of this name. */
import type { DType, ElementOf } from "@onebuffer/base";
import { freshMap } from "./evaluate.ts";
import { checkTree, isMap, sizesOf } from "@onebuffer/expression/internal";
import type { Operand, TensorMap } from "@onebuffer/expression";
import { checkOneElement } from "@onebuffer/storage/internal";

/** A map of one element for each rank and dtype, which is computed into again and again: to make one takes as long as to compute the element. */
const kept: Map<DType, TensorMap<DType, number>>[] = [];

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
  const dimensions = sizesOf(tree);
  checkOneElement({ dimensions, dtype: tree.dtype });
  if (isMap(tree)) return (tree as unknown as TensorMap<D, number>).item();
  const map = mapOfOne(tree.dtype, dimensions);
  map.assign(operand);
  return map.item() as ElementOf<D>;
}

/** Returns the map of one element of a dtype and rank. */
function mapOfOne(dtype: DType, dimensions: readonly number[]): TensorMap<DType, number> {
  const ofRank = (kept[dimensions.length] ??= new Map());
  let map = ofRank.get(dtype);
  if (map === undefined) ofRank.set(dtype, (map = freshMap("evaluate", dtype, dimensions)));
  return map;
}
