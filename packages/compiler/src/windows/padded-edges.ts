/**
 * padded-edges: sums of products over the windows of a padded map, as in a depthwise convolution, of which only the edges are padded.
 *
 *     [28, 28] by 3 x 3, stride 2, "same"     | 13 x 13 | 13 x 1 |     13 x 13 windows lie within the map and read it where it is;
 *                                             | 1 x 14           |     the others read two strips of it, copied with their padding
 *
 * What padding adds cannot be left out, as clipped-windows.ts does: 0 times an infinite factor is NaN. So the result is a concatenation of
 * such sums, all by one kernel, and the padded map is not stored.
 */
import { attributesOf, isJoin } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { sameSizes } from "@onebuffer/storage/internal";
import { isOfKind, unpadded } from "./clipped-windows.ts";
import { attributesIf } from "../plan/attributes-if.ts";
import { plainConstant, treeNode } from "../plan/plain-nodes.ts";

/** Windows side by side along an axis: their number, the elements of the map that they reach, and how many the padding adds to those. */
interface Run {
  readonly count: number;
  readonly begin: number;
  readonly size: number;
  readonly before: number;
  readonly after: number;
}

/** An axis of the windows, and its runs: those that reach into the padding before the map, those within the map, those behind. */
interface Axis {
  readonly axis: number;
  readonly runs: readonly Run[];
  /** All windows of the axis. */
  readonly all: Run;
}

/** A sum of products over windows: the nodes from the sum down to the patches, the map, and the axes of the windows. */
interface PaddedSum {
  readonly path: readonly ExpressionTree[];
  readonly map: ExpressionTree;
  readonly axes: readonly Axis[];
}

/**
 * Returns a sum of products over the windows of a padded map as a concatenation of such sums of which few are padded, or as one such sum; null
 * for other trees.
 */
export function paddedEdges(tree: ExpressionTree): ExpressionTree | null {
  const below = tree.op === "sum" && tree.inputs[0]!.op === "mul" ? patchesBelow(tree.inputs[0]!) : null;
  if (below === null || !isJoin(below.at(-1)!.inputs[0]!)) return null;
  const patches = below.at(-1)!;
  const { axes, strides, dilations } = attributesOf(patches, "extractPatches");
  const rank = patches.inputs[0]!.dimensions.length;
  const { axes: reduced, keepDims } = attributesOf(tree, "sum");
  if (keepDims || reduced.some((axis) => axis <= Math.max(...axes))) return null;
  const padded = unpadded(patches.inputs[0]!, axes, (node) => isOfKind(node, "zero"));
  if (padded === null) return null;
  const { map, before } = padded;
  const along = axes.map((axis, k): Axis | null => {
    const reach = (patches.dimensions[rank + k]! - 1) * dilations[k]! + 1;
    return axisOf(axis, { reach, stride: strides[k]!, before: before[k]!, size: map.dimensions[axis]!, count: patches.dimensions[axis]! });
  });
  return along.includes(null) ? null : joined({ path: [tree, ...below], map, axes: along as readonly Axis[] }, []);
}

/**
 * Returns the nodes from a product down to the patches that it multiplies by what is the same for all windows; null for other products. Between
 * them only axes behind those of the windows are reshaped.
 */
function patchesBelow(product: ExpressionTree): readonly ExpressionTree[] | null {
  const { inputs, dimensions } = product;
  const paths = inputs.map(belowReshapes);
  const k = paths.findIndex((path) => attributesIf(path.at(-1)!, "extractPatches") !== null);
  if (k < 0) return null;
  const path = paths[k]!;
  const { axes } = attributesOf(path.at(-1)!, "extractPatches");
  const leading = Math.max(...axes) + 1;
  const isAligned = (node: ExpressionTree): boolean => sameSizes(node.dimensions.slice(0, leading), dimensions.slice(0, leading));
  const other = inputs[1 - k]!.dimensions;
  const behind = dimensions.length - other.length;
  const isSame = axes.every((axis) => (other[axis - behind] ?? 1) === 1);
  return isSame && path.every(isAligned) && inputs[k]!.dimensions.length === dimensions.length ? [product, ...path] : null;
}

