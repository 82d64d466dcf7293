/**
 * booleanMask: the elements or rows that a mask selects (tf.boolean_mask). It computes at once: the size of the result depends on the mask,
 * so it cannot be an expression.
 */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { evaluate } from "./evaluate.ts";
import { checkAxis, checkTree, gatherFields, makeExpression, reshapeFields, shownCall } from "@onebuffer/expression/internal";
import type { Operand, RankWithout, TensorMap } from "@onebuffer/expression";
import { treeOf } from "@onebuffer/expression";
import type { HigherRank } from "@onebuffer/storage";
import { product, sameSizes } from "@onebuffer/storage/internal";
import { tensorMap } from "./map/wrap-typed-array.ts";
import { nonzeroPlaces } from "./nonzero-places.ts";

/**
 * Computes at once, and returns the elements where the mask is true, in row-major order (`tf.boolean_mask`). The mask covers the dimensions
 * from `axis` (default 0) on; in the result they become one dimension, whose size is the number of true elements. A mask of one dimension
 * selects rows.
 *
 * Throws INVALID_ARGUMENT unless the mask is bool, has one dimension or more, and has the operand's sizes from `axis` on; and as `evaluate`
 * does. Copies: the selected elements.
 *
 * @example
 * const m = tensorMap("float32", Float32Array.of(1, 2, 3, 4, 5, 6), [3, 2]);
 * booleanMask(m, m.greater(2.5)).toArray(); // => [3, 4, 5, 6]
 * booleanMask(m, m.sum(1).greater(4)).toArray(); // => [[3, 4], [5, 6]]
 * booleanMask(m, m.max(0).equal(6), 1).toArray(); // => [[2], [4], [6]]
 * booleanMask(m, m.sum(0).greater(4)); // throws INVALID_ARGUMENT
 */
export function booleanMask<D extends DType, R extends number, S extends number>(
  operand: Operand<D, R>,
  mask: Operand<"bool", S>,
  axis: number = 0,
): TensorMap<D, RankWithout<HigherRank<R>, S>> {
  const tree = checkTree("booleanMask", operand);
  const flags = checkTree("booleanMask", mask);
  const shown = shownCall("booleanMask", [tree, flags]);
  if (flags.dtype !== "bool") throw new InvalidArgumentError(`${shown}: the mask must be bool, got ${flags.dtype}`);
  const covered = flags.dimensions.length;
  if (covered === 0) throw new InvalidArgumentError(`${shown}: the mask cannot be scalar`);
  const along = checkAxis("booleanMask", axis, tree);
  const sizes = tree.dimensions;
  if (!sameSizes(sizes.slice(along, along + covered), flags.dimensions)) {
    throw new InvalidArgumentError(`${shown}: from axis ${along} on the mask must have the operand's sizes`);
  }
  const places = nonzeroPlaces("booleanMask", flags);
  const merged = makeExpression(reshapeFields(tree, sizes.toSpliced(along, covered, product(flags.dimensions))));
  return evaluate(makeExpression(gatherFields(merged, treeOf(tensorMap("int32", places, [places.length])), along)));
}
