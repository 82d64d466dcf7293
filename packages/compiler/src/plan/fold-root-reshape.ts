/**
 * fold-root-reshape: removes movements at the root of an expression that only change the sizes, by giving the target other sizes
 * instead (in Eigen TensorReshaping is an lvalue for the same reason).
 *
 *     out[1, n] = broadcast(sum(x))      out as [n] = sum(x)            a broadcast that only adds sizes of 1
 *     out[n, m] = reshape(softmax(x))    out with the sizes of x = softmax(x)
 *
 * A broadcast that repeats elements is not removed: its operand is computed once.
 */
import type { StrideMove } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { deferredInputs, inputsOf, sizesOf } from "@onebuffer/expression/internal";
import { product, reshapeStrides } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";

/** The movements whose elements are in the order of the operand's, if there are as many of them. */
const keepsOrder: Readonly<Record<StrideMove, boolean>> = {
  reshape: true,
  broadcast: true,
  shuffle: false,
  slice: false,
  chip: false,
  reverse: false,
  extractPatches: false,
};

/** Returns true if the elements of a node are those of its operand in the same order, each once. */
function isRenaming(node: ExpressionTree): boolean {
  return keepsOrder[node.op as StrideMove] === true && product(sizesOf(inputsOf(node)[0]!)) === product(sizesOf(node));
}

/** Returns the tree without such movements at its root; one whose operand `isStored` stays. */
export function withoutRenaming(tree: ExpressionTree, isStored?: (node: ExpressionTree) => boolean): ExpressionTree {
  let root = tree;
  while (isRenaming(root) && isStored?.(inputsOf(root)[0]!) !== true) root = inputsOf(root)[0]!;
  return root;
}

/** As `withoutRenaming`, but without making deferred operands: a movement that has some stays. */
export function writtenRoot(tree: ExpressionTree): ExpressionTree {
  let root = tree;
  while (deferredInputs(root) === null && isRenaming(root)) root = inputsOf(root)[0]!;
  return root;
}

/** Returns target and tree without the movements that withoutRenaming leaves out; unchanged if strides cannot give the target the other sizes. */
export function renamed(
  places: RawPlaces,
  tree: ExpressionTree,
  isStored?: (node: ExpressionTree) => boolean,
): { readonly places: RawPlaces; readonly tree: ExpressionTree } {
  const root = withoutRenaming(tree, isStored);
  if (root === tree) return { places, tree };
  const dims = root.dimensions;
  const strides = reshapeStrides({ offset: 0, dims: places.dims, strides: places.strides }, dims);
  return typeof strides === "string" ? { places, tree } : { places: { ...places, dims, strides }, tree: root };
}
