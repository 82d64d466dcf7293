/**
 * reduce-in-blocks: reductions of many elements to few, which have no loops of the result to be divided (Eigen's FullReducer on
 * ThreadPoolDevice).
 *
 *     sum(x) of 1,000,003      sums of 64 blocks of 15,625 elements, and of the 3 that remain      then the sum of these 65
 *
 * The blocks depend on the sizes of the operands only. So a sum of floats has the same bits for any number of threads. It may differ in the
 * last bit from the sum on a DefaultDevice, which adds in one block.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize, isStatusError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { computeAssignment } from "../assign/assign.ts";
import type { DeviceAssignment } from "../expression/tree/device.ts";
import { noAttributes } from "../expression/tree/op-attributes.ts";
import type { ExpressionTree, ReduceAttributes } from "../expression/tree/op-attributes.ts";
import type { OpName } from "../expression/tree/op-table.ts";
import { treeOrder } from "../expression/tree/tree-order.ts";
import { product } from "../geometry/map-geometry.ts";
import type { RawPlaces } from "../geometry/strided-bytes.ts";
import { leafOf, placesPart, treePart, withNodes } from "../kernel/plan/tree-parts.ts";
import { releaseScratch, scratchMark } from "../kernel/plan/scratch.ts";
import { placesAt, scratchOf } from "../kernel/run/scratch-places.ts";
import { splitAxis } from "./split-axis.ts";

/** Reductions of at least so many elements are computed in blocks. Tests change this. */
export const blockLimits: { leastElements: number } = { leastElements: 1 << 19 };
/** Reductions to at most so many elements are: of rows and of columns. More rows, and more cache lines of columns, are parts of their own. */
const kMostRows = 8;
const kMostColumns = 64;
/** The most blocks of an axis, and the fewest that are used to divide it without a remainder. */
const kBlocks = 64;
const kFewBlocks = 32;

