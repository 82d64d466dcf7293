/**
 * clipped-windows: reductions over the windows of a padded map, without the padding (XNNPACK's pooling reads clipped windows likewise).
 *
 *     maxPool of [5, 5] by 3 x 3, "same"     | 2x2 | 2x3 | 2x2 |      windows that begin or end in the padding are smaller; the
 *                                            | 3x2 | 3x3 | 3x2 |      others lie within the map
 *                                            | 2x2 | 2x3 | 2x2 |
 *
 * What padding adds does not change the reduction: 0 in a sum, -Infinity in a maximum. So the result is a concatenation of
 * reductions over windows of the map itself, all by one kernel, and the padded map is not stored.
 */
import { opTable } from "@onebuffer/expression";
import type { CombiningOp, ConstantKind, OpNameOf } from "@onebuffer/expression/internal";
import { attributesOf, combinations, constantKind, isConstant, isJoin, isMap, meanOps, placeOps } from "@onebuffer/expression/internal";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import { attributesIf } from "../plan/attributes-if.ts";
import { movedBase } from "../plan/lowering-moves.ts";
import { treeNode } from "../plan/plain-nodes.ts";

/** Smaller maps are padded: that takes less time than to run several kernels. */
const kLeastElements = 8_192;
/** The most parts of a result. */
const kMostParts = 32;

/** Windows along an axis that have the same number of elements within the map: how many, where the first begins, and their elements. */
interface Run {
  readonly count: number;
  readonly begin: number;
  readonly size: number;
}

/** What is known about an axis of the windows. */
interface Axis {
  readonly axis: number;
  readonly window: number;
  readonly stride: number;
  readonly dilation: number;
}

/**
 * Returns a reduction over the windows of a padded map as a concatenation of reductions over windows of the map, or as one such reduction; null
 * for other trees.
 */
export function clippedWindows(tree: ExpressionTree): ExpressionTree | null {
  const filler = neutralOf(tree.op);
  if (filler === null) return null;
  const patches = tree.inputs[0]!;
  const windows = attributesIf(patches, "extractPatches");
  if (windows === null || !isJoin(patches.inputs[0]!)) return null;
  const { axes, strides, dilations } = windows;
  const { axes: reduced, keepDims } = attributesOf(tree, "max");
  const rank = patches.inputs[0]!.dimensions.length;
  if (keepDims || reduced.length !== axes.length || !reduced.every((axis) => axis >= rank)) return null;
  const padded = unpadded(patches.inputs[0]!, axes, (each) => isOfKind(each, filler));
  if (padded === null) return null;
  const { map, before } = padded;
  const along = axes.map(
    (axis, k): Axis => ({ axis, window: patches.dimensions[rank + k]!, stride: strides[k]!, dilation: dilations[k]! }),
  );
  const runs = along.map((each, k) => runsAlong(each, map.dimensions[each.axis]!, before[k]!, tree.dimensions[each.axis]!));
  const numParts = runs.reduce((parts, each) => parts * (each?.length ?? Infinity), 1);
  return numParts <= kMostParts ? joined(tree, patches, map, along, runs as readonly (readonly Run[])[], []) : null;
}

/**
 * Returns the map below concatenations with constants along these axes, and how many elements precede it along each; null for other trees and
 * small maps.
 */
export function unpadded(
  tree: ExpressionTree,
  axes: readonly number[],
  isFiller: (node: ExpressionTree) => boolean,
): { readonly map: ExpressionTree; readonly before: readonly number[] } | null {
  let map = tree;
  const before = axes.map(() => 0);
  while (isJoin(map)) {
    const k = axes.indexOf(attributesOf(map, "concatenate").axis);
    const at = map.inputs.findIndex((input) => !isConstant(movedBase(input)));
    if (k < 0 || at < 0 || map.inputs.some((input, i) => i !== at && !isFiller(input))) return null;
    before[k]! += map.inputs.slice(0, at).reduce((sum, input) => sum + input.dimensions[axes[k]!]!, 0);
    map = map.inputs[at]!;
  }
  return isMap(movedBase(map)) && product(map.dimensions) >= kLeastElements ? { map, before } : null;
}

/** The constants that change no result, by what a reduction repeats. Kept plans know the kind of a constant, not its value. */
const neutral: Readonly<Partial<Record<CombiningOp, ConstantKind>>> = { add: "zero", maximum: "lowest" };

/** Returns the kind of constant that changes no result of a reduction; null for other operations, means and places. */
function neutralOf(op: OpName): ConstantKind | null {
  if (opTable[op].class !== "reduction" || meanOps.has(op) || placeOps.has(op)) return null;
  return neutral[combinations[op as OpNameOf<"reduction">]] ?? null;
}

/** Returns true if a node is a constant of a kind, also under movements. */
export function isOfKind(node: ExpressionTree, kind: ConstantKind): boolean {
  const base = movedBase(node);
  return isConstant(base) && constantKind(attributesOf(base, "constant").value) === kind;
}

/**
 * Returns the runs of `count` windows over an axis of a size with padding before it; null if a window has no element of the map, or if
 * there are many runs.
 */
function runsAlong({ window, stride, dilation }: Axis, size: number, before: number, count: number): readonly Run[] | null {
  const runs: Run[] = [];
  let last = -1;
  for (let place = 0; place < count; place++) {
    const first = place * stride - before;
    const skipped = Math.max(0, Math.ceil(-first / dilation));
    const end = Math.min(window, Math.floor((size - 1 - first) / dilation) + 1);
    if (end <= skipped) return null;
    const run = runs.at(-1);
    if (run !== undefined && last === skipped && run.size === end - skipped) runs[runs.length - 1] = { ...run, count: run.count + 1 };
    else if (runs.length === kMostParts) return null;
    else runs.push({ count: 1, begin: first + skipped * dilation, size: end - skipped });
    last = skipped;
  }
  return runs;
}

/** Returns the concatenation of the parts that begin with the chosen runs. */
function joined(
  tree: ExpressionTree,
  patches: ExpressionTree,
  map: ExpressionTree,
  along: readonly Axis[],
  runs: readonly (readonly Run[])[],
  chosen: readonly Run[],
): ExpressionTree {
  const k = chosen.length;
  if (k === along.length) return partOf(tree, patches, map, along, chosen);
  const inputs = runs[k]!.map((run) => joined(tree, patches, map, along, runs, [...chosen, run]));
  const [first] = inputs as [ExpressionTree];
  if (inputs.length === 1) return first;
  const { axis } = along[k]!;
  const size = inputs.reduce((sum, { dimensions }) => sum + dimensions[axis]!, 0);
  const dimensions = first.dimensions.with(axis, size);
  return treeNode("concatenate", inputs, dimensions, { axis });
}

/** Returns the reduction over the windows of the chosen runs. */
function partOf(
  tree: ExpressionTree,
  patches: ExpressionTree,
  map: ExpressionTree,
  along: readonly Axis[],
  chosen: readonly Run[],
): ExpressionTree {
  const [begin, sizes, places] = [map.dimensions.map(() => 0), map.dimensions.slice(), map.dimensions.slice()];
  chosen.forEach(({ count, begin: first, size }, k) => {
    const { axis, stride, dilation } = along[k]!;
    begin[axis] = first;
    sizes[axis] = (count - 1) * stride + (size - 1) * dilation + 1;
    places[axis] = count;
  });
  const part = treeNode("slice", [map], sizes, { begin, steps: begin.map(() => 1) });
  const own = treeNode("extractPatches", [part], [...places, ...chosen.map(({ size }) => size)], patches.attributes);
  return treeNode(tree.op, [own], places, tree.attributes);
}
