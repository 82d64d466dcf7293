/**
 * deferred-node: the result of a function that is written with several nodes, as one node, whose operands are made when something first reads
 * them (deferred-inputs.ts).
 *
 *     resize(x[1, 8, 8, 3], [4, 4])      the first call       makes its 28 nodes, and keeps of the last one all but its operands
 *                                        later ones           add [1, 4, 4, 3] over operands that are made when something reads them
 *
 * What a function infers and checks depends on dtypes, sizes and numbers only. So a later call with the same ones passes the same checks, and
 * its last node is the same but for its operands.
 */
import type { DType } from "@onebuffer/base";
import { sameSizes } from "@onebuffer/storage/internal";
import { DeferredInputs } from "../tree/deferred-inputs.ts";
import { wholeCodeOf } from "../tree/node-code.ts";
import { inputsOf, sizesOf } from "../tree/node-lists.ts";
import type { ExpressionFields, ExpressionTree, StoredTree } from "../tree/op-attributes.ts";
import { treeOrder } from "../tree/tree-order.ts";

/** A node without its operands and its depth. The fast path of elementwise operations, which reads operands, must not take it for one of them. */
export interface DeferredRoot extends Omit<ExpressionFields, "inputs"> {
  /** A code of other operations (wholeCodeOf). */
  readonly code: number;
}

/** Makes a node from what it is without its operands, these, and its depth. Throws INVALID_ARGUMENT if that is more than kMaxDepth. */
export type MakeNode = (deferred: DeferredInputs, root: DeferredRoot, depth: number) => ExpressionTree;

/** What is kept of a call. */
interface KeptCall {
  readonly name: string;
  readonly numbers: readonly number[];
  readonly from: readonly { readonly dtype: DType; readonly sizes: readonly number[] }[];
  readonly root: DeferredRoot;
  /** The number of operations from the root to what it is made from, and to its own leaves; -Infinity where there is no path. */
  readonly above: readonly number[];
}

/** The calls that are kept, by the place that `placeOf` gives them: a later call may take the place of an earlier one. */
const kKept = 256;
const kept: (KeptCall | undefined)[] = [];

/**
 * Returns the result of a call of `name`, which `make` makes of `from`, and which depends on nothing else but `numbers`. `node` makes its last
 * node, whose class this file does not know: the methods of that class call it. Throws what `make` throws.
 */
export function deferredNode(
  node: MakeNode,
  name: string,
  from: readonly ExpressionTree[],
  numbers: readonly number[],
  make: () => ExpressionTree,
): ExpressionTree {
  const place = placeOf(name, from, numbers);
  const known = kept[place];
  if (known !== undefined && isOf(known, name, from, numbers)) {
    const { root, above } = known;
    let depth = above[from.length]!;
    for (let k = 0; k < from.length; k++) depth = Math.max(depth, from[k]!.depth + above[k]!);
    return node(new DeferredInputs(name, from, numbers, make), root, depth);
  }
  const made = make();
  // An operand that is used twice hides one of its paths, and a call may return an operand.
  if (from.includes(made) || new Set(from).size < from.length) return made;
  const { op, dtype } = made;
  const root = { op, dtype, attributes: (made as StoredTree).rawAttributes!, dimensions: sizesOf(made), code: wholeCodeOf(op, dtype) };
  const parts = from.map((each) => ({ dtype: each.dtype, sizes: sizesOf(each).slice() }));
  kept[place] = { name, numbers, from: parts, root, above: pathsTo(made, from) };
  return node(new DeferredInputs(name, from, numbers, () => made), root, made.depth);
}

function placeOf(name: string, from: readonly ExpressionTree[], numbers: readonly number[]): number {
  let mixed = name.length;
  for (let k = 0; k < numbers.length; k++) mixed = (Math.imul(mixed, 31) + numbers[k]!) | 0;
  for (let k = 0; k < from.length; k++) {
    const sizes = sizesOf(from[k]!);
    for (let d = 0; d < sizes.length; d++) mixed = (Math.imul(mixed, 31) + sizes[d]!) | 0;
  }
  return (mixed ^ (mixed >>> 6)) & (kKept - 1);
}

function isOf(known: KeptCall, name: string, from: readonly ExpressionTree[], numbers: readonly number[]): boolean {
  if (known.name !== name || known.from.length !== from.length || !sameSizes(known.numbers, numbers)) return false;
  for (let k = 0; k < from.length; k++) {
    const { dtype, sizes } = known.from[k]!;
    if (from[k]!.dtype !== dtype || !sameSizes(sizesOf(from[k]!), sizes)) return false;
  }
  return true;
}

/** Returns the lengths of the longest paths from a root to each of `ends`, and to other leaves. */
function pathsTo(root: ExpressionTree, ends: readonly ExpressionTree[]): readonly number[] {
  const paths = new Map<ExpressionTree, readonly number[]>();
  for (const node of treeOrder([root], new Set(ends))) {
    const end = ends.indexOf(node);
    const own = ends.map((_, k) => (k === end ? 0 : Number.NEGATIVE_INFINITY));
    const inputs = end < 0 ? inputsOf(node) : [];
    own.push(end < 0 && inputs.length === 0 ? 0 : Number.NEGATIVE_INFINITY);
    for (const input of inputs) paths.get(input)!.forEach((length, k) => (own[k] = Math.max(own[k]!, length + 1)));
    paths.set(node, own);
  }
  return paths.get(root)!;
}
