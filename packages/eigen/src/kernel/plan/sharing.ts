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
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { noAttributes } from "../../expression/tree/op-attributes.ts";
import { opTable } from "../../expression/tree/op-table.ts";
import { treeOrder } from "../../expression/tree/tree-order.ts";
import { supportedByKernels } from "./kernel-support.ts";
import { isStrideMove, MovesTable, reducedAxes } from "./lowering-moves.ts";
import { turned } from "./lowering-product.ts";
import { isMathOp } from "./row-passes.ts";

/** Operations per element up to which a node is computed again rather than stored. */
export const kCheap = 8;
/** An elementary function counts as so many operations. */
const kMathCost = 4;

/** Nodes that are looked at to find out whether a tree is used by itself only. */
const kGlance = 96;

/** The most operands and constants of a tree that needs no second look. */
export const kPlainOperands = 100;
/** A linspace is put together of so many. */
export const kLinspaceOperands = 6;

/** What is known of a node. */
interface NodeFacts {
  readonly kind: NodeKind;
  /** Operands of other nodes, or results, that this node is. */
  uses: number;
  /** Operations per element if it is computed once more, down to memory and to nodes that are stored; infinite if it is stored itself. */
  cost: number;
  /** The first reduction behind elementwise operations and movements; null if there is none. */
  reduction: ExpressionTree | null;
}

/**
 * What a node is to a kernel. "leaf": it is read, counted or constant. "elementwise", "movement": computed with what reads it.
 * "reduction": of one axis or more, over some elements. "same": a reduction over no axes, its operand's values. "stored": nothing of this.
 */
export type NodeKind = "leaf" | "elementwise" | "movement" | "reduction" | "same" | "stored";

/** What a node is to a kernel. */
export function nodeKind(node: ExpressionTree): NodeKind {
  switch (opTable[node.op].class) {
    case "leaf":
    case "generator":
      return "leaf";
    case "unary":
    case "binary":
    case "ternary":
      return supportedByKernels(node) ? "elementwise" : "stored";
    case "movement":
      return isStrideMove(node) ? "movement" : "stored";
    case "reduction":
      if (!supportedByKernels(node)) return "stored";
      if (reducedAxes(node).length === 0) return "same";
      return node.inputs[0]!.dimensions.includes(0) ? "leaf" : "reduction";
    case "contraction":
      return supportedByKernels(node) && node.inputs[0]!.dimensions.includes(0) ? "leaf" : "stored";
    default:
      return "stored";
  }
}

const kNone: ReadonlySet<ExpressionTree> = new Set();

/** The reduction that gives a region its rows, found behind elementwise operations and movements that are not staged. */
export function reductionIn(root: ExpressionTree, staged: ReadonlySet<ExpressionTree>): ExpressionTree | null {
  const seen = new Set<ExpressionTree>();
  const path = [root];
  for (let node = path.pop(); node !== undefined; node = path.pop()) {
    const kind = nodeKind(node);
    if (kind === "reduction") return node;
    if ((kind !== "elementwise" && kind !== "movement") || seen.has(node) || staged.has(node)) continue;
    seen.add(node);
    for (let k = node.inputs.length - 1; k >= 0; k--) path.push(node.inputs[k]!);
  }
  return null;
}

/** Whether a tree has few nodes and uses none of them twice but leaves. */
function isPlainTree(tree: ExpressionTree): boolean {
  const nodes = new Set([tree]);
  let operands = 0;
  for (const { inputs } of nodes) {
    for (const input of inputs) {
      if (input.inputs.length === 0) {
        operands += input.op === "linspace" ? kLinspaceOperands : 1;
        if (operands > kPlainOperands) return false;
        continue;
      }
      if (nodes.has(input) || nodes.size === kGlance) return false;
      nodes.add(input);
    }
  }
  return true;
}

/** How the nodes of an assignment are used. */
export class Sharing {
  /** Whether a leaf is where kernels cannot reach it. */
  readonly isOutsideLinearMemory: (leaf: ExpressionTree) => boolean;
  /** The moves that lie between nodes and the spaces of kernels. */
  readonly moves: MovesTable = new MovesTable();
  /** Whether there is little to find out: few nodes, none but leaves used twice. Then a kernel may compute whatever it can. */
  readonly isPlain: boolean;
  readonly #facts: Map<ExpressionTree, NodeFacts> = new Map();
  #moved: Map<ExpressionTree, Map<string, ExpressionTree>> | null = null;
  #turned: Map<ExpressionTree, ExpressionTree> | null = null;

  constructor(roots: readonly ExpressionTree[], isOutsideLinearMemory: (leaf: ExpressionTree) => boolean) {
    this.isOutsideLinearMemory = isOutsideLinearMemory;
    this.isPlain = roots.length === 1 && isPlainTree(roots[0]!);
    if (this.isPlain) return;
    const order = treeOrder(roots);
    for (const node of order) {
      this.#facts.set(node, { kind: nodeKind(node), uses: 0, cost: 0, reduction: null });
      for (const input of node.inputs) this.#facts.get(input)!.uses++;
    }
    for (const root of roots) this.#facts.get(root)!.uses++;
    for (const node of order) this.#learn(node);
  }

  /** What a node is to a kernel. */
  kindOf(node: ExpressionTree): NodeKind {
    return this.#of(node).kind;
  }

  /** How often a node is an operand or a result. */
  usesOf(node: ExpressionTree): number {
    return this.isPlain ? 1 : this.#of(node).uses;
  }

  /** Whether computing a node again is better than storing it. */
  isCheap(node: ExpressionTree): boolean {
    return this.#of(node).cost <= kCheap;
  }

  /** Whether nothing below a tree but its leaves is used anywhere else, or twice, as far as can be seen at a glance. */
  isPrivate(tree: ExpressionTree): boolean {
    if (this.isPlain) return true;
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
    return this.isPlain ? reductionIn(node, kNone) : this.#of(node).reduction;
  }

  /** A tree moved by a step: a movement of another tree, or the sizes to broadcast to. */
  moved(tree: ExpressionTree, step: ExpressionTree | readonly number[]): ExpressionTree {
    const isNode = "op" in step;
    if (isNode && step.inputs[0] === tree) return step;
    const key = isNode ? `${step.op} ${JSON.stringify(step.attributes)} ${step.dimensions}` : String(step);
    this.#moved ??= new Map();
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
    this.#turned ??= new Map();
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
      this.#facts.set(made, { kind: nodeKind(made), uses: 1, cost: 0, reduction: null });
      this.#learn(made);
    }
    return this.#facts.get(node)!;
  }

  /** Fills in cost and reduction, those of the operands known. */
  #learn(node: ExpressionTree): void {
    const facts = this.#facts.get(node)!;
    if (facts.kind === "leaf") return;
    if (facts.kind === "stored") {
      facts.cost = Number.POSITIVE_INFINITY;
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
    if (facts.kind === "reduction") facts.reduction = node;
  }
}
