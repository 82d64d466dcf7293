// Compares the gradients of random trees with differences along one random direction. A tree at a kink, where differences to both sides or of
// two steps disagree, has no derivative and is skipped. So is one whose computed slope is a rounding error, and another at the next number.
// The plain evaluator computes the values: nothing is compiled for a tree that is used a few times. Kernels compute the gradients of every
// fourth tree.
import { evaluate, tensorMap } from "@onebuffer/eigen";
import { assignByReference } from "@onebuffer/eigen/internal";
import { Dice } from "@onebuffer/eigen/test/kernel/kernel-subjects";
import type { Built } from "@onebuffer/eigen/test/random-trees/build-tree";
import { scattered } from "@onebuffer/eigen/test/random-trees/grow-tree";
import { printTree } from "@onebuffer/eigen/test/random-trees/print-tree";
import { shrinkTree } from "@onebuffer/eigen/test/random-trees/shrink-tree";
import type { TreeSpec } from "@onebuffer/eigen/test/random-trees/tree-spec";
import { treeOrder } from "@onebuffer/expression/internal";
import { gradients } from "@onebuffer/gradients";
import { buildGradientTree, growGradientTree } from "./grow-gradient-tree.ts";
import type { GradientTree } from "./grow-gradient-tree.ts";

/** What a tree gave: agreement, a reason to skip it, or a difference. */
export type Verdict =
  | { readonly kind: "agrees" | "kink" | "not finite" | "refused" | "no variable" }
  | { readonly kind: "differs"; readonly detail: string };

const kSteps = [2e-4, 5e-5] as const;
const kSmallSteps = [1e-6, 1e-8, 1e-10, 1e-12];
/** Steps of some dozens to hundreds of units in the last place, along which a slope that is no rounding error does not change. */
const kTinySteps = [1, 2, 3, 4, 5, 6, 7, 8].map((k) => k * 2e-14);
const kTolerance = 1e-5;
/** The largest value of which a difference is exact enough. */
const kLargest = 1e6;

/** Computes an expression by the plain evaluator. */
function plainly(e: Built): Built {
  const target: Built = tensorMap(e.dtype, new Float64Array((e.size as number) * (e.dtype === "complex128" ? 2 : 1)), e.dimensions);
  assignByReference(target, e);
  return target;
}

/** Returns the elements as one array of numbers, real and imaginary parts alternating. */
const partsOf = (map: Built): Float64Array => Float64Array.from([...map].flat() as number[]);

/** Returns the real number whose gradients are compared: the sum of the elements of the root with weights. */
function weighted(root: Built, dice: Dice): Built {
  const count = root.size as number;
  const weights = Float64Array.from({ length: count }, () => dice.unit() + 0.25);
  const real = root.dtype === "complex128" ? root.real() : root;
  return real.mul(tensorMap("float64", weights, root.dimensions)).sum();
}

/** The values of y at steps along a direction, and the sum of the sizes of its terms. */
class Line {
  readonly #y: Built;
  readonly #variables: readonly Built[];
  readonly #starts: readonly Float64Array[];
  readonly directions: readonly Float64Array[];
  /** The largest value that was computed: differences of much larger ones are rounding errors. */
  largest = 0;

  constructor(y: Built, variables: readonly Built[], dice: Dice) {
    this.#y = y;
    this.#variables = variables;
    this.#starts = variables.map(partsOf);
    this.directions = this.#starts.map((start) => start.map(() => dice.unit() - 0.5));
  }

