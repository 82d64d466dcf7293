/**
 * variables: which leaves of a tree are the variables of a call, found by their places in memory.
 *
 *     w = Tensor [4, 4]          w.matrix()           the same place: the variable
 *                                w.strided("::2")     inside: a part of it, whose gradient is put at its places
 *                                a row beside w       apart
 *
 * `t.matrix()` makes a new map at each call, so that maps are not the same object although they read the same elements. An expression inside
 * the tree is a variable by identity, and so is a map whose elements are not in this process.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { byteRange, product, rowMajorStrides } from "@onebuffer/storage/internal";
import type { RawPlaces } from "@onebuffer/storage";
import type { ExpressionTree } from "@onebuffer/expression";
import { isMap, shownOperand, sizesOf } from "@onebuffer/expression/internal";

/** The part of a variable that a leaf reads: its first element is element `from` of the variable, the strides are in elements. */
export interface VariablePart {
  readonly from: number;
  readonly strides: readonly number[];
}

/** A variable that a node stands for: all of it (`part` is null), or a part. */
export interface Found {
  readonly variable: number;
  readonly part: VariablePart | null;
}

const kNone: readonly Found[] = [];

/** The variables of a call. */
export class Variables {
  readonly nodes: readonly ExpressionTree[];
  readonly #places: readonly (RawPlaces | null)[];
  readonly #ranges: ReadonlyMap<ArrayBufferLike, readonly VariableRange[]>;
  readonly #numbers: ReadonlyMap<ExpressionTree, readonly number[]>;
  readonly #areMaps: boolean;

  constructor(nodes: readonly ExpressionTree[]) {
    this.nodes = nodes;
    this.#places = nodes.map((node) => (isMap(node) ? placesOf(node) : null));
    this.#ranges = rangesOf(this.#places);
    this.#numbers = numbersOf(nodes);
    this.#areMaps = nodes.every(isMap);
  }

  /**
   * Returns the variables that a node is, or is a part of. Throws INVALID_ARGUMENT if it reads memory of a variable, but not only of it, or
   * with another dtype.
   */
  find(node: ExpressionTree): readonly Found[] {
    const isLeaf = isMap(node);
    if (!isLeaf && this.#areMaps) return kNone;
    const numbers = this.#numbers.get(node);
    const found = numbers === undefined ? kNone : numbers.map((variable): Found => ({ variable, part: null }));
    const places = isLeaf && product(sizesOf(node)) > 0 ? placesOf(node) : null;
    const parts = places === null ? kNone : this.#partsOf(node, places);
    return parts.length === 0 ? found : found.length === 0 ? parts : [...found, ...parts];
  }

  /** Returns the variables that are other nodes than a leaf and have bytes in common with its places, in ascending order. */
  #partsOf(leaf: ExpressionTree, places: RawPlaces): readonly Found[] {
    const parts: Found[] = [];
    for (const variable of this.#touched(places)) {
      if (this.nodes[variable] !== leaf) parts.push({ variable, part: this.#partOf(variable, this.#places[variable]!, leaf, places) });
    }
    return parts;
  }

  /** Returns the variables that have bytes in common with places, in ascending order. */
  #touched(places: RawPlaces): readonly number[] {
    const ranges = this.#ranges.get(places.buffer) ?? [];
    const [low, end] = byteRange(places);
    let [first, last] = [0, ranges.length];
    while (first < last) {
      const middle = (first + last) >> 1;
      if (ranges[middle]!.low < end) first = middle + 1;
      else last = middle;
    }
    const touched: number[] = [];
    for (let k = first - 1; k >= 0 && ranges[k]!.reach > low; k--) if (ranges[k]!.end > low) touched.push(ranges[k]!.variable);
    return touched.length > 1 ? touched.sort((a, b) => a - b) : touched;
  }

  #partOf(variable: number, whole: RawPlaces, leaf: ExpressionTree, places: RawPlaces): VariablePart | null {
    const node = this.nodes[variable]!;
    if (node.dtype === leaf.dtype) {
      if (isSamePlace(whole, places)) return null;
      const from = (places.byteOffset - whole.byteOffset) / whole.itemBytes;
      if (isDense(whole) && isInside(places, from, product(whole.dims))) return { from, strides: places.strides };
    }
    const reason = node.dtype === leaf.dtype ? "only in part through" : "with another dtype through";
    throw new InvalidArgumentError(
      `gradients: the expression reads the memory of variable ${variable}, ${shownOperand(node)}, ${reason} ${shownOperand(leaf)}: give the map that it reads, or a tensor with all of its elements`,
    );
  }
}

