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
import { iota } from "./generators.ts";
import { isMap } from "../tree/node-kinds.ts";
import type { TensorMap } from "../tree/tensor-map.ts";
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

/** The most elements that int32 indices count. */
const kMostInt32 = 2 ** 31 - 1;

/** Returns the elements. Throws INVALID_ARGUMENT for sizes that cannot be broadcast. */
function taken(tree: ExpressionTree, places: ExpressionTree, axis: number): ExpressionTree {
  const [length, count] = [tree.dimensions[axis]!, places.dimensions[axis]!];
  const others = otherSizes(tree, places, axis);
  if (places.dtype === "int32" && product(others) * length > kMostInt32) {
    throw new InvalidArgumentError(`${shownCall("takeAlongAxis", [tree, places])}: so many elements need indices of int64`);
  }
  const wide = (places as unknown as Places).broadcast(others.with(axis, count)) as Places;
  // A gather from the numbers of the places refuses those that are none, and names them.
  const checked = iota(places.dtype as "int32", [length]).gather(wide) as Places;
  const flat = flatRows(tree, others.with(axis, length), axis);
  return flat.gather(checked.add(firstPlaces(places.dtype as "int32", others, length))) as unknown as ExpressionTree;
}

/**
 * Returns the elements of all rows, one after the other. Those of a map that is neither repeated nor moved are read where they are: by a map
 * of the same memory, as the reshape of a map is an operation, whose result a gather would store.
 */
function flatRows(tree: ExpressionTree, sizes: readonly number[], axis: number): Places {
  const operand = tree as unknown as Places;
  const wide = (sameSizes(sizes, tree.dimensions) ? operand : operand.broadcast(sizes)) as Places;
  if (axis < sizes.length - 1) return wide.transpose([...sizes.keys()].filter((d) => d !== axis).concat(axis)).reshape([-1]) as Places;
  const isTensorMap = isMap(wide as unknown as ExpressionTree) && "strided" in wide && !("strides" in wide);
  return (isTensorMap ? (tree as unknown as TensorMap<"int32">).strided() : wide).reshape([-1]) as unknown as Places;
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

/** Returns where the row of each place begins among the elements of all rows. */
function firstPlaces(dtype: "int32", others: readonly number[], length: number): Places {
  const step = ((dtype as DType) === "int64" ? BigInt(length) : length) as number;
  return iota(dtype, [product(others)])
    .mul(step)
    .reshape(others) as Places;
}
