// Shrinks a failing tree: applies every simplification that leaves it failing, until there is none left.
import type { TypedArray } from "@onebuffer/base";
import { arraySlots } from "@onebuffer/base";
import { product } from "../row-major.ts";
import type { LeafSpec, NodeSpec, OperationSpec, TreeSpec } from "./tree-spec.ts";
import { inputsOf, pruned } from "./tree-spec.ts";

/** Returns true if a tree fails. Returns false for a tree that cannot be built. */
export type Fails = (tree: TreeSpec) => boolean;

const withNode = (tree: TreeSpec, i: number, node: NodeSpec): TreeSpec => ({ ...tree, nodes: tree.nodes.with(i, node) });

/** Returns the tree with a new target of the given sizes, which must be those of the root, at the place of the target that it has. */
const intoFresh = (tree: TreeSpec, dims: readonly number[]): TreeSpec =>
  pruned({ ...tree, target: { leaf: null, dims, views: [], place: tree.target.place ?? "arena" } });

/** Trees with a simpler target: new, dense and in the linear memory. */
function* targets(tree: TreeSpec, dimsOf: (tree: TreeSpec, node: number) => readonly number[] | null): Generator<TreeSpec> {
  const dims = dimsOf(tree, tree.nodes.length - 1);
  const { leaf, views, dims: given, place = "arena" } = tree.target;
  if (dims !== null && (leaf !== null || views.length > 0 || given.length !== dims.length)) yield intoFresh(tree, dims);
  if (place !== "arena") yield { ...tree, target: { ...tree.target, place: "arena" } };
}

/** Trees that end at an earlier node. */
function* ends(tree: TreeSpec, dimsOf: (tree: TreeSpec, node: number) => readonly number[] | null): Generator<TreeSpec> {
  for (let i = 0; i < tree.nodes.length - 1; i++) {
    if (tree.nodes[i]?.kind === "leaf") continue;
    const dims = dimsOf(tree, i);
    if (dims !== null) yield intoFresh({ ...tree, nodes: tree.nodes.slice(0, i + 1) }, dims);
  }
}

/** Trees in which one operation is replaced by one of its operands. */
function* bypasses(tree: TreeSpec): Generator<TreeSpec> {
  for (let i = tree.nodes.length - 1; i >= 0; i--) {
    for (const by of new Set(inputsOf(tree.nodes[i] as NodeSpec))) {
      const instead = (input: number): number => (input === i ? by : input);
      if (i === tree.nodes.length - 1) continue;
      const nodes = tree.nodes.map((node) => (node.kind === "leaf" ? node : { ...node, inputs: node.inputs.map(instead) }));
      yield pruned({ ...tree, nodes });
    }
  }
}

/** Trees in which one node is replaced by a dense leaf in the linear memory with the same elements. */
function* plainLeaves(tree: TreeSpec, seen: (tree: TreeSpec, node: number) => LeafSpec | null): Generator<TreeSpec> {
  for (let i = 0; i < tree.nodes.length; i++) {
    const node = tree.nodes[i] as NodeSpec;
    if (node.kind === "leaf" && node.views.length === 0 && node.place === "arena") continue;
    if (node.kind === "leaf" && tree.target.leaf === i) yield withNode(tree, i, { ...node, place: "arena" });
    else {
      const leaf = i === tree.nodes.length - 1 ? null : seen(tree, i);
      if (leaf !== null) yield pruned(withNode(tree, i, leaf));
    }
  }
}

/** Trees in which one size is replaced by a smaller one everywhere: in leaves, arguments and the target. */
function* smallerSizes(tree: TreeSpec): Generator<TreeSpec> {
  const sizes = new Set(tree.nodes.flatMap((node) => (node.kind === "leaf" ? node.dims : [])));
  for (const size of [...sizes].sort((a, b) => b - a)) {
    for (const smaller of [1, 2, 3, 4, 8, size >> 1, size - 1]) {
      if (smaller >= size || smaller < 1) continue;
      const change = (value: unknown): unknown => (value === size ? smaller : Array.isArray(value) ? value.map(change) : value);
      const nodes = tree.nodes.map((node): NodeSpec => {
        if (node.kind === "operation") return { ...node, args: node.args.map(change) };
        const dims = node.dims.map(change) as number[];
        const data = node.data.slice(0, product(dims) * arraySlots(node.dtype)) as TypedArray;
        return { ...node, dims, data, views: node.views.map(([method, ...args]) => [method, ...args.map(change)] as const) };
      });
      const { target } = tree;
      yield {
        nodes,
        target: {
          ...target,
          dims: target.dims.map(change) as number[],
          views: target.views.map(([method, ...args]) => [method, ...args.map(change)] as const),
        },
      };
    }
  }
}

/** Trees in which a run of a leaf's elements is replaced by 0; longer runs first. */
function* zeros(tree: TreeSpec): Generator<TreeSpec> {
  for (let i = 0; i < tree.nodes.length; i++) {
    const node = tree.nodes[i] as NodeSpec;
    if (node.kind !== "leaf") continue;
    for (let run = node.data.length; run >= 1; run = Math.floor(run / 2)) {
      for (let from = 0; from < node.data.length; from += run) {
        const part = node.data.subarray(from, from + run);
        if (part.every((x: number | bigint) => Object.is(x, 0) || x === 0n)) continue;
        const data = node.data.slice() as TypedArray;
        const length = Math.min(run, data.length - from);
        data.set(new (data.constructor as Float64ArrayConstructor)(length) as never, from);
        yield withNode(tree, i, { ...node, data });
      }
    }
  }
}

/** Queries about a tree during shrinking: the sizes of a node, and a leaf with the elements of a node. Null if there is no answer. */
export interface TreeQueries {
  dimsOf(tree: TreeSpec, node: number): readonly number[] | null;
  leafOf(tree: TreeSpec, node: number): LeafSpec | null;
}

/** Trees in which one operation lacks its last argument. */
function* fewerArguments(tree: TreeSpec): Generator<TreeSpec> {
  for (let i = 0; i < tree.nodes.length; i++) {
    const node = tree.nodes[i] as NodeSpec;
    if (node.kind === "operation" && node.args.length > 0 && node.inputs.length > 0)
      yield withNode(tree, i, { ...node, args: node.args.slice(0, -1) } satisfies OperationSpec);
  }
}

/** Returns a smaller tree that still fails: the smallest found with at most `tries` calls of `fails`. */
export function shrinkTree(tree: TreeSpec, fails: Fails, queries: TreeQueries, tries: number = 1500): TreeSpec {
  let left = tries;
  const passes: readonly ((tree: TreeSpec) => Generator<TreeSpec>)[] = [
    (each) => ends(each, queries.dimsOf),
    (each) => plainLeaves(each, queries.leafOf),
    bypasses,
    (each) => targets(each, queries.dimsOf),
    smallerSizes,
    fewerArguments,
    zeros,
  ];
  let smaller = true;
  while (smaller) {
    smaller = false;
    for (const pass of passes) {
      for (let again = true; again; ) {
        again = false;
        for (const candidate of pass(tree)) {
          if (left-- <= 0) return tree;
          if (!fails(candidate)) continue;
          tree = candidate;
          smaller = again = true;
          break;
        }
      }
    }
  }
  return tree;
}
