// Makes random products: turns a seed and an index into the specification of a tree (random-trees/tree-spec.ts) whose root is a product of
// matrices, a contraction or an einsum, or an operation on one. Two adjacent indices have the same structure and sizes, but other elements,
// layouts and strides of the leaves: the second runs what was kept for the first where that suits.
import type { RawDType } from "@onebuffer/base";
import { opTable } from "@onebuffer/eigen";
import { Dice } from "../kernel/kernel-subjects.ts";
import { Growth } from "../random-trees/growth.ts";
import { scattered, targetOf } from "../random-trees/grow-tree.ts";
import type { TreeSpec } from "../random-trees/tree-spec.ts";
import { pruned } from "../random-trees/tree-spec.ts";
import { product } from "../row-major.ts";
import { growOperand } from "./grow-operand.ts";
import { bothSides, kThresholds } from "./product-thresholds.ts";

/** The most operations above a leaf of an operand. */
const kMostSteps = 4;
/** Ordinary sizes, for which many divisors make many forms. */
const kSizes = [1, 2, 3, 4, 5, 6, 7, 8, 8, 9, 12, 12, 15, 16, 16, 17, 18, 24, 31, 32, 33, 48, 64, 65];
/** Sizes of an axis of the batch. */
const kBatch = [1, 2, 3, 4, 6, 6, 8, 12];
/** The most multiplications of a product, by how often: the evaluator takes some 20 ns for each. */
const kWork = [1000, 3000, 3000, 6000, 6000, 20_000];
const kRareWork = [100_000, 100_000, 600_000];