/** The operations that can be computed in blocks, with the operation that combines the blocks, and the dtypes. */
const kCombine: ReadonlyMap<OpName, OpName> = new Map<OpName, OpName>([
  ["sum", "sum"],
  ["mean", "sum"],
  ["max", "max"],
  ["min", "min"],
  ["any", "any"],
  ["all", "all"],
]);
const kFloats: ReadonlySet<DType> = new Set<DType>(["float32", "float64"]);
const kOthers: ReadonlySet<DType> = new Set<DType>(["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]);

/** Computes assignments by `compute`, after their long reductions to few elements have been computed in blocks. */
export function inBlocks(assignments: readonly DeviceAssignment[], compute: (assignments: readonly DeviceAssignment[]) => void): void {
  const long = treeOrder(assignments.map(({ tree }) => tree)).filter(isLong);
  // With several assignments, a later one may read what an earlier one writes.
  if (long.length === 0 || !linearMemory().isAvailable) return compute(assignments);
  if (assignments.length > 1) return assignments.forEach((each) => inBlocks([each], compute));
  const mark = scratchMark();
  try {
    const known = new Map<ExpressionTree, ExpressionTree>();
    for (const node of long) {
      const result = ifRoom(() => reduced(node, withNodes(node.inputs[0]!, known)));
      if (result !== null) known.set(node, leafOf(node, result));
    }
    compute(assignments.map((each) => ({ ...each, tree: withNodes(each.tree, known) })));
  } finally {
    releaseScratch(mark);
  }
}

/** Returns what `work` returns; null if there is no room for scratch memory. */
function ifRoom<T>(work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
}

/** Returns true for a reduction of many elements to few, by an operation that can be computed in blocks. */
function isLong({ op, inputs, dtype, dimensions, attributes }: ExpressionTree): boolean {
  if (!kCombine.has(op) || !(kFloats.has(dtype) || (kOthers.has(dtype) && op !== "mean"))) return false;
  const operand = inputs[0]!.dimensions;
  const isOfRows = (attributes as ReduceAttributes).axes.includes(operand.length - 1);
  return product(operand) >= blockLimits.leastElements && product(dimensions) <= (isOfRows ? kMostRows : kMostColumns);
}

/** Computes a reduction of `input` in blocks, into scratch memory of the node's sizes. Returns null if its operand cannot be divided. */
function reduced(node: ExpressionTree, input: ExpressionTree): RawPlaces | null {
  const { axes } = node.attributes as ReduceAttributes;
  const { dimensions } = input;
  const axis = axes.reduce((best, each) => ((dimensions[each] as number) > (dimensions[best] as number) ? each : best), axes[0] as number);
  const size = dimensions[axis] as number;
  const blocks = blocksOf(size);
  const length = Math.floor(size / blocks);
  const end = blocks * length;
  const split = splitAxis(input, axis, blocks, length);
  const rest = end === size ? null : treePart(input, axis, { begin: end, end: size, shared: new Map() });
  if (split === null || (rest === null && end < size)) return null;
  const reduce = (operand: ExpressionTree, over: readonly number[], op: OpName): ExpressionTree => ({
    op,
    inputs: [operand],
    attributes: { axes: over, keepDims: false },
    dtype: node.dtype,
    dimensions: operand.dimensions.filter((_, d) => !over.includes(d)),
    depth: operand.depth + 1,
  });
  // The axis of blocks takes the place of the divided one among the kept axes.
  const at = dimensions.filter((_, d) => d < axis && !axes.includes(d)).length;
  const kept = dimensions.filter((_, d) => !axes.includes(d));
  const count = blocks + (rest === null ? 0 : 1);
  const partial = scratchOf([...kept.slice(0, at), count, ...kept.slice(at)], node.dtype);
  const inSplit = axes.map((each) => (each >= axis ? each + 1 : each));
  computeAssignment({ places: placesPart(partial, at, 0, blocks), tree: reduce(split, inSplit, node.op) });
  if (rest !== null) computeAssignment({ places: without(placesPart(partial, at, blocks, count), at), tree: reduce(rest, axes, node.op) });
  const all = leafOf(node, partial);
  const weighted = node.op === "mean" ? timesWeights(all, at, length / size, (size - end) / size) : all;
  const result = scratchOf(kept, node.dtype);
  computeAssignment({ places: result, tree: reduce(weighted, [at], kCombine.get(node.op)!) });
  return placesAt(result.byteOffset, node.dimensions, result.itemBytes);
}

/** Returns the number of blocks of an axis: one that divides it if there is one, because a remainder is computed on its own. */
function blocksOf(size: number): number {
  for (let blocks = kBlocks; blocks >= kFewBlocks; blocks--) if (size % blocks === 0) return blocks;
  return Math.min(kBlocks, size);
}

/** Returns places of one index along an axis without that axis. */
const without = (places: RawPlaces, axis: number): RawPlaces => ({
  ...places,
  dims: places.dims.filter((_, d) => d !== axis),
  strides: places.strides.filter((_, d) => d !== axis),
});

/** Multiplies the means of blocks by the share of the elements that each block has: all but the last have the same share. */
function timesWeights(means: ExpressionTree, at: number, share: number, lastShare: number): ExpressionTree {
  const { dtype, dimensions } = means;
  const count = dimensions[at] as number;
  const places = scratchOf([count], dtype);
  const bytes = new DataView(linearMemory().buffer, places.byteOffset, count * dtypeSize(dtype));
  for (let k = 0; k < count; k++) {
    const weight = k === count - 1 && lastShare > 0 ? lastShare : share;
    if (dtype === "float32") bytes.setFloat32(4 * k, weight, true);
    else bytes.setFloat64(8 * k, weight, true);
  }
  const inner = dimensions.length - 1 - at;
  const weights = leafOf(means, {
    ...places,
    dims: [count, ...new Array<number>(inner).fill(1)],
    strides: [1, ...new Array<number>(inner).fill(0)],
  });
  return { op: "mul", inputs: [means, weights], attributes: noAttributes, dtype, dimensions, depth: 1 };
}
