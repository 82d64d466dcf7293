/**
 * chunks: an expression over operands outside of the linear memory, some of their rows after the others, so that bringing them
 * takes little of it (Eigen streams tensors of any size through blocks of the cache's).
 *
 *     target [1e6, 300]          rows 0 .. 1,700        brought, computed, moved to the target
 *                                rows 1,700 .. 3,400    into the same scratch memory
 *
 * The target's first axis is taken apart, and the next one where a single row is too large. Results are those of the whole, bit
 * for bit, because only what is computed element by element, or row by row, is taken apart: see tree-parts.
 */
import { overlapWith } from "../../evaluator/overlap.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import type { RawPlaces } from "../../geometry/strided-bytes.ts";
import { leafPlaces } from "../plan/leaf-places.ts";
import { releaseScratch, scratchMark } from "../plan/scratch.ts";
import { leafOf, placesPart, treePart } from "../plan/tree-parts.ts";

/** Bytes that are brought, or moved to the target, at a time: they stay in the second-level cache. */
export const kChunkBytes: number = 1 << 21;

/** What chunks are made by. */
export interface ChunkWork {
  /** Whether memory is out of the reach of kernels. */
  readonly isOutsideLinearMemory: (buffer: ArrayBufferLike) => boolean;
  /** The same elements in scratch memory. */
  readonly bring: (places: RawPlaces) => RawPlaces;
  /** Computes a part of the expression into a part of the target. */
  readonly compute: (places: RawPlaces, tree: ExpressionTree) => void;
}

/** Computes an expression in chunks; false, and nothing done, if it is small, or there are no independent parts. */
export function computeInChunks(places: RawPlaces, tree: ExpressionTree, work: ChunkWork): boolean {
  const axis = places.dims.findIndex((size) => size > 1);
  if (axis < 0) return false;
  const size = places.dims[axis] as number;
  const own = work.isOutsideLinearMemory(places.buffer) ? product(places.dims) * places.itemBytes : 0;
  const leaves = leavesOf(tree).filter((leaf) => work.isOutsideLinearMemory(leafPlaces(leaf).buffer));
  if (own + bytesOf(leaves) <= kChunkBytes) return false;
  const none = new Map<ExpressionTree, ExpressionTree>();
  const first = treePart(tree, axis, { begin: 0, end: 1, shared: none });
  if (first === null || overlapWith(places, tree) === "mixed") return false;
  const parts = leavesOf(first).filter((leaf) => work.isOutsideLinearMemory(leafPlaces(leaf).buffer));
  const standing = parts.filter((leaf) => leaves.includes(leaf));
  const perIndex = own / size + bytesOf(parts.filter((leaf) => !leaves.includes(leaf)));
  const shared = bytesOf(standing);
  // What does not move along the axis is brought once; if it is large itself, with each part of the rows that need it.
  if (perIndex === 0 || (shared > kChunkBytes && shared > perIndex)) return false;
  const count = chunkSize(size, shared > kChunkBytes ? 1 : Math.floor(kChunkBytes / perIndex));
  const mark = scratchMark();
  try {
    const brought = shared > kChunkBytes ? none : new Map(standing.map((leaf) => [leaf, leafOf(leaf, work.bring(leafPlaces(leaf)))]));
    for (let begin = 0; begin < size; begin += count) {
      const end = Math.min(begin + count, size);
      work.compute(placesPart(places, axis, begin, end), treePart(tree, axis, { begin, end, shared: brought })!);
    }
  } finally {
    releaseScratch(mark);
  }
  return true;
}

/** Chunks begin at multiples of this where they can: engines move bytes one by one between places that are not aligned alike. */
const kAligned = 64;

/** Chunks of about one size, none larger than `most`. */
function chunkSize(size: number, most: number): number {
  const unit = most < kAligned ? 1 : kAligned;
  const units = Math.max(Math.floor(most / unit), 1);
  const all = Math.ceil(size / unit);
  return Math.ceil(all / Math.ceil(all / units)) * unit;
}

/** The maps that an expression reads. */
function leavesOf(tree: ExpressionTree): ExpressionTree[] {
  const nodes = new Set([tree]);
  for (const { inputs } of nodes) for (const input of inputs) nodes.add(input);
  return [...nodes].filter(({ op }) => op === "map");
}

function bytesOf(leaves: readonly ExpressionTree[]): number {
  return leaves.reduce((sum, leaf) => {
    const { dims, itemBytes } = leafPlaces(leaf);
    return sum + product(dims) * itemBytes;
  }, 0);
}
