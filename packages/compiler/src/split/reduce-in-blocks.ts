/**
 * reduce-in-blocks: reductions of many elements to few, which have no loops of the result to be divided, as reductions of blocks (Eigen's
 * FullReducer on ThreadPoolDevice).
 *
 *     sum(x) of 1,000,003      sums of 64 blocks of 15,625 elements, and of the 3 that remain      then the sum of these 65
 *
 * The blocks depend on the sizes of the operands only. So a sum of floats has the same bits for any number of threads. It may differ in the
 * last bit from the sum on a DefaultDevice, which adds in one block. The plan of an expression contains the blocks, so a plan that is made
 * while a pool computes is kept apart from others (run/plan-subject.ts).
 */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/expression";
import type { ReduceAttributes } from "@onebuffer/expression/internal";
import { meanOps, treeOrder, withNodes } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { splitAxis } from "./split-axis.ts";
import type { AxisBlocks } from "./split-axis.ts";
import { treeNode } from "../plan/plain-nodes.ts";

/** Reductions of at least so many elements are computed in blocks. Tests change this. */
export const blockLimits: { leastElements: number } = { leastElements: 1 << 19 };
/**
 * Reductions to at most so many elements are: of rows and of columns. More rows, and more cache lines of columns, are parts of their own.
 * The reductions of blocks have more elements than these, so they are not divided again.
 */
const kMostRows = 8;
const kMostColumns = 63;
/** The most blocks of an axis, and the fewest that are used to divide it without a remainder. */
const kBlocks = 64;
const kFewBlocks = 32;

/** The operations that can be computed in blocks, with the dtypes. */
const kOperations: ReadonlySet<OpName> = new Set<OpName>(["sum", "mean", "max", "min", "any", "all"]);
const kFloats: ReadonlySet<DType> = new Set<DType>(["float32", "float64"]);
const kOthers: ReadonlySet<DType> = new Set<DType>(["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]);

/** Returns true if an expression contains a long reduction to few elements. */
export const hasLongReduction = (tree: ExpressionTree): boolean => treeOrder([tree]).some(isLong);

/** Returns the expression with its long reductions to few elements computed in blocks; the expression itself if it has none. */
export function inBlocks(tree: ExpressionTree): ExpressionTree {
  const known = new Map<ExpressionTree, ExpressionTree>();
  for (const node of treeOrder([tree]).filter(isLong)) {
    const blocks = blocksOf(node, withNodes(node.inputs[0]!, known));
    if (blocks !== null) known.set(node, blocks);
  }
  return known.size === 0 ? tree : withNodes(tree, known);
}

/** Returns true for a reduction of many elements to few, by an operation that can be computed in blocks. */
function isLong({ op, inputs, dtype, dimensions, attributes }: ExpressionTree): boolean {
  if (!kOperations.has(op) || !(kFloats.has(dtype) || (kOthers.has(dtype) && !meanOps.has(op)))) return false;
  const operand = inputs[0]!.dimensions;
  const isOfRows = (attributes as ReduceAttributes).axes.includes(operand.findLastIndex((size) => size > 1));
  return product(operand) >= blockLimits.leastElements && product(dimensions) <= (isOfRows ? kMostRows : kMostColumns);
}

/** Returns a reduction of `input`, as `node` describes it, in blocks. Returns null if the operand cannot be divided. */
function blocksOf(node: ExpressionTree, input: ExpressionTree): ExpressionTree | null {
  const { op } = node;
  const { axes } = node.attributes as ReduceAttributes;
  const { dimensions } = input;
  const axis = axes.reduce((best, each) => ((dimensions[each] as number) > (dimensions[best] as number) ? each : best), axes[0] as number);
  const size = dimensions[axis] as number;
  const count = countOf(size);
  const length = Math.floor(size / count);
  const end = count * length;
  // The means of blocks of different lengths have different weights.
  if (meanOps.has(op) && end < size) return null;
  const inSplit = axes.map((each) => (each >= axis ? each + 1 : each));
  const partial = (blocks: AxisBlocks): ExpressionTree | null => {
    const split = splitAxis(input, axis, blocks);
    return split === null ? null : reduction(op, split, inSplit);
  };
  const blocks = partial({ begin: 0, count, length });
  const remainder = end === size ? null : partial({ begin: end, count: 1, length: size - end });
  if (blocks === null) return null;
  // The axis of blocks takes the place of the divided one among the kept axes.
  const at = dimensions.filter((_, d) => d < axis && !axes.includes(d)).length;
  const result = reduction(op, remainder === null ? blocks : joined(blocks, remainder, at), [at]);
  return treeNode("reshape", [result], node.dimensions);
}

/** Returns the number of blocks of an axis: one that divides it if there is one, because a remainder is computed on its own. */
function countOf(size: number): number {
  for (let count = kBlocks; count >= kFewBlocks; count--) if (size % count === 0) return count;
  return Math.min(kBlocks, size);
}

function reduction(op: OpName, input: ExpressionTree, axes: readonly number[]): ExpressionTree {
  const dimensions = input.dimensions.filter((_, d) => !axes.includes(d));
  return treeNode(op, [input], dimensions, { axes, keepDims: false });
}

function joined(first: ExpressionTree, second: ExpressionTree, axis: number): ExpressionTree {
  const count = (first.dimensions[axis] as number) + (second.dimensions[axis] as number);
  return treeNode("concatenate", [first, second], first.dimensions.with(axis, count), { axis });
}
