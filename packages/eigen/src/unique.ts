/**
 * unique: the distinct elements of a tensor (tf.unique, tf.raw_ops.UniqueV2). It computes at once: the size of the result depends on the
 * elements, so `unique` cannot be an expression.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { distinctColumns } from "./distinct-columns.ts";
import { evaluate } from "./evaluate.ts";
import { checkDType, checkTree, gatherFields, isMap, makeExpression, shownOperand } from "@onebuffer/expression/internal";
import type { OperandLike, TensorMap } from "@onebuffer/expression";
import { treeOf } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import { tensorMap } from "./map/wrap-typed-array.ts";

/**
 * The result of `unique`.
 *
 * @example
 * const { values, counts }: Unique<"int32", 1> = unique(tensorMap("int32", Int32Array.of(4, 4, 7), [3]));
 * [values.toArray(), counts.toArray()]; // => [[4, 7], [2, 1]]
 */
export interface Unique<D extends DType, R extends number> {
  /** The distinct elements or columns, in the order of their first appearance. */
  readonly values: TensorMap<D, R>;
  /** For each index along the last axis: the index in `values` of its element or column. */
  readonly indices: TensorMap<"int32", 1>;
  /** For each of `values`: how often it appears. */
  readonly counts: TensorMap<"int32", 1>;
}

/**
 * Returns the distinct elements along the last axis, in the order of their first appearance; for a matrix, the distinct columns. NaN
 * differs from everything, including itself. +0 and -0 are equal, and `values` holds the one that appears first.
 *
 * Throws INVALID_ARGUMENT for a scalar and for dtypes without equality.
 *
 * @example
 * const { values, indices, counts } = unique(tensorMap("int32", Int32Array.of(5, 3, 5, 5), [4]));
 * values.toArray(); // => [5, 3]
 * indices.toArray(); // => [0, 1, 0, 0]
 * counts.toArray(); // => [3, 1]
 * unique(tensorMap("int32", new Int32Array(1), [])); // throws INVALID_ARGUMENT
 */
export function unique<D extends DType, R extends number>(operand: OperandLike<D, R>): Unique<D, R> {
  const tree = checkTree("unique", operand);
  checkDType("equal", tree, "unique");
  const rank = tree.dimensions.length;
  if (rank === 0) throw new InvalidArgumentError(`unique(${shownOperand(tree)}): a scalar has no axis`);
  const held = isMap(tree) ? tree : checkTree("unique", evaluate(operand));
  const width = tree.dimensions[rank - 1] as number;
  const { firsts, counts, indices } = distinctColumns(held, product(tree.dimensions.slice(0, -1)), width);
  const picked = tensorMap("int32", firsts, [firsts.length]);
  return {
    values: evaluate(makeExpression<D, R>(gatherFields(held, treeOf(picked), rank - 1))),
    indices: tensorMap("int32", indices, [width]),
    counts: tensorMap("int32", counts, [counts.length]),
  };
}
