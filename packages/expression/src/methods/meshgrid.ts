/**
 * meshgrid: the coordinates of the points of a grid (tf.meshgrid, NumPy's meshgrid). Every coordinate is a reshape and a broadcast of its
 * vector, so kernels read the vectors themselves and store no grid.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import { shownOperand } from "../inference/broadcast-dims.ts";
import { checkTree } from "../inference/elementwise-inference.ts";
import { broadcastFields, reshapeFields } from "../inference/movement-inference.ts";
import type { Expression } from "../tree/expression.ts";
import { sizesOf } from "../tree/node-lists.ts";
import type { Operand } from "../tree/operand.ts";
import { makeExpression } from "./expression-node.ts";

/**
 * The results of `meshgrid`: one per vector, with as many dimensions as there are vectors.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2), [2]);
 * const y = tensorMap("float32", Float32Array.of(5, 6, 7), [3]);
 * const grids: Meshgrid<[typeof x, typeof y]> = meshgrid([x, y]);
 * grids.map((grid) => grid.dimensions); // => [[3, 2], [3, 2]]
 */
export type Meshgrid<V extends readonly Operand<DType, 1>[]> = {
  readonly [K in keyof V]: V[K] extends Operand<infer D, 1> ? Expression<D, V["length"]> : never;
};

/**
 * Returns one expression per vector: its elements as the coordinates of the points of the grid that all vectors span (`tf.meshgrid`). With
 * the indexing "xy", the default, the first vector runs along axis 1 and the second along axis 0, as in a picture; with "ij" vector k runs
 * along axis k. Further vectors run along the further axes. The dtypes may differ.
 *
 * Throws INVALID_ARGUMENT for operands that are not vectors, and for another indexing.
 *
 * @example
 * const [x, y] = meshgrid([iota("float32", 3), linspace("float64", 0, 1, 2)]);
 * evaluate(x).toArray(); // => [[0, 1, 2], [0, 1, 2]]
 * evaluate(y).toArray(); // => [[0, 0, 0], [1, 1, 1]]
 * meshgrid([iota("float32", 3), iota("float32", 2)], "ij")[0].dimensions; // => [3, 2]
 * meshgrid([x as never]); // throws INVALID_ARGUMENT
 */
export function meshgrid<const V extends readonly Operand<DType, 1>[]>(vectors: V, indexing: "xy" | "ij" = "xy"): Meshgrid<V> {
  if (!isArray(vectors)) throw new InvalidArgumentError(`meshgrid: the vectors must be an array, got ${shownValue(vectors)}`);
  if (indexing !== "xy" && indexing !== "ij")
    throw new InvalidArgumentError(`meshgrid: the indexing is xy or ij, got ${shownValue(indexing)}`);
  const trees = Array.from(vectors, (vector: unknown) => {
    const tree = checkTree("meshgrid", vector);
    if (sizesOf(tree).length === 1) return tree;
    throw new InvalidArgumentError(`meshgrid(${shownOperand(tree)}): the operands have one dimension each, reshape([-1]) them`);
  });
  const isSwapped = indexing === "xy" && trees.length > 1;
  const axisOf = (k: number): number => (isSwapped && k < 2 ? 1 - k : k);
  const sizes = trees.map((_, axis) => sizesOf(trees[axisOf(axis)]!)[0] as number);
  const grids = trees.map((tree, k) => {
    const alone = sizes.map((size, axis) => (axis === axisOf(k) ? size : 1));
    return makeExpression(broadcastFields(makeExpression(reshapeFields(tree, alone)), sizes));
  });
  return grids as unknown as Meshgrid<V>;
}