interface Sizes {
  readonly batch: readonly number[];
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

/** Draws sizes of a product with at most so many multiplications; each at random, or beside a number at which the way changes. */
function someSizes(dice: Dice): Sizes {
  const most = dice.below(40) === 0 ? dice.pick(kRareWork) : dice.pick(kWork);
  let left = most;
  const draw = (thresholds: readonly number[], list: readonly number[]): number => {
    const wanted = [...list, ...(dice.below(3) === 0 ? bothSides(thresholds) : [])].filter((size) => size <= left);
    const size = wanted.length === 0 ? 1 : dice.pick(dice.below(3) === 0 ? wanted.slice(-6) : wanted);
    left = Math.floor(left / size);
    return size;
  };
  const sizes = { rows: 1, inner: 1, columns: 1 };
  if (dice.below(8) === 0) {
    // A product beside the least number of multiplications for blocks.
    const work = dice.pick(bothSides(kThresholds.work));
    const [rows, columns] = [4 + dice.below(8), 4 + dice.below(8)];
    Object.assign(sizes, { rows, columns, inner: Math.max(1, Math.round(work / (rows * columns))) });
    left = Math.floor(left / (rows * columns * sizes.inner));
  } else
    for (const name of dice.pick([["rows", "inner", "columns"], ["inner", "columns", "rows"], ["columns", "rows", "inner"]] as const)) // biome-ignore format: one line
      sizes[name] = draw(kThresholds[name], kSizes);
  return { ...sizes, batch: Array.from({ length: dice.pick([0, 1, 1, 1, 2, 2, 3]) }, () => draw([], kBatch)) };
}

/** Returns the sizes of the batch of one operand: some axes of size 1, or without leading ones. */
function ownBatch(dice: Dice, batch: readonly number[]): readonly number[] {
  if (dice.below(3) > 0) return batch;
  const narrow = batch.map((size) => (dice.below(2) === 0 ? 1 : size));
  return dice.below(2) === 0 ? narrow : narrow.slice(dice.below(narrow.length + 1));
}

/** The dtypes that are multiplied; those with kernels of their own are more frequent. */
const kDTypes = [
  ...(["float32", "float32", "float32", "float64", "int8", "uint8"] as const),
  ...(opTable.matMul.dtypes as readonly RawDType[]),
];

/** Adds a product of matrices. */
function growMatMul(g: Growth, dtype: RawDType, { batch, rows, inner, columns }: Sizes): number | null {
  const { dice } = g;
  const [transposeA, transposeB] = [dice.below(3) === 0, dice.below(3) === 0];
  const a = growOperand(g, dtype, [...ownBatch(dice, batch), ...(transposeA ? [inner, rows] : [rows, inner])], dice.below(kMostSteps + 1));
  if (a === null) return null;
  const b = growOperand(g, dtype, [...ownBatch(dice, batch), ...(transposeB ? [columns, inner] : [inner, columns])], dice.below(kMostSteps + 1)); // biome-ignore format: one line
  if (b === null) return null;
  const isWidened = (dtype === "int8" || dtype === "uint8") && dice.below(2) === 0;
  return g.apply("matMul", [a, b], [{ transposeA, transposeB, ...(isWidened ? { outputType: "int32" } : {}) }]);
}

/** Splits a size into up to two axes. */
function axesOf(dice: Dice, size: number): number[] {
  const fitting = [2, 3, 4, 8].filter((n) => size % n === 0 && size > n);
  return fitting.length === 0 || dice.below(2) === 0
    ? [size]
    : [dice.pick(fitting)].flatMap((n) => (dice.below(2) === 0 ? [n, size / n] : [size / n, n]));
}

/** Adds a contraction over one or two pairs of axes, which are anywhere among the others. */
function growContract(g: Growth, dtype: RawDType, { rows, inner, columns }: Sizes): number | null {
  const { dice } = g;
  const k = axesOf(dice, inner);
  const mixed = (free: readonly number[]): { dims: number[]; at: number[] } => {
    const all = [...free.map((size) => ({ size, k: -1 })), ...k.map((size, n) => ({ size, k: n }))];
    for (let d = all.length - 1; d > 0; d--) {
      const other = dice.below(d + 1);
      [all[d], all[other]] = [all[other]!, all[d]!];
    }
    return { dims: all.map(({ size }) => size), at: k.map((_, n) => all.findIndex((each) => each.k === n)) };
  };
  const [left, right] = [mixed(axesOf(dice, rows)), mixed(axesOf(dice, columns))];
  const a = growOperand(g, dtype, left.dims, dice.below(3));
  const b = growOperand(g, dtype, right.dims, dice.below(3));
  return a === null || b === null ? null : g.apply("contract", [a, b], [k.map((_, n) => [left.at[n], right.at[n]])]);
}

/** The subscripts of einsum with labels of a batch (a, b), of rows (r, s), of k (k, l) and of columns (c, d). */
const kSubscripts = [
  ...["rk,kc->rc", "kr,kc->cr", "ark,akc->arc", "rak,ack->arc", "brak,bcak->barc", "rakb,ckba->rabc", "rkl,lkc->rc"],
  ...["abrk,bakc->barc", "rsk,kcd->rcsd", "akrl,lakc->acr", "rk,rk->r", "akr,akc->rc", "rkk,kc->rc"],
];

/** Adds an einsum of two operands. */
function growEinsum(g: Growth, dtype: RawDType, { batch, rows, inner, columns }: Sizes): number | null {
  const { dice } = g;
  const text = dice.pick(kSubscripts);
  const [r, k, c] = [axesOf(dice, rows), axesOf(dice, inner), axesOf(dice, columns)];
  const size: Readonly<Record<string, number>> = {
    ...{ a: batch[0] ?? 2, b: batch[1] ?? 3, r: text.includes("s") ? r[0]! : rows, s: r[1] ?? 1 },
    ...{ k: text.includes("l") ? k[0]! : inner, l: k[1] ?? 1, c: text.includes("d") ? c[0]! : columns, d: c[1] ?? 1 },
  };
  const dims = text.split("->")[0]!.split(",").map((labels) => [...labels].map((label) => size[label]!)); // biome-ignore format: one line
  const all = new Set(text.replace(/\W/g, ""));
  if ([...all].reduce((work, label) => work * size[label]!, 1) > 60_000) return null;
  const operands = dims.map((each) => growOperand(g, dtype, each, dice.below(3)));
  return operands.includes(null) ? null : g.apply("einsum", operands as number[], [text]);
}

/** Adds an operation on a product, or returns the product. */
function growAround(g: Growth, node: number): number | null {
  const { dice } = g;
  const [dtype, dims] = [g.dtype(node), g.dims(node)];
  switch (dice.below(12)) {
    case 0:
      return g.apply("add", [node, g.leaf(dtype, dims.slice(-1))]);
    case 1:
      return g.apply("add", [g.leaf(dtype, dims), node]);
    case 2:
      return dims.length < 2 ? node : g.apply("shuffle", [node], [[...dims.keys()].reverse()]);
    case 3:
      return g.apply("sum", [node], [[dims.length - 1], { wraps: true }]);
    case 4:
      return g.apply("mul", [node, node]);
    default:
      return node;
  }
}

/** Makes the product with an index, for a seed. */
export function growProduct(seed: number, index: number): TreeSpec {
  const dice = new Dice(scattered(seed, index >> 1));
  for (;;) {
    const g = new Growth(dice, 200_000, new Dice(scattered(seed ^ 0x5bd1e995, index)));
    const dtype = dice.pick(kDTypes);
    const sizes = someSizes(dice);
    const grow = dice.pick([growMatMul, growMatMul, growMatMul, growMatMul, growContract, growEinsum]);
    const made = grow(g, dtype, sizes);
    const root = made === null ? null : growAround(g, made);
    if (root !== null && product(g.dims(root)) > 0) return pruned({ nodes: g.nodes.slice(0, root + 1), target: targetOf(g, root) });
  }
}
