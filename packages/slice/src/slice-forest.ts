/**
 * An index over slices of one rank: which of them overlap a given one? TensorFlow has none; it keeps one bounding box of
 * everything and otherwise tests each pair, so a checkpoint entry of 100,000 slices costs it 5,000,000,000 tests.
 *
 *     tree k holds 0 or 2^k slices; adding one more carries over, as adding 1 to a binary number does:
 *     5 slices: [1] . [4]   + 1 ->   . [2] [4]   + 1 ->   [1] [2] [4]   + 1 ->   . . . [8]
 *
 * Each tree is built once, split in the middle of the dimension where its slices are spread widest, so it is balanced
 * whatever the order of arrival. Every node carries its bounding box; a search leaves out what its box does not meet.
 */
import type { TensorSlice } from "./tensor-slice.ts";

/** What the forest needs of an entry. */
interface Entry {
  readonly slice: TensorSlice;
}

/** A bounding box over some entries: two halves of them, or the few themselves. */
interface Node<E extends Entry> {
  readonly hull: TensorSlice;
  readonly entries: readonly E[];
  readonly halves: readonly [Node<E>, Node<E>] | null;
}

/** Up to how many entries a node lists instead of splitting. */
const kLeafSize = 4;

/** Slices of one rank, searchable by overlap. Adding is O(log^2 n) on average; searching visits what overlaps and little else. */
export class SliceForest<E extends Entry> {
  readonly #trees: (Node<E> | null)[];

  constructor() {
    this.#trees = [];
  }

  /** Adds an entry, whose slice must not change afterwards. */
  add(entry: E): void {
    const carried = [entry];
    let k = 0;
    for (let tree = this.#trees[k]; tree; tree = this.#trees[++k]) {
      collect(tree, carried);
      this.#trees[k] = null;
    }
    this.#trees[k] = build(carried);
  }

  /** The entries whose slices overlap the given one, in no particular order. */
  overlapping(slice: TensorSlice): E[] {
    const found: E[] = [];
    for (const tree of this.#trees) if (tree) search(tree, slice, found);
    return found;
  }
}

function collect<E extends Entry>(node: Node<E>, into: E[]): void {
  if (node.halves === null) into.push(...node.entries);
  else for (const half of node.halves) collect(half, into);
}

function search<E extends Entry>(node: Node<E>, slice: TensorSlice, found: E[]): void {
  if (!node.hull.overlaps(slice)) return;
  if (node.halves === null) for (const entry of node.entries) if (entry.slice.overlaps(slice)) found.push(entry);
  if (node.halves !== null) for (const half of node.halves) search(half, slice, found);
}

/** A tree over at least one entry; it may reorder the list. */
function build<E extends Entry>(entries: E[]): Node<E> {
  const hull = entries[0]!.slice.clone();
  for (const entry of entries) hull.updateToCover(entry.slice);
  if (entries.length <= kLeafSize) return { hull, entries, halves: null };
  const d = widestDimension(entries);
  entries.sort((a, b) => a.slice.start(d) - b.slice.start(d));
  const middle = entries.length >> 1;
  return { hull, entries: [], halves: [build(entries.slice(0, middle)), build(entries.slice(middle))] };
}

/** The dimension with the most different starts; disjoint slices differ in at least one. */
function widestDimension<E extends Entry>(entries: readonly E[]): number {
  const starts = Array.from({ length: entries[0]!.slice.dims }, (_, d) => new Set(entries.map((entry) => entry.slice.start(d))).size);
  return starts.indexOf(Math.max(...starts));
}
