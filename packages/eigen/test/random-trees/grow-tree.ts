// Makes random trees: turns a seed and an index into a specification. Dtypes, operations and operands are drawn from the op table. Most
// nodes of a tree have related sizes, so that they fit together and are used several times.
import type { RawDType } from "@onebuffer/base";
import { opTable } from "@onebuffer/eigen";
import { Dice } from "../kernel/kernel-subjects.ts";
import { growBinary, growCast, growSelect, growUnary } from "./grow-elementwise.ts";
import { growMovement } from "./grow-movement.ts";
import { growComposite, growContraction, growOrdering, growProduct, growReduction, growScan } from "./grow-whole.ts";
import { growWindows } from "./grow-windows.ts";
import { generated } from "./grow-partner.ts";
import type { Sprinkling } from "./random-elements.ts";
import { Growth, accepts } from "./growth.ts";
import { randomPlace, randomTargetLayout } from "./random-leaf.ts";
import type { Call, NodeSpec, TargetSpec, TreeSpec } from "./tree-spec.ts";
import { product } from "../row-major.ts";
import { pruned } from "./tree-spec.ts";

/** Adds an operation to a tree and returns its number; null if it could not. */
type Step = (g: Growth) => number | null;

/** Returns a list that contains each step the given number of times. */
const steps = (...list: readonly (readonly [times: number, step: Step])[]): readonly Step[] =>
  list.flatMap(([times, step]) => Array<Step>(times).fill(step));

/** The kind of a tree: the operations to draw from, how many, and the elements of its leaves. */
interface TreeKind {
  readonly steps: readonly Step[];
  /** The most operations in addition to the first. */
  readonly operations: number;
  readonly sprinkling?: Sprinkling;
}

const mixed: readonly Step[] = steps(
  ...([
    [5, growUnary],
    [6, growBinary],
    [5, growMovement],
    [3, growReduction],
    [2, growCast],
    [2, growComposite],
  ] as const),
  ...([
    [1, growSelect],
    [1, growScan],
    [1, growOrdering],
    [1, growProduct],
    [1, growContraction],
    [1, growWindows],
  ] as const),
);
/** One or two functions over ordinary elements with rare values among them. */
const functions: TreeKind = {
  steps: steps([5, growUnary], [2, growBinary], [1, growComposite], [1, growCast]),
  operations: 2,
  sprinkling: "sprinkled",
};
/** Operations for which equal elements make a difference. */
const ties: TreeKind = {
  steps: steps([4, growReduction], [1, growOrdering], [1, growScan], [2, growMovement], [1, growBinary]),
  operations: 2,
  sprinkling: "few",
};

/** Operations for dtypes that can only be moved and cast. */
const moves: TreeKind = { steps: steps([6, growMovement], [1, growSelect], [1, growCast], [1, growBinary]), operations: 4 };

function randomKind(dtype: RawDType, dice: Dice): TreeKind {
  if (!accepts("any", dtype) && !accepts("add", dtype)) return moves;
  const roll = dice.below(20);
  if (roll < 6) return functions;
  return roll < 8 ? ties : { steps: mixed, operations: dice.pick([4, 8, 12]) };
}

/** The dtypes of a tree's first leaf; those with most kernels of their own occur more often. */
const beginnings: readonly RawDType[] = [
  ...(["float32", "float32", "float32", "float32", "float32", "float64", "float64", "float64"] as const),
  ...(["float16", "float16", "bfloat16", "bfloat16", "int32", "int64", "bool", "complex64", "complex128"] as const),
  ...(opTable.bitwiseAnd.dtypes as readonly RawDType[]),
];

/** Sizes around the number of lanes, their remainders and the blocks of loops. */
const sizes = [1, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 100, 127, 128, 129, 257, 1000, 4097];

