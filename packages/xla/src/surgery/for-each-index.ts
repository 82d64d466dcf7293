/**
 * Visiting the indices of an array in the order in which they lie in memory (ForEachIndex in xla/shape_util.h).
 *
 *     f32[2,3]{0,1}    (0,0) (1,0) (0,1) (1,1) (0,2) (1,2)      minorToMajor[0] runs fastest
 *
 * Not to be confused with IndexUtil's bumpIndices, which is row-major whatever the layout. XLA's parallel form promises no
 * order and has no counterpart: a visitor cannot be handed to another thread.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { checkedCount, checkedIntegers } from "../type/integers.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { isZeroElementArray } from "./shape-predicates.ts";
import { shownList } from "../type/shown-list.ts";
import { validateShape } from "../model/validate-shape.ts";

/** A visitor of indices. The list is the walk's own and changes after the call: copy it to keep it. False stops the walk. */
export type IndexVisitor = (index: readonly number[]) => unknown;

/**
 * Visits all indices of an array, or from `base` on the multiples of `incr` below `base + count` in each dimension, in
 * the layout's order. A dimension of count 0 stays at its base. An array without elements has no indices, a scalar the
 * one index []. Returns whether the walk came to its end: false if the visitor stopped it.
 *
 * Quirk: a step of 0 over a count above 0 never advances; XLA repeats the same indices until the visitor stops it. Here
 * the walk throws INVALID_ARGUMENT when it would start to repeat.
 *
 * Throws INVALID_ARGUMENT unless `shape` is a valid array with a layout, bounded, and the three lists have an entry per
 * dimension, counts and steps not negative.
 *
 * @example
 * const seen: number[][] = [];
 * ShapeUtil.forEachIndex(parseShape("f32[2,2]{0,1}"), (index) => void seen.push([...index])); // => true
 * seen; // => [[0, 0], [1, 0], [0, 1], [1, 1]]
 * ShapeUtil.forEachIndex(parseShape("f32[2,2]"), [0], [2], [1], () => true); // throws INVALID_ARGUMENT
 */
export function forEachIndex(shape: Shape, visit: IndexVisitor): boolean;
export function forEachIndex(
  shape: Shape,
  base: readonly number[],
  count: readonly number[],
  incr: readonly number[],
  visit: IndexVisitor,
): boolean;
export function forEachIndex(
  shape: Shape,
  baseOrVisit: IndexVisitor | readonly number[],
  count?: readonly number[],
  incr?: readonly number[],
  visit?: IndexVisitor,
): boolean {
  checkShape(shape);
  if (typeof baseOrVisit !== "function") checkNumbers(baseOrVisit, "base");
  if (count !== undefined) checkNumbers(count, "count");
  if (incr !== undefined) checkNumbers(incr, "incr");
  validateShape(requireArray(shape, "ForEachIndex"), { era: "today" });
  if (shape.isUnboundedDynamic()) throw new InvalidArgumentError(`ForEachIndex: ${shownShape(shape)} has a dimension without bound`);
  if (typeof baseOrVisit === "function") {
    const zeros = shape.dimensions.map(() => 0);
    return walk(
      shape,
      zeros,
      shape.dimensions,
      shape.dimensions.map(() => 1),
      baseOrVisit,
    );
  }
  if (visit === undefined) throw new InvalidArgumentError("ForEachIndex: expected base, count, incr and a visitor");
  const from = checkedPerDimension(baseOrVisit, shape, "base");
  const counts = checkedPerDimension(count ?? [], shape, "count");
  const steps = checkedPerDimension(incr ?? [], shape, "incr");
  const limits = from.map((first, dim) => checkedCount(first + counts[dim]!, "base + count"));
  return walk(shape, from, limits, steps, visit);
}

function checkedPerDimension(list: readonly number[], shape: Shape, what: string): readonly number[] {
  const values = checkedIntegers(list, what);
  if (values.length !== shape.rank)
    throw new InvalidArgumentError(
      `ForEachIndex: ${what} ${shownList(values)} has ${values.length} entries, but ${shownShape(shape)} has rank ${shape.rank}`,
    );
  values.forEach((value, dim) => {
    checkedCount(value, `${what}[${dim}]`);
  });
  return values;
}

/** The odometer: after each visit the fastest dimension that can step does, the faster ones return to their base. */
function walk(shape: Shape, base: readonly number[], limits: readonly number[], steps: readonly number[], visit: IndexVisitor): boolean {
  if (isZeroElementArray(shape)) return true;
  const order = shape.layout!.minorToMajor;
  const index = [...base];
  for (;;) {
    if (visit(index) === false) return false;
    let position = 0;
    for (; position < order.length; position++) {
      const dim = order[position]!;
      index[dim]! += steps[dim]!;
      if (index[dim]! < limits[dim]!) {
        if (steps[dim] === 0)
          throw new InvalidArgumentError(
            `ForEachIndex: incr 0 in dimension ${dim} of count ${limits[dim]! - base[dim]!} visits the same indices for ever`,
          );
        break;
      }
      index[dim] = base[dim]!;
    }
    if (position === order.length) return true;
  }
}