/** Returns the numbers of the variables by node: one may be given twice. */
function numbersOf(nodes: readonly ExpressionTree[]): ReadonlyMap<ExpressionTree, readonly number[]> {
  const numbers = new Map<ExpressionTree, number[]>();
  nodes.forEach((node, k) => {
    const list = numbers.get(node);
    if (list === undefined) numbers.set(node, [k]);
    else list.push(k);
  });
  return numbers;
}

/** Returns the places of a leaf; null if they are not in this process. Throws FAILED_PRECONDITION if its memory is freed. */
function placesOf(leaf: ExpressionTree): RawPlaces | null {
  const places = (leaf as ExpressionTree & { rawPlaces(): RawPlaces | null }).rawPlaces();
  if (places === null) return null;
  try {
    return places.buffer === undefined ? null : places;
  } catch {
    return null;
  }
}

/** The bytes of a variable; `reach` is the highest end of its own range and of those that begin before it. */
interface VariableRange {
  readonly variable: number;
  readonly low: number;
  readonly end: number;
  reach: number;
}

/** Returns the ranges of bytes of variables by buffer, in the order in which they begin: a leaf is compared only with those that it overlaps. */
function rangesOf(all: readonly (RawPlaces | null)[]): ReadonlyMap<ArrayBufferLike, readonly VariableRange[]> {
  const ranges = new Map<ArrayBufferLike, VariableRange[]>();
  all.forEach((places, variable) => {
    if (places === null || product(places.dims) === 0) return;
    const [low, end] = byteRange(places);
    const range = { variable, low, end, reach: end };
    const list = ranges.get(places.buffer);
    if (list === undefined) ranges.set(places.buffer, [range]);
    else list.push(range);
  });
  for (const list of ranges.values()) {
    // Tensors that were made one after the other mostly lie so, and the engine's sort takes as long as all the rest.
    if (list.some(({ low }, k) => k > 0 && list[k - 1]!.low > low)) list.sort((a, b) => a.low - b.low);
    for (let k = 1; k < list.length; k++) list[k]!.reach = Math.max(list[k]!.end, list[k - 1]!.reach);
  }
  return ranges;
}

/** Returns true if the two have the same elements in the same order and sizes. */
function isSamePlace(a: RawPlaces, b: RawPlaces): boolean {
  if (a.byteOffset !== b.byteOffset || a.dims.length !== b.dims.length) return false;
  return a.dims.every((size, d) => size === b.dims[d] && (size === 1 || a.strides[d] === b.strides[d]));
}

/** Returns true if the elements are one behind the other, in row-major order. */
export function isDense({ dims, strides }: { readonly dims: readonly number[]; readonly strides: readonly number[] }): boolean {
  const dense = rowMajorStrides(dims);
  return dims.every((size, d) => size === 1 || strides[d] === dense[d]);
}

/** Returns true if all places, of which the first is `from`, are from 0 to count - 1. */
function isInside({ dims, strides }: RawPlaces, from: number, count: number): boolean {
  if (!Number.isInteger(from)) return false;
  let [low, high] = [from, from];
  for (const [d, size] of dims.entries()) {
    const reach = strides[d]! * (size - 1);
    if (reach < 0) low += reach;
    else high += reach;
  }
  return low >= 0 && high < count;
}
