/**
 * An index of slices of one rank, which finds the slices that overlap a given slice. TensorFlow has no such index: it keeps one
 * bounding box of all slices and otherwise tests each pair, which takes 5,000,000,000 tests for a checkpoint entry of 100,000 slices.
 *
 *     tree k holds 0 or 2^k slices; adding a slice carries over, like adding 1 to a binary number:
 *     5 slices: [1] . [4]   + 1 ->   . [2] [4]   + 1 ->   [1] [2] [4]   + 1 ->   . . . [8]
 *
 * Each tree is built once. Nodes are split in the middle of the dimension in which their slices have the most different starts, so the
 * tree is balanced for every order of insertion. Every node has a bounding box; a search skips nodes whose box does not overlap.
 */
import type { TensorSlice } from "./tensor-slice.ts";

/** The part of an entry that the forest uses. */
interface Entry {
  readonly slice: TensorSlice;
}

/** A node: the bounding box of some entries, and either two child nodes or a short list of the entries. */
interface Node<E extends Entry> {
  readonly hull: TensorSlice;
  readonly entries: readonly E[];
  readonly halves: readonly [Node<E>, Node<E>] | null;
}

/** The most entries of a leaf. */
const kLeafSize = 4;

/** An index of slices of one rank. Adding takes O(log^2 n) on average; a search visits few nodes that do not overlap. */
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

  /** Returns the entries whose slices overlap the given slice, in no particular order. */
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

/** Builds a tree of at least one entry. May reorder the list. */
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
