/**
 * chunks: computes an expression over operands outside the linear memory a few rows at a time, so that copying the
 * operands in needs little linear memory (Eigen evaluates tensors of any size in blocks that fit the cache).
 *
 *     target [1e6, 300]          rows 0 .. 1,700        copied, computed, moved to the target
 *                                rows 1,700 .. 3,400    into the same scratch memory
 *
 * The target is split along its first axis that has more than one index; if a single row is still too large,
 * computing that row splits the next axis. Only work that is done element by element or row by row is split
 * (plan/tree-parts.ts), so the results are bit for bit those of computing the whole at once.
 */
import { overlapWith } from "@onebuffer/evaluator/internal";
import { isMap } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import { withScratch } from "@onebuffer/kernels/internal";
import { leafPlaces } from "../plan/leaf-places.ts";
import { copyToScratch, isInside } from "./scratch-places.ts";
import { leafOf, placesPart, treePart } from "../plan/tree-parts.ts";

/** The number of bytes that one chunk copies in, or moves to the target: 2 MiB, which stay in the second-level cache. */
export const kChunkBytes: number = 1 << 21;

/**
 * Computes an expression in chunks; `compute` computes a part of the expression into the same part of the target. Returns false, with
 * nothing done, if the expression is small or has no independent parts.
 */
export function computeInChunks(
  places: RawPlaces,
  tree: ExpressionTree,
  compute: (places: RawPlaces, tree: ExpressionTree) => void,
): boolean {
  const axis = places.dims.findIndex((size) => size > 1);
  if (axis < 0) return false;
  const size = places.dims[axis] as number;
  const own = isInside(places.buffer) ? 0 : product(places.dims) * places.itemBytes;
  const leaves = leavesOf(tree).filter((leaf) => !isInside(leafPlaces(leaf).buffer));
  if (own + bytesOf(leaves) <= kChunkBytes) return false;
  const none = new Map<ExpressionTree, ExpressionTree>();
  const first = treePart(tree, axis, { begin: 0, end: 1, shared: none });
  if (first === null || overlapWith(places, tree) === "mixed") return false;
  const parts = leavesOf(first).filter((leaf) => !isInside(leafPlaces(leaf).buffer));
  const fixed = parts.filter((leaf) => leaves.includes(leaf));
  const perIndex = own / size + bytesOf(parts.filter((leaf) => !leaves.includes(leaf)));
  const shared = bytesOf(fixed);
  // An operand that does not change along the axis is copied in once. If such operands are larger than a chunk, each
  // chunk copies the rows of them that it needs.
  if (perIndex === 0 || (shared > kChunkBytes && shared > perIndex)) return false;
  const count = chunkSize(size, shared > kChunkBytes ? 1 : Math.floor(kChunkBytes / perIndex));
  withScratch(() => {
    const copied = shared > kChunkBytes ? none : new Map(fixed.map((leaf) => [leaf, leafOf(leaf, copyToScratch(leafPlaces(leaf)))]));
    for (let begin = 0; begin < size; begin += count) {
      const end = Math.min(begin + count, size);
      compute(placesPart(places, axis, begin, end), treePart(tree, axis, { begin, end, shared: copied })!);
    }
  });
  return true;
}

/** Chunks begin at multiples of 64 rows where they can, because engines copy byte by byte between addresses of different alignment. */
const kAligned = 64;

/** Returns the size of a chunk: chunks of roughly equal size, none larger than `most`. */
function chunkSize(size: number, most: number): number {
  const unit = most < kAligned ? 1 : kAligned;
  const units = Math.max(Math.floor(most / unit), 1);
  const all = Math.ceil(size / unit);
  return Math.ceil(all / Math.ceil(all / units)) * unit;
}

/** Returns the maps that an expression reads. */
function leavesOf(tree: ExpressionTree): ExpressionTree[] {
  const nodes = new Set([tree]);
  for (const { inputs } of nodes) for (const input of inputs) nodes.add(input);
  return [...nodes].filter(isMap);
}

/** Returns the total bytes of the elements of some maps. */
function bytesOf(leaves: readonly ExpressionTree[]): number {
  return leaves.reduce((sum, leaf) => {
    const { dims, itemBytes } = leafPlaces(leaf);
    return sum + product(dims) * itemBytes;
  }, 0);
}
