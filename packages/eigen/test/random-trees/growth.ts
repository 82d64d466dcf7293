// A tree during its construction: its nodes so far, their dtypes and sizes, and a choice of operands for the next node. Operations are
// applied when they are added, so the library infers dtypes and sizes.
import type { RawDType } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import type { Dice } from "../kernel/kernel-subjects.ts";
import type { Built } from "./build-tree.ts";
import { applied, builtLeaf } from "./build-tree.ts";
import type { Sprinkling } from "./random-elements.ts";
import { randomLeaf } from "./random-leaf.ts";
import type { NodeSpec } from "./tree-spec.ts";
import { product } from "./tree-spec.ts";

/**
 * The most paths from the root of a tree to its leaves. Kernels compute a shared node once for any number of paths. Rounding errors add up
 * along every path, so this bound keeps them small enough to be compared.
 */
export const kMostWays = 1000;

/** Returns true if the op table has an operation for a dtype. */
export const accepts = (op: OpName, dtype: RawDType): boolean => opTable[op].dtypes.includes(dtype);

/** Returns true for floats that have arithmetic. */
export const isFloatDType = (dtype: RawDType): boolean => /^b?float(16|32|64)$/.test(dtype);

/** Returns true for integers that have arithmetic. */
export const isIntegerDType = (dtype: RawDType): boolean => /^u?int(8|16|32|64)$/.test(dtype);

/** Returns the sizes to which two operands are broadcast; null if they are incompatible. */
export function broadcastSizes(a: readonly number[], b: readonly number[]): number[] | null {
  const rank = Math.max(a.length, b.length);
  const sizes: number[] = [];
  for (let d = 0; d < rank; d++) {
    const [x, y] = [a[a.length - rank + d] ?? 1, b[b.length - rank + d] ?? 1];
    if (x !== y && x !== 1 && y !== 1) return null;
    sizes.push(x === 1 ? y : x);
  }
  return sizes;
}

/** The tree so far. Nodes are numbered in the order in which they are added. */
export class Growth {
  readonly dice: Dice;
  readonly nodes: NodeSpec[] = [];
  readonly #built: Built[] = [];
  readonly #ways = new Map<ExpressionTree, number>();
  /** The most elements that a node may have. */
  readonly #most: number;

  constructor(dice: Dice, most: number) {
    this.dice = dice;
    this.#most = most;
  }

  /** The number of the last node. */
  get last(): number {
    return this.nodes.length - 1;
  }

  dtype(node: number): RawDType {
    return this.#built[node].dtype;
  }

  dims(node: number): readonly number[] {
    return this.#built[node].dimensions;
  }

  /** Adds a leaf and returns its number. */
  leaf(dtype: RawDType, dims: readonly number[], sprinkling?: Sprinkling): number {
    const leaf = randomLeaf(dtype, dims, this.dice, sprinkling);
    return this.#push(leaf, builtLeaf(leaf).operand);
  }

  /** Adds an operation and returns its number; null if its result or the number of paths would be too large. */
  apply(op: string, inputs: readonly number[], args: readonly unknown[] = []): number | null {
    const node = { kind: "operation", op, inputs, args } as const;
    const made = applied(
      node,
      inputs.map((input) => this.#built[input]),
    );
    if (product(made.dimensions) > this.#most || this.#waysOf(made) > kMostWays) return null;
    return this.#push(node, made);
  }

  #push(node: NodeSpec, made: Built): number {
    this.#built.push(made);
    return this.nodes.push(node) - 1;
  }

  #waysOf(tree: ExpressionTree): number {
    const known = this.#ways.get(tree);
    if (known !== undefined) return known;
    const sum = tree.inputs.reduce((ways, input) => ways + this.#waysOf(input), 0);
    const ways = Math.max(sum, 1);
    this.#ways.set(tree, ways);
    return ways;
  }

  /** Returns a node for which `fits` is true: in at least half of all calls the last one. Null if there is none. */
  pick(fits: (node: number) => boolean = () => true): number | null {
    const list = this.nodes.map((_, i) => i).filter(fits);
    if (list.length === 0) return null;
    return this.dice.below(2) === 0 ? (list.at(-1) as number) : this.dice.pick(list);
  }

  /** Returns true if two sizes are compatible and their broadcast is not too large. */
  goTogether(a: readonly number[], b: readonly number[]): boolean {
    const sizes = broadcastSizes(a, b);
    return sizes !== null && product(sizes) <= this.#most;
  }
}
