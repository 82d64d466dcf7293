// A tree while it grows: its nodes so far, what is known of them, and operands for the next one. Operations are applied as they are
// added, so dtypes and sizes are what the library infers.
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
 * The most ways from the root of a tree to its leaves. Kernels compute a shared node once whatever the number of ways; the bound keeps
 * rounding errors, which add up over every way, small enough to be compared.
 */
export const kMostWays = 1000;

/** Whether the op table has an operation for a dtype. */
export const accepts = (op: OpName, dtype: RawDType): boolean => opTable[op].dtypes.includes(dtype);

/** Whether elements have fractions and compute. */
export const isFloatDType = (dtype: RawDType): boolean => /^b?float(16|32|64)$/.test(dtype);

/** Whether elements are integers that compute. */
export const isIntegerDType = (dtype: RawDType): boolean => /^u?int(8|16|32|64)$/.test(dtype);

/** The sizes that two operands have together, null if they do not fit. */
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

/** The tree so far. */
export class Growth {
  readonly dice: Dice;
  readonly nodes: NodeSpec[] = [];
  readonly #built: Built[] = [];
  readonly #ways = new Map<ExpressionTree, number>();
  /** The most elements a node may have. */
  readonly #most: number;

  constructor(dice: Dice, most: number) {
    this.dice = dice;
    this.#most = most;
  }

  /** The number of the latest node. */
  get last(): number {
    return this.nodes.length - 1;
  }

  dtype(node: number): RawDType {
    return this.#built[node].dtype;
  }

  dims(node: number): readonly number[] {
    return this.#built[node].dimensions;
  }

  /** A new leaf. */
  leaf(dtype: RawDType, dims: readonly number[], sprinkling?: Sprinkling): number {
    const leaf = randomLeaf(dtype, dims, this.dice, sprinkling);
    return this.#push(leaf, builtLeaf(leaf).operand);
  }

  /** A new operation; null where its result or the number of ways would be too large. */
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

  /** A node that `fits`, the latest one in half of all cases; null if there is none. */
  pick(fits: (node: number) => boolean = () => true): number | null {
    const list = this.nodes.map((_, i) => i).filter(fits);
    if (list.length === 0) return null;
    return this.dice.below(2) === 0 ? (list.at(-1) as number) : this.dice.pick(list);
  }

  /** Whether two sizes go together into something that is not too large. */
  goTogether(a: readonly number[], b: readonly number[]): boolean {
    const sizes = broadcastSizes(a, b);
    return sizes !== null && product(sizes) <= this.#most;
  }
}
