/**
 * root-moves: movements at the root of an expression that are no work at all, because the target can be looked at the other
 * way round (what Eigen does by making TensorReshaping an lvalue).
 *
 *     out[1, n] = broadcast(sum(x))      out as [n] = sum(x)            a broadcast that only adds sizes of 1
 *     out[n, m] = reshape(softmax(x))    out as x's sizes = softmax(x)
 *
 * A broadcast that repeats elements is work: it stays, and what it repeats is computed once.
 */
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { reshapeStrides } from "../../geometry/strided-reshape.ts";

/** Whether the elements of a node are those of its operand in the same order, one for one. */
function isRenaming({ op, inputs, dimensions }: ExpressionTree): boolean {
  return op === "reshape" || (op === "broadcast" && product(inputs[0]!.dimensions) === product(dimensions));
}

/** The tree without such movements at its root. */
export function withoutRenaming(tree: ExpressionTree): ExpressionTree {
  let rest = tree;
  while (isRenaming(rest)) rest = rest.inputs[0]!;
  return rest;
}

/** Target and tree without such movements, as far as strides can show the target under the other sizes. */
export function renamed(places: RawPlaces, tree: ExpressionTree): { readonly places: RawPlaces; readonly tree: ExpressionTree } {
  const rest = withoutRenaming(tree);
  if (rest === tree) return { places, tree };
  const dims = rest.dimensions;
  const strides = reshapeStrides({ offset: 0, dims: places.dims, strides: places.strides }, dims);
  return typeof strides === "string" ? { places, tree } : { places: { ...places, dims, strides }, tree: rest };
}
