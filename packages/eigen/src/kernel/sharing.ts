/**
 * Sharing: how the nodes of one assignment are used, known before any of them is lowered (XLA's counterpart is the use counts and
 * costs that its instruction fusion asks for).
 *
 *     e2 = add(e1, reverse(e1))        uses of e1: 2
 *                                      cost of e1: operations to compute an element of it once more
 *
 * A node that is used in two ways, moved and not moved, or by two kernels, is either computed twice or stored once. Cheap ones are
 * computed twice, others become stages: otherwise each level of a chain would double the work.
 *
 * Nodes that the lowering makes itself (a matrix turned round, a broadcast that has to be stored) are kept here by what they are
 * made of, so that the same one is made once and is one stage.
 */
import type { ExpressionTree } from "../expression/op-attributes.ts";
import { noAttributes } from "../expression/op-attributes.ts";
import { opTable } from "../expression/op-table.ts";
import { treeOrder } from "../expression/tree-order.ts";
import { supportedByKernels } from "./kernel-support.ts";
import { isStrideMove, MovesTable, reducedAxes } from "./lowering-moves.ts";
import { turned } from "./lowering-product.ts";
import { isMathOp } from "./row-passes.ts";

/** Operations per element up to which a node is computed again rather than stored. */
export const kCheap = 8;
/** An elementary function counts as so many operations. */
const kMathCost = 4;

/** Nodes that are looked at to find out whether a tree is used by itself only. */
const kGlance = 64;

/** What is known of a node. */
interface NodeFacts {
  /** Operands of other nodes, or results, that this node is. */
  uses: number;
  /** Operations per element if it is computed once more, down to memory and to nodes that are stored; infinite if it is stored itself. */
  cost: number;
  /** The first reduction behind elementwise operations and movements; null if there is none. */
  reduction: ExpressionTree | null;
}

/** Whether elements of the result depend on elements of the operands at the same index, and a kernel can compute them. */
export function isElementwise(node: ExpressionTree): boolean {
  const { class: opClass } = opTable[node.op];
  return (opClass === "unary" || opClass === "binary" || opClass === "ternary") && supportedByKernels(node);
}

/** Whether a kernel can compute a node as a reduction of one axis or more. */
export function isReduction(node: ExpressionTree): boolean {
  return opTable[node.op].class === "reduction" && supportedByKernels(node) && reducedAxes(node).length > 0;
}

/** How the nodes of an assignment are used. */
export class Sharing {
  /** Whether a leaf is where kernels cannot reach it. */
  readonly isAway: (leaf: ExpressionTree) => boolean;
  /** The moves that lie between nodes and the spaces of kernels. */
  readonly moves: MovesTable = new MovesTable();
  readonly #facts: Map<ExpressionTree, NodeFacts> = new Map();
  readonly #moved: Map<ExpressionTree, Map<string, ExpressionTree>> = new Map();
  readonly #turned: Map<ExpressionTree, ExpressionTree> = new Map();

  constructor(roots: readonly ExpressionTree[], isAway: (leaf: ExpressionTree) => boolean) {
    this.isAway = isAway;
    const order = treeOrder(roots);
    for (const node of order) {
      this.#facts.set(node, { uses: 0, cost: 0, reduction: null });
      for (const input of node.inputs) this.#facts.get(input)!.uses++;
    }
    for (const root of roots) this.#facts.get(root)!.uses++;
    for (const node of order) this.#learn(node);
  }

  /** How often a node is an operand or a result. */
  usesOf(node: ExpressionTree): number {
    return this.#of(node).uses;
  }

  /** Whether computing a node again is better than storing it. */
  isCheap(node: ExpressionTree): boolean {
    return this.#of(node).cost <= kCheap;
  }

  /** Whether nothing below a tree but its leaves is used anywhere else, or twice, as far as can be seen at a glance. */
  isPrivate(tree: ExpressionTree): boolean {
    const nodes = [tree];
    for (let i = 0; i < nodes.length; i++) {
      for (const input of nodes[i]!.inputs) {
        if (input.inputs.length === 0) continue;
        if (this.usesOf(input) > 1 || nodes.length === kGlance) return false;
        nodes.push(input);
      }
    }
    return true;
  }

  /** The first reduction of a tree that a kernel could compute together with what is made of its result. */
  reductionOf(node: ExpressionTree): ExpressionTree | null {
    return this.#of(node).reduction;
  }

  /** A tree moved by a step: a movement of another tree, or the sizes to broadcast to. */
  moved(tree: ExpressionTree, step: ExpressionTree | readonly number[]): ExpressionTree {
    const isNode = "op" in step;
    if (isNode && step.inputs[0] === tree) return step;
    const key = isNode ? `${step.op} ${JSON.stringify(step.attributes)} ${step.dimensions}` : String(step);
    let made = this.#moved.get(tree);
    if (made === undefined) this.#moved.set(tree, (made = new Map()));
    let node = made.get(key);
    if (node === undefined) {
      const shared = { inputs: [tree], dtype: tree.dtype, depth: tree.depth + 1 };
      node = isNode
        ? { ...shared, op: step.op, attributes: step.attributes, dimensions: step.dimensions }
        : { ...shared, op: "broadcast", attributes: noAttributes, dimensions: step };
      made.set(key, node);
    }
    return node;
  }

  /** A matrix with its last two dimensions exchanged. */
  turned(matrix: ExpressionTree): ExpressionTree {
    let node = this.#turned.get(matrix);
    if (node === undefined) this.#turned.set(matrix, (node = turned(matrix)));
    return node;
  }

  /** Nodes made by the lowering are not counted before they are asked for; each is used by whoever made it. */
  #of(node: ExpressionTree): NodeFacts {
    const known = this.#facts.get(node);
    if (known !== undefined) return known;
    for (const made of treeOrder([node], this.#facts)) {
      if (this.#facts.has(made)) continue;
      this.#facts.set(made, { uses: 1, cost: 0, reduction: null });
      this.#learn(made);
    }
    return this.#facts.get(node)!;
  }

  /** Fills in cost and reduction, those of the operands known. */
  #learn(node: ExpressionTree): void {
    const facts = this.#facts.get(node)!;
    const isReduced = isReduction(node);
    if (!isReduced && !isElementwise(node) && !isStrideMove(node)) {
      if (node.inputs.length > 0) facts.cost = Number.POSITIVE_INFINITY;
      return;
    }
    let cost = isMathOp(node.op) ? kMathCost : 1;
    for (const input of node.inputs) {
      const below = this.#facts.get(input)!;
      // An operand that is not cheap and used elsewhere, too: if this node is computed twice, then that operand is stored.
      if (below.cost <= kCheap || (below.uses <= 1 && below.cost < Number.POSITIVE_INFINITY)) cost += below.cost;
      facts.reduction ??= below.reduction;
    }
    facts.cost = cost;
    if (isReduced) facts.reduction = node;
  }
}