  at(step: number): number {
    for (const [k, variable] of this.#variables.entries()) {
      const start = this.#starts[k]!;
      const moved = start.map((x, i) => x + step * this.directions[k]![i]!);
      variable.copyFrom(variable.dtype === "complex128" ? pairs(moved) : [...moved]);
    }
    const value = plainly(this.#y).item() as number;
    this.largest = Math.max(this.largest, Math.abs(value));
    return value;
  }

  /** Returns the difference quotient of a step whose error shrinks with its fourth power, and the difference of the quotients to both sides. */
  differences(h: number): { readonly slope: number; readonly bend: number } {
    const [before2, before, here, after, after2] = [-2, -1, 0, 1, 2].map((k) => this.at(k * h)) as [number, number, number, number, number];
    this.at(0);
    return { slope: (8 * (after - before) - (after2 - before2)) / (12 * h), bend: Math.abs(after - 2 * here + before) / h };
  }
}

const pairs = (parts: Float64Array): (readonly [number, number])[] =>
  Array.from({ length: parts.length / 2 }, (_, i) => [parts[2 * i]!, parts[2 * i + 1]!]);

/** Compares one tree. */
function verdictOf(tree: TreeSpec, dice: Dice): Verdict {
  const compute: (e: Built) => Built = dice.below(4) === 0 ? evaluate : plainly;
  let built: GradientTree;
  try {
    built = buildGradientTree(tree);
    plainly(built.root);
  } catch (error) {
    if (isRefusal(error)) return { kind: "refused" };
    throw error;
  }
  const { root, variables } = built;
  if (variables.length === 0) return { kind: "no variable" };
  const y = weighted(root, dice);
  const line = new Line(y, variables, dice);
  const gs = gradients(y, variables as never, { unconnected: "zero" }) as readonly Built[];
  const slopeAt = (step: number): number => {
    line.at(step);
    return gs.reduce((sum: number, g, k) => partsOf(compute(g)).reduce((each, part, i) => each + part * line.directions[k]![i]!, sum), 0);
  };
  const slope = slopeAt(0);
  const [wide, narrow] = kSteps.map((h) => line.differences(h)) as [Differences, Differences];
  const scale = Math.max(1, Math.abs(wide.slope));
  if (!Number.isFinite(wide.slope) || !Number.isFinite(narrow.slope) || line.largest > kLargest) return { kind: "not finite" };
  const isSteady = Math.abs(wide.slope - narrow.slope) <= kTolerance * scale;
  // A bend that does not shrink with the step is a kink.
  const isSmooth = narrow.bend <= kTolerance * scale || narrow.bend <= 0.6 * wide.bend;
  if (!isSteady || !isSmooth) return { kind: "kink" };
  // 0 times the infinite slope of a root at 0, for one: the tree is smooth where the formula of its slope is not.
  if (Number.isNaN(slope)) return { kind: "not finite" };
  if (Math.abs(slope - wide.slope) <= 10 * kTolerance * scale) return { kind: "agrees" };
  // The remainder of a division by a small number has kinks so close together that both steps cross several.
  if (kSmallSteps.some((h) => Math.abs(slope - line.differences(h).slope) <= 1e-3 * Math.abs(slope))) return { kind: "kink" };
  // The slope of atanh just below 1, 4e15, times that of x / x, which is a rounding error.
  if (kTinySteps.some((step) => Math.abs(slopeAt(step) - slope) > 10 * kTolerance * scale)) return { kind: "kink" };
  return { kind: "differs", detail: `the gradients give ${slope}, differences ${wide.slope} and ${narrow.slope}` };
}

type Differences = ReturnType<Line["differences"]>;

/** A tree whose gradients differ: as a program of the smallest such tree. */
export interface GradientFailure {
  readonly index: number;
  readonly detail: string;
  readonly program: string;
}

/** The result of a run: how many trees there were of each kind, and the operations that occurred in trees that agree. */
export interface GradientReport {
  readonly failures: readonly GradientFailure[];
  readonly counts: Readonly<Record<Verdict["kind"], number>>;
  readonly seen: ReadonlySet<string>;
}

/** Returns true if a node of a tree has an element that is an error, which the root may not read and a gradient does. */
function hasErrors(tree: TreeSpec): boolean {
  return treeOrder([buildGradientTree(tree).root]).some((node) => {
    try {
      evaluate(node as never);
      return false;
    } catch (error) {
      return isRefusal(error);
    }
  });
}

const isRefusal = (error: unknown): boolean => (error as { code?: unknown }).code === "INVALID_ARGUMENT";

function safeVerdict(tree: TreeSpec, seed: number): Verdict {
  try {
    return verdictOf(tree, new Dice(seed));
  } catch (error) {
    if (isRefusal(error) && hasErrors(tree)) return { kind: "refused" };
    return {
      kind: "differs",
      detail: `throws ${String((error as Error).stack)
        .split("\n")
        .slice(0, 3)
        .join(" ")}`,
    };
  }
}

function smallest(tree: TreeSpec, seed: number): { readonly detail: string; readonly program: string } {
  const fails = (candidate: TreeSpec): boolean => safeVerdict(candidate, seed).kind === "differs";
  const dimsOf = (each: TreeSpec, node: number): readonly number[] | null => {
    try {
      return buildGradientTree({ ...each, nodes: each.nodes.slice(0, node + 1) }).root.dimensions;
    } catch {
      return null;
    }
  };
  const small = shrinkTree(tree, fails, { dimsOf, leafOf: () => null }, 300);
  const verdict = safeVerdict(small, seed);
  return { detail: verdict.kind === "differs" ? verdict.detail : "", program: printTree(small) };
}

/** Compares the trees `from` to `from + count - 1` of a seed. Calls `onFailure` for each failure as soon as it is found. */
export function checkGradientTrees(
  seed: number,
  count: number,
  onFailure?: (failure: GradientFailure) => void,
  from: number = 0,
): GradientReport {
  const failures: GradientFailure[] = [];
  const counts = { agrees: 0, kink: 0, "not finite": 0, refused: 0, "no variable": 0, differs: 0 };
  const seen = new Set<string>();
  for (let index = from; index < from + count; index++) {
    const tree = growGradientTree(seed, index);
    const verdict = safeVerdict(tree, scattered(seed, index));
    counts[verdict.kind]++;
    if (verdict.kind === "agrees") for (const { op } of treeOrder([buildGradientTree(tree).root])) seen.add(op);
    if (verdict.kind !== "differs") continue;
    const failure = { index, ...smallest(tree, scattered(seed, index)) };
    failures.push(failure);
    onFailure?.(failure);
  }
  return { failures, counts, seen };
}
