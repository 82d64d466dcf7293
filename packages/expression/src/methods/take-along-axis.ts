/**
 * takeAlongAxis: elements of each row at places of their own (NumPy's take_along_axis, torch's take_along_dim, tf.gather with batch_dims), as a
 * gather among the elements of all rows, one after the other.
 *
 *     [[a b c]    places [[2 0]    the rows begin at 0 and 3:    a b c d e f    at [[2 0]    give [[c a]
 *      [d e f]]           [1 1]]                                                    [4 4]]         [e e]]
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { product, sameSizes } from "@onebuffer/storage/internal";
import { checkAxis } from "../inference/axes.ts";
import { shownCall } from "../inference/broadcast-dims.ts";
import { checkTree } from "../inference/elementwise-inference.ts";
import { checkIndices } from "../inference/movement-inference.ts";
import { makeDeferred } from "./expression-node.ts";
import { flatElements, kMostPlaces, rowStarts } from "./flat-rows.ts";
import { iota } from "./generators.ts";
import { isMap } from "../tree/node-kinds.ts";
import type { Expression } from "../tree/expression.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";

type Places = Expression<"int32", number>;

/**
 * Returns the elements of `operand` at the places `indices` along an axis, by default the last: element [i, j] of the result is element
 * [i, indices[i, j]] of a matrix (NumPy's `take_along_axis`). Both have the same rank; the sizes along the other axes are broadcast. The
 * places that `argsort`, `topK` and `argmax` return are such indices: `gather` would take whole rows.
 *
 * Throws INVALID_ARGUMENT for other ranks and sizes, and for indices that are not int32 or int64; assign throws it for an index out of range.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(3, 1, 2, 6, 5, 4), [2, 3]);
 * evaluate(takeAlongAxis(x, x.argsort())).toArray(); // => [[1, 2, 3], [4, 5, 6]]
 * const labels = tensorMap("int32", Int32Array.of(2, 0), [2, 1]);
 * evaluate(takeAlongAxis(x, labels)).toArray(); // => [[2], [6]]
 * takeAlongAxis(x, labels.reshape([2])); // throws INVALID_ARGUMENT
 */
export function takeAlongAxis<D extends DType, R extends number>(
  operand: OperandLike<D, R>,
  indices: OperandLike<"int32" | "int64", number>,
  axis: number = -1,
): Expression<D, R> {
  const call = "takeAlongAxis";
  const [tree, places] = [checkTree(call, operand), checkTree(call, indices)];
  checkIndices(call, tree, places);
  const shown = shownCall(call, [tree, places]);
  if (tree.dimensions.length !== places.dimensions.length) throw new InvalidArgumentError(`${shown}: both have the same rank`);
  const along = checkAxis(call, axis, tree);
  return makeDeferred(call, [tree, places], [along, Number(isMap(tree))], () => taken(tree, places, along)) as unknown as Expression<D, R>;
}

/** Returns the elements. Throws INVALID_ARGUMENT for sizes that cannot be broadcast. */
function taken(tree: ExpressionTree, places: ExpressionTree, axis: number): ExpressionTree {
  const [length, count] = [tree.dimensions[axis]!, places.dimensions[axis]!];
  const others = otherSizes(tree, places, axis);
  if (places.dtype === "int32" && product(others) * length > kMostPlaces) {
    throw new InvalidArgumentError(`${shownCall("takeAlongAxis", [tree, places])}: so many elements need indices of int64`);
  }
  const wide = (places as unknown as Places).broadcast(others.with(axis, count)) as Places;
  // A gather from the numbers of the places refuses those that are none, and names them.
  const checked = iota(places.dtype as "int32", [length]).gather(wide) as Places;
  const flat = flatElements(axisLast(tree, others.with(axis, length), axis));
  return flat.gather(checked.add(rowStarts(places.dtype as "int32", others, length))) as unknown as ExpressionTree;
}

/** Returns an operand with these sizes and the axis as the last. One that is neither repeated nor moved is returned as it is. */
function axisLast(tree: ExpressionTree, sizes: readonly number[], axis: number): ExpressionTree {
  const wide = (sameSizes(sizes, tree.dimensions) ? tree : (tree as unknown as Places).broadcast(sizes)) as unknown as Places;
  const order = [...sizes.keys()].filter((d) => d !== axis).concat(axis);
  return (axis === sizes.length - 1 ? wide : wide.transpose(order)) as unknown as ExpressionTree;
}

/** Returns the sizes of both, broadcast, with 1 along the axis. */
function otherSizes(tree: ExpressionTree, places: ExpressionTree, axis: number): readonly number[] {
  return tree.dimensions.map((size, d) => {
    const other = places.dimensions[d]!;
    if (d === axis) return 1;
    if (size !== other && size !== 1 && other !== 1) {
      throw new InvalidArgumentError(
        `${shownCall("takeAlongAxis", [tree, places])}: the sizes ${size} and ${other} differ along axis ${d}`,
      );
    }
    return size === 1 ? other : size;
  });
}
