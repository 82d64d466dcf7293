// Random trees whose gradients can be compared: those of the generator of packages/eigen, over float64 and complex128, with moderate elements
// that are apart, so that few trees are at a kink or overflow.
import type { RawDType } from "@onebuffer/base";
import { Dice } from "@onebuffer/eigen/test/kernel/kernel-subjects";
import type { Built } from "@onebuffer/eigen/test/random-trees/build-tree";
import { applied, builtLeaf } from "@onebuffer/eigen/test/random-trees/build-tree";
import { growBinary, growCast, growSelect, growUnary } from "@onebuffer/eigen/test/random-trees/grow-elementwise";
import { growMovement } from "@onebuffer/eigen/test/random-trees/grow-movement";
import { scattered } from "@onebuffer/eigen/test/random-trees/grow-tree";
import {
  growComposite,
  growContraction,
  growOrdering,
  growProduct,
  growReduction,
  growScan,
} from "@onebuffer/eigen/test/random-trees/grow-whole";
import { Growth } from "@onebuffer/eigen/test/random-trees/growth";
import type { LeafSpec, NodeSpec, TreeSpec } from "@onebuffer/eigen/test/random-trees/tree-spec";
import { pruned } from "@onebuffer/eigen/test/random-trees/tree-spec";
import { growPatches } from "./grow-patches.ts";

type Step = (g: Growth) => number | null;

const steps: readonly Step[] = (
  [
    [5, growUnary],
    [6, growBinary],
    [6, growMovement],
    [3, growReduction],
    [2, growComposite],
    [1, growCast],
    [1, growSelect],
    [2, growScan],
    [1, growOrdering],
    [1, growProduct],
    [1, growContraction],
    [1, growPatches],
  ] as const
).flatMap(([times, step]) => Array<Step>(times).fill(step));

/** Returns true for floats and complex numbers whose differences are exact enough. */
export const isPrecise = (dtype: RawDType): boolean => dtype === "float64" || dtype === "complex128";

const isNarrow = (dtype: unknown): boolean => /float|complex/.test(String(dtype)) && !isPrecise(dtype as RawDType);

/** A growth without rare elements and without floats of fewer bits. */
class SmoothGrowth extends Growth {
  override leaf(dtype: RawDType, dims: readonly number[]): number {
    return super.leaf(dtype, dims, "ordinary");
  }

  override apply(op: string, inputs: readonly number[], args: readonly unknown[] = []): number | null {
    if ((op === "cast" || op === "saturateCast") && isNarrow(args[0])) return null;
    if (op === "oneHot" && isNarrow(args[1])) return null;
    return super.apply(op, inputs, args);
  }
}

const kSizes = [1, 2, 3, 4, 5, 7, 8, 9];

function someDims(dice: Dice): number[] {
  const rank = dice.pick([0, 1, 1, 2, 2, 2, 3]);
  return Array.from({ length: rank }, () => (dice.below(60) === 0 ? 0 : dice.pick(rank === 3 ? kSizes.slice(0, 4) : kSizes)));
}

/** Moves the elements of a leaf into a range from -2 to 2, apart from one another. */
function spread({ dtype, data }: LeafSpec, dice: Dice): void {
  if (!isPrecise(dtype)) return;
  for (let i = 0; i < data.length; i++) data[i] = (Number(data[i]) % 1.8) + 0.2 * (dice.unit() - 0.5);
}

/** Makes the tree with an index, for a seed; that of the next seed if no root has float64 or complex128. */
export function growGradientTree(seed: number, index: number): TreeSpec {
  const dice = new Dice(scattered(seed, index));
  const g = new SmoothGrowth(dice, 120);
  const dtype = dice.below(8) === 0 ? "complex128" : "float64";
  const dims = someDims(dice);
  g.leaf(dtype, dims);
  if (dice.below(2) === 0) g.leaf(dtype, dims);
  const wanted = g.nodes.length + 1 + dice.below(dice.pick([2, 5, 8]));
  for (let tries = 0; tries < 4 * wanted && (g.nodes.length < wanted || g.nodes[g.last]?.kind === "leaf"); tries++) dice.pick(steps)(g);
  const root = g.nodes.findLastIndex((node, i) => node.kind === "operation" && isPrecise(g.dtype(i)));
  if (root < 0) return growGradientTree(seed + 1, index);
  for (const node of g.nodes) if (node.kind === "leaf") spread(node, dice);
  return pruned({ nodes: g.nodes.slice(0, root + 1), target: { leaf: null, dims: g.dims(root), views: [] } });
}

/** A tree whose leaves can be written: the memory of each precise leaf, and the root. */
export interface GradientTree {
  readonly variables: readonly Built[];
  readonly root: Built;
}

/** Builds a tree. Throws what the operations throw for operands that do not fit together. */
export function buildGradientTree({ nodes }: TreeSpec): GradientTree {
  const operands: Built[] = [];
  const variables: Built[] = [];
  for (const node of nodes as readonly NodeSpec[]) {
    if (node.kind === "operation") {
      operands.push(
        applied(
          node,
          node.inputs.map((input) => operands[input]),
        ),
      );
      continue;
    }
    const { whole, operand } = builtLeaf(node);
    operands.push(operand);
    if (isPrecise(node.dtype)) variables.push(whole);
  }
  return { variables, root: operands.at(-1) };
}
