/**
 * Visits the indices of an array in memory order (ForEachIndex in xla/shape_util.h).
 *
 *     f32[2,3]{0,1}    (0,0) (1,0) (0,1) (1,1) (0,2) (1,2)      minorToMajor[0] varies fastest
 *
 * IndexUtil.bumpIndices, in contrast, is row-major whatever the layout. XLA's parallel version of ForEachIndex has no
 * counterpart here: a JavaScript function cannot be passed to another thread.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkCallback } from "@onebuffer/base/internal";
import { checkNumbers, checkShape } from "../type/argument-check.ts";
import { checkedCount, checkedIntegers } from "../type/integers.ts";
import type { Shape } from "../model/shape.ts";
import { requireArray, shownShape } from "../model/shape.ts";
import { isZeroElementArray } from "./shape-predicates.ts";
import { shownList } from "../type/shown-list.ts";
import { validateShape } from "../model/validate-shape.ts";

/** A visitor of indices. The list is reused and changes after the call; copy it to keep it. Returning false stops the walk. */
export type IndexVisitor = (index: readonly number[]) => unknown;

/**
 * Visits the indices of an array in the order of its layout: all of them or, with `base`, `count` and `incr`, those from
 * `base` up to but not including `base + count` in steps of `incr`, per dimension. A dimension of count 0 stays at its
 * base. An array without elements has no indices; a scalar has one, []. Returns false if the visitor stopped the walk, else
 * true.
 *
 * Quirk: with a step of 0 and a count above 0, XLA repeats the same indices until the visitor stops it. This function
 * throws INVALID_ARGUMENT instead of repeating.
 *
 * Throws INVALID_ARGUMENT if `shape` is not a valid, bounded array with a layout, if a list does not have one entry per
 * dimension, and if a base, count or step is negative.
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
  if (shape.isUnboundedDynamic()) throw new InvalidArgumentError(`ForEachIndex: ${shownShape(shape)} has an unbounded dimension`);
  if (typeof baseOrVisit === "function") {
    checkCallback(baseOrVisit, "a function as visit");
    const zeros = shape.dimensions.map(() => 0);
    return walk(
      shape,
      zeros,
      shape.dimensions,
      shape.dimensions.map(() => 1),
      baseOrVisit,
    );
  }
  checkCallback(visit, "base, count, incr and a function as visit");
  const from = checkedPerDimension(baseOrVisit, shape, "base");
  const counts = checkedPerDimension(count ?? [], shape, "count");
  const steps = checkedPerDimension(incr ?? [], shape, "incr");
  const limits = from.map((first, dim) => checkedCount(first + counts[dim]!, "base + count"));
  return walk(shape, from, limits, steps, visit as IndexVisitor);
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

/** Visits and advances like an odometer: the fastest dimension that can step does; faster ones return to their base. */
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
