// Growth: a random expression tree under construction. It records the nodes with their dtypes and sizes, and picks operands for the next
// node. Each operation is applied as soon as it is added, so the library infers its dtype and sizes.
import type { RawDType } from "@onebuffer/base";
import type { ExpressionTree, OpName } from "@onebuffer/eigen";
import { opTable } from "@onebuffer/eigen";
import type { Dice } from "../kernel/kernel-subjects.ts";
import type { Built } from "./build-tree.ts";
import { applied, builtLeaf } from "./build-tree.ts";
import type { Sprinkling } from "./random-elements.ts";
import { randomLeaf } from "./random-leaf.ts";
import type { NodeSpec } from "./tree-spec.ts";
import { product } from "../row-major.ts";

/**
 * The maximum number of paths from the root of a tree to its leaves. A shared node is computed once, but its rounding error reaches the
 * root along every path. This bound keeps the sum of the errors small enough to compare results.
 */
export const kMostWays = 1000;

/** Returns true if the op table lists `dtype` for an operation. */
export const accepts = (op: OpName, dtype: RawDType): boolean => opTable[op].dtypes.includes(dtype);

/** Returns true for the float dtypes that have arithmetic: float16, float32, float64 and bfloat16. */
export const isFloatDType = (dtype: RawDType): boolean => /^b?float(16|32|64)$/.test(dtype);

/** Returns true for the integer dtypes that have arithmetic: int8 to int64 and uint8 to uint64. */
export const isIntegerDType = (dtype: RawDType): boolean => /^u?int(8|16|32|64)$/.test(dtype);

/** Returns the sizes to which operands of sizes `a` and `b` are broadcast, or null if they are incompatible. */
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

/** A tree under construction. Nodes are numbered from 0 in the order in which they are added. */
export class Growth {
  readonly dice: Dice;
  readonly nodes: NodeSpec[] = [];
  readonly #built: Built[] = [];
  /** The number of paths from each node to its leaves. */
  readonly #ways = new Map<ExpressionTree, number>();
  /** The maximum number of elements of a node. */
  readonly #most: number;
  /** Draws the elements, layouts and places of leaves. */
  readonly #leaves: Dice;

  constructor(dice: Dice, most: number, leaves: Dice = dice) {
    this.dice = dice;
    this.#most = most;
    this.#leaves = leaves;
  }

  /** The number of the node that was added last. */
  get last(): number {
    return this.nodes.length - 1;
  }

  /** Returns the dtype of a node. */
  dtype(node: number): RawDType {
    return this.#built[node].dtype;
  }

  /** Returns the sizes of a node. */
  dims(node: number): readonly number[] {
    return this.#built[node].dimensions;
  }

  /** Adds a leaf and returns its number. */
  leaf(dtype: RawDType, dims: readonly number[], sprinkling?: Sprinkling): number {
    const leaf = randomLeaf(dtype, dims, this.#leaves, sprinkling);
    return this.#push(leaf, builtLeaf(leaf).operand);
  }

  /** Adds an operation and returns its number. Adds nothing and returns null if it would have too many elements or paths. */
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

  /** Returns the number of paths from a node to its leaves. */
  #waysOf(tree: ExpressionTree): number {
    const known = this.#ways.get(tree);
    if (known !== undefined) return known;
    const sum = tree.inputs.reduce((ways, input) => ways + this.#waysOf(input), 0);
    const ways = Math.max(sum, 1);
    this.#ways.set(tree, ways);
    return ways;
  }

  /** Returns a random node for which `fits` is true: in at least half of all calls the last such node. Returns null if there is none. */
  pick(fits: (node: number) => boolean = () => true): number | null {
    const list = this.nodes.map((_, i) => i).filter(fits);
    if (list.length === 0) return null;
    return this.dice.below(2) === 0 ? (list.at(-1) as number) : this.dice.pick(list);
  }

  /** Returns true if operands of sizes `a` and `b` can be broadcast and the result does not have too many elements. */
  goTogether(a: readonly number[], b: readonly number[]): boolean {
    const sizes = broadcastSizes(a, b);
    return sizes !== null && product(sizes) <= this.#most;
  }
}
