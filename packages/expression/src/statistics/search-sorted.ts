/**
 * searchSorted: the places of values in sorted rows (tf.searchsorted, NumPy's searchsorted).
 *
 * A binary search whose rounds are expressions, so that kernels, threads, XLA and a GPU run it for all values at once. The place of a value is
 * the number of elements before it; each round decides one bit of that number, the highest first:
 *
 *     [1, 3, 5, 7, 9], the value 6     4?  element 3, 7, is not before 6     place 0
 *                                      2?  element 1, 3, is before 6         place 2
 *                                      1?  element 2, 5, is before 6         place 3
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { product, sameSizes } from "@onebuffer/storage/internal";
import { shownCall } from "../inference/broadcast-dims.ts";
import { checkDType, checkSameDType, checkTree } from "../inference/elementwise-inference.ts";
import { makeDeferred } from "../methods/expression-node.ts";
import { flatElements, kMostPlaces, rowStarts } from "../methods/flat-rows.ts";
import { constant } from "../methods/generators.ts";
import { select } from "../methods/joining.ts";
import { isFloat } from "../tree/dtype-groups.ts";
import type { RealDType } from "../tree/dtype-groups.ts";
import type { Expression } from "../tree/expression.ts";
import { isMap } from "../tree/node-kinds.ts";
import type { ExpressionTree } from "../tree/op-attributes.ts";
import type { OperandLike } from "../tree/operand.ts";

/**
 * Options of `searchSorted`: the place of a value that is in the sequence is before all elements equal to it ("left", the default), or after
 * them ("right").
 *
 * @example
 * const options: SearchSortedOptions = { side: "right" };
 */
export interface SearchSortedOptions {
  readonly side?: "left" | "right";
}

type Real = Expression<"float32", number>;
type Places = Expression<"int32", number>;

/**
 * Returns for each value the place at which it would be put into a sorted sequence: the number of elements before it (`tf.searchsorted`). A
 * sequence of one dimension takes values of any sizes. One of several has a sorted row along its last axis for each row of the values, which
 * have the same sizes but for the last. The sequence must be sorted; that is not checked, and places in an unsorted one have no meaning. NaN
 * is after all numbers, where `sort` puts it, and 0 equals -0.
 *
 * Throws INVALID_ARGUMENT for other sizes and for different dtypes.
 *
 * @example
 * const edges = tensorMap("float32", Float32Array.of(0, 10, 20), [3]);
 * const values = tensorMap("float32", Float32Array.of(-5, 10, 15, 99), [4]);
 * evaluate(searchSorted(edges, values)).toArray(); // => [0, 1, 2, 3]
 * evaluate(searchSorted(edges, values, { side: "right" })).toArray(); // => [0, 2, 2, 3]
 * searchSorted(edges, values, { side: "middle" as "left" }); // throws INVALID_ARGUMENT
 */
export function searchSorted<D extends RealDType, R extends number>(
  sortedSequence: OperandLike<D, number>,
  values: OperandLike<NoInfer<D>, R>,
  options: SearchSortedOptions = {},
): Expression<"int32", R> {
  const call = "searchSorted";
  const [sequence, wanted] = [checkTree(call, sortedSequence), checkTree(call, values)];
  checkDType("less", sequence, call);
  checkSameDType(call, [sequence, wanted], 0);
  checkOptions(call, options, ["side"]);
  const { side = "left" } = options;
  if (side !== "left" && side !== "right") throw new InvalidArgumentError(`${call}: the side is left or right, got ${shownValue(side)}`);
  checkRows(sequence, wanted);
  const made =
    sequence.dimensions.at(-1) === 0
      ? constant("int32", 0, wanted.dimensions)
      : makeDeferred(call, [sequence, wanted], [Number(side === "right"), Number(isMap(sequence))], () =>
          searched(sequence, wanted, side === "right"),
        );
  return made as unknown as Expression<"int32", R>;
}

/** Throws INVALID_ARGUMENT unless there is one sequence, or one for each row of the values. */
function checkRows(sequence: ExpressionTree, wanted: ExpressionTree): void {
  const [sizes, rows] = [sequence.dimensions, wanted.dimensions];
  const shown = shownCall("searchSorted", [sequence, wanted]);
  if (sizes.length === 0) throw new InvalidArgumentError(`${shown}: the sorted sequence has at least one dimension`);
  if (sizes.length > 1 && (rows.length !== sizes.length || !sameSizes(sizes.slice(0, -1), rows.slice(0, -1)))) {
    throw new InvalidArgumentError(`${shown}: sequence and values have the same sizes but for the last, or the sequence has one dimension`);
  }
  if (product(sizes) > kMostPlaces) throw new InvalidArgumentError(`${shown}: the sorted sequences have at most ${kMostPlaces} elements`);
}

/** Returns the places: a round for each bit of the number of elements. */
function searched(sequence: ExpressionTree, wanted: ExpressionTree, isRight: boolean): ExpressionTree {
  const length = sequence.dimensions.at(-1)!;
  const flat = flatElements(sequence);
  const values = wanted as unknown as Real;
  const rows = sequence.dimensions.slice(0, -1);
  const starts = rows.length === 0 ? null : rowStarts("int32", [...rows, 1], length);
  const isBefore = orderedBefore(values, isRight);
  let places = constant("int32", 0, wanted.dimensions) as Places;
  for (let bit = 2 ** Math.floor(Math.log2(length)); bit >= 1; bit /= 2) {
    const last = places.add(bit - 1).minimum(length - 1);
    const element = flat.gather(starts === null ? last : last.add(starts)) as unknown as Real;
    const isWhole = places.lessEqual(length - bit).logicalAnd(isBefore(element));
    places = places.add(select(isWhole, constant("int32", bit), 0)) as Places;
  }
  return places as unknown as ExpressionTree;
}

/** Returns the function of an element that is true where it is before the value, in the order of `sort`. */
function orderedBefore(values: Real, isRight: boolean): (element: Real) => Expression<"bool", number> {
  if (!isFloat((values as unknown as ExpressionTree).dtype))
    return (element) => (isRight ? element.lessEqual(values) : element.less(values));
  const isLast = values.isNan();
  if (isRight) return (element) => element.lessEqual(values).logicalOr(isLast);
  return (element) => element.less(values).logicalOr(isLast.logicalAnd(element.isNan().logicalNot()));
}