function someDims(dice: Dice, most: number): number[] {
  const rank = dice.pick([0, 1, 1, 1, 2, 2, 2, 3, 3, 4]);
  const dims: number[] = [];
  for (let d = 0; d < rank; d++) {
    const left = most / product(dims);
    const fitting = sizes.filter((size) => size <= left);
    dims.push(dice.below(40) === 0 ? 0 : dice.pick(fitting.length === 0 ? [1] : fitting));
    if (dims.includes(0)) return [...dims, ...Array<number>(rank - d - 1).fill(1 + dice.below(3))];
  }
  return dims;
}

/** Returns a well-mixed seed for each pair of seed and index. */
export function scattered(seed: number, index: number): number {
  let x = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  x ^= x >>> 16;
  return (Math.imul(x, 2) + 1) | 0;
}

const sameSizes = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((size, d) => size === b[d]);

/** Returns a target in the memory of a leaf: the operand itself, the whole memory, also reversed or transposed, or a part of it. */
function sharedTarget(g: Growth, root: number): TargetSpec | null {
  const { dice } = g;
  const dims = g.dims(root);
  const choices: TargetSpec[] = [];
  g.nodes.forEach((node: NodeSpec, i) => {
    if (i > root || node.kind !== "leaf" || node.dtype !== g.dtype(root)) return;
    const add = (...views: Call[]): void => void choices.push({ leaf: i, dims: node.dims, views });
    if (sameSizes(g.dims(i), dims) && !node.views.some(([method]) => method === "broadcast")) add(...node.views);
    if (node.dims.length !== dims.length || dims.length === 0) return;
    if (sameSizes(node.dims, dims)) {
      add();
      add(["strided"], ["reverse"]);
      if (dims.every((size) => size === dims[0])) add(["strided"], ["transpose"]);
    } else if (node.dims.every((size, d) => size >= (dims[d] as number))) {
      const starts = node.dims.map((size, d) => dice.below(size - (dims[d] as number) + 1));
      add(["strided"], ["slice", ...starts.map((start, d) => [start, start + (dims[d] as number)])]);
    }
  });
  return choices.length === 0 ? null : dice.pick(choices);
}

/** Returns a random target for a root: new memory, or that of a leaf. */
export function targetOf(g: Growth, root: number): TargetSpec {
  const { dice } = g;
  const shared = dice.below(3) === 0 ? sharedTarget(g, root) : null;
  if (shared !== null) return shared;
  const dims = g.dims(root);
  const wider = dice.below(12) === 0 && dims.length < 4 && product(dims) < 1000 ? [2, ...dims] : dims;
  return { leaf: null, ...randomTargetLayout(wider, dice), place: randomPlace(dice, 4) };
}

function someDType(dice: Dice): RawDType {
  return dice.below(10) === 0 ? dice.pick(opTable.slice.dtypes as readonly RawDType[]) : dice.pick(beginnings);
}

/** Added to the index when a tree has no operation and another one is made instead; larger than the indices of any run. */
const kOtherTree = 2 ** 30;

/** Makes the tree with an index, for a seed. */
export function growTree(seed: number, index: number): TreeSpec {
  const dice = new Dice(scattered(seed, index));
  const dtype = someDType(dice);
  const kind = randomKind(dtype, dice);
  const most = dice.pick([60, 300, 300, 300, 1500, 1500, 6000].slice(0, dice.below(4) === 0 ? 7 : 4));
  const g = new Growth(dice, most);
  const dims = someDims(dice, most);
  if (kind.sprinkling === undefined && dice.below(10) === 0) generated(g, dtype, dims);
  else g.leaf(dtype, dims, kind.sprinkling);
  if (g.nodes.length === 0 || dice.below(2) === 0) g.leaf(dtype, dims);
  const wanted = g.nodes.length + 1 + dice.below(kind.operations);
  for (let tries = 0; tries < 4 * wanted && (g.nodes.length < wanted || g.nodes[g.last]?.kind === "leaf"); tries++)
    dice.pick(kind.steps)(g);
  // A step that failed may have left leaves at the end.
  const root = g.nodes.findLastIndex(({ kind }) => kind === "operation");
  if (root < 0) return growTree(seed, index + kOtherTree);
  return pruned({ nodes: g.nodes.slice(0, root + 1), target: targetOf(g, root) });
}