/** Returns a node, the reshapes that it is of, and what they reshape. */
function belowReshapes(tree: ExpressionTree): readonly ExpressionTree[] {
  const path = [tree];
  while (path.at(-1)!.op === "reshape") path.push(path.at(-1)!.inputs[0]!);
  return path;
}

/** The windows of an axis: how far each reaches, the distance between them, the padding before the map, its size, and their number. */
interface Windows {
  readonly reach: number;
  readonly stride: number;
  readonly before: number;
  readonly size: number;
  readonly count: number;
}

/** Returns an axis with its runs; null if no window lies within the map, or if some lie in the padding alone. */
function axisOf(axis: number, windows: Windows): Axis | null {
  const { reach, stride, before, size, count } = windows;
  const first = Math.ceil(before / stride);
  const end = Math.min(count, Math.floor((size + before - reach) / stride) + 1);
  if (first >= end || reach <= before || (count - 1) * stride - before >= size) return null;
  const bounds = [0, first, end, count];
  const runs = [0, 1, 2].filter((k) => bounds[k]! < bounds[k + 1]!).map((k) => runOf(bounds[k]!, bounds[k + 1]!, windows));
  return { axis, runs, all: runOf(0, count, windows) };
}

function runOf(place: number, end: number, { reach, stride, before, size }: Windows): Run {
  const [from, to] = [place * stride - before, (end - 1) * stride - before + reach];
  const begin = Math.max(0, from);
  return { count: end - place, begin, size: Math.min(size, to) - begin, before: begin - from, after: Math.max(0, to - size) };
}

const isPadded = ({ before, after }: Run): boolean => before + after > 0;

/** Returns the concatenation of the sums over the chosen runs of the first axes. A run that is padded has all windows of the axes behind. */
function joined(sum: PaddedSum, chosen: readonly Run[]): ExpressionTree {
  const { axes } = sum;
  const next = axes[chosen.length];
  const last = chosen.at(-1);
  if (next === undefined || (last !== undefined && isPadded(last))) {
    return partOf(sum, [...chosen, ...axes.slice(chosen.length).map(({ all }) => all)]);
  }
  const inputs = next.runs.map((run) => joined(sum, [...chosen, run]));
  const [first] = inputs as [ExpressionTree];
  return inputs.length === 1
    ? first
    : treeNode("concatenate", inputs, first.dimensions.with(next.axis, next.all.count), { axis: next.axis });
}

/** Returns the sum over the windows of one run of each axis. */
function partOf({ path, map, axes }: PaddedSum, runs: readonly Run[]): ExpressionTree {
  const places = (dimensions: readonly number[]): number[] =>
    dimensions.map((size, d) => runs[axes.findIndex(({ axis }) => axis === d)]?.count ?? size);
  return path.reduceRight(
    (part, { op, inputs, dimensions, attributes }, k) => {
      const below = path[k + 1];
      const own = below === undefined ? [part] : inputs.map((input) => (input === below ? part : input));
      return treeNode(op, own, places(dimensions), attributes);
    },
    padded(map, axes, runs),
  );
}

/** Returns the elements of a map that windows reach, with their padding. */
function padded(map: ExpressionTree, axes: readonly Axis[], runs: readonly Run[]): ExpressionTree {
  const [begin, sizes] = [map.dimensions.map(() => 0), map.dimensions.slice()];
  axes.forEach(({ axis }, k) => {
    begin[axis] = runs[k]!.begin;
    sizes[axis] = runs[k]!.size;
  });
  let strip = treeNode("slice", [map], sizes, { begin, steps: begin.map(() => 1) });
  axes.forEach(({ axis }, k) => {
    const filled = (size: number): ExpressionTree[] =>
      size === 0 ? [] : [treeNode("broadcast", [plainConstant(map.dtype, 0)], strip.dimensions.with(axis, size))];
    const { before, size, after } = runs[k]!;
    const inputs = [...filled(before), strip, ...filled(after)];
    if (inputs.length > 1) strip = treeNode("concatenate", inputs, strip.dimensions.with(axis, before + size + after), { axis });
  });
  return strip;
}
