/**
 * The elements of all rows one after the other, and where each row begins, for functions that gather from rows of their own:
 *
 *     [[a b c]    a b c d e f    [[0]
 *      [d e f]]                   [3]]
 */
import { product } from "@onebuffer/storage/internal";
import { isBig } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import { isMap } from "../tree/node-kinds.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { TensorMap } from "../tree/tensor-map.ts";
import { iota } from "./generators.ts";

/** A node of any dtype and rank, whose methods are called here. */
type Node = Expression<"int32", number>;

/** The most elements that int32 places count. */
export const kMostPlaces: number = 2 ** 31 - 1;

/**
 * Returns the elements of a node along one axis. Those of a TensorMap are read where they are, by a map of the same memory: its reshape is an
 * operation, whose result a gather would store.
 */
export function flatElements(tree: ExpressionTree): Node {
  if (tree.dimensions.length === 1) return tree as unknown as Node;
  const isTensorMap = isMap(tree) && "strided" in tree && !("strides" in tree);
  return (isTensorMap ? (tree as unknown as TensorMap<"int32">).strided() : (tree as unknown as Node)).reshape([-1]) as unknown as Node;
}

/** Returns the places at which rows of `length` elements begin. `sizes` are those of the rows' numbers, with 1 along the axis of a row. */
export function rowStarts(dtype: "int32" | "int64", sizes: readonly number[], length: number): Node {
  const step = (isBig(dtype) ? BigInt(length) : length) as number;
  return iota(dtype as "int32", [product(sizes)])
    .mul(step)
    .reshape(sizes) as Node;
}
