/**
 * Sharing: how the nodes of one assignment are used, computed before any of them is lowered (in XLA: the use counts and costs that
 * instruction fusion queries).
 *
 *     e2 = add(e1, reverse(e1))        uses of e1: 2
 *                                      cost of e1: the operations to compute one of its elements again
 *
 * A node that is read both moved and unmoved, or by two kernels, is either computed twice or stored once. Cheap nodes are computed
 * twice; the others become stages, because otherwise each level of a chain would double the work.
 *
 * The lowering also makes nodes (a transposed matrix, a broadcast that must be stored). This class keeps them by the nodes that they are
 * made from, so that equal ones are made once and become one stage.
 */
import { isComplexDType, isConstant, isStrideMove, treeOrder } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { isInterpolation } from "./interpolations.ts";
import { supportedByKernels } from "./kernel-support.ts";
import { baseOf, MovesTable, reducedAxes } from "./lowering-moves.ts";
import { transposedMatrix } from "./lowering-product.ts";
import { isMathOp } from "./row-passes.ts";
import { compositions, treeNode } from "./plain-nodes.ts";

/** Up to this many operations per element, a node is computed again rather than stored. */
const kCheap = 8;
/** The cost of an elementary function, in operations. */
const kMathCost = 4;

/** The most nodes that are visited to find out whether a tree shares nodes; larger trees count as shared. */
const kMaxVisitedNodes = 96;

/** The most operands and constants of a plain tree (see isPlain). */
export const kPlainOperands = 100;

/**
 * Returns the number of operands and constants that a leaf becomes in a kernel: those of the tree that it is computed as, or the parts of a
 * complex constant.
 */
export function operandsOf(node: ExpressionTree): number {
  return compositions[node.op]?.operands ?? (isConstant(node) && isComplexDType(node.dtype) ? 2 : 1);
}

/** The facts about a node. */
interface NodeFacts {
  readonly kind: NodeKind;
  /** The number of times that this node is an operand of another node, or a result. */
  uses: number;
  /** Operations to compute one element again, starting from memory and from stored nodes. Infinite if the node itself is stored. */
  cost: number;
  /** The first reduction below elementwise operations and movements; null if there is none. */
  reduction: ExpressionTree | null;
}

/**
 * How kernels treat a node. "leaf": reads memory, counts, or is constant. "elementwise", "movement": computed together with its users.
 * "reduction": over one axis or more, of one element or more. "same": a reduction over no axes, whose values are its operand's. "stored":
 * all other nodes, which are computed into memory first.
 */
export type NodeKind = "leaf" | "elementwise" | "movement" | "reduction" | "same" | "stored";

/** Returns how kernels treat a node. */
export function nodeKind(node: ExpressionTree): NodeKind {
  switch (opTable[node.op].class) {
    case "leaf":
    case "generator":
      return "leaf";
    case "unary":
    case "binary":
    case "ternary":
      return supportedByKernels(node) && !isInterpolation(node) ? "elementwise" : "stored";
    case "movement":
      return isStrideMove(node) ? "movement" : "stored";
    case "reduction":
      if (reducedAxes(node).length === 0) return "same";
      if (!supportedByKernels(node)) return "stored";
      return node.inputs[0]!.dimensions.includes(0) ? "leaf" : "reduction";
    case "contraction":
      return supportedByKernels(node) && node.inputs[0]!.dimensions.includes(0) ? "leaf" : "stored";
    default:
      return "stored";
  }
}

/** No staged nodes. */
const kNone: ReadonlySet<ExpressionTree> = new Set();

/** Returns the first reduction below elementwise operations and movements that are not staged: it gives a region its rows. */
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

/** Returns true if a tree has few nodes and operands and uses only leaves more than once. */
function isPlainTree(tree: ExpressionTree): boolean {
  const nodes = new Set([tree]);
  let operands = 0;
  for (const { inputs } of nodes) {
    for (const input of inputs) {
      if (input.inputs.length === 0) {
        operands += operandsOf(input);
        if (operands > kPlainOperands) return false;
        continue;
      }
      if (nodes.has(input) || nodes.size === kMaxVisitedNodes) return false;
      nodes.add(input);
    }
  }
  return true;
}

/** The uses and costs of the nodes of an assignment. */
export class Sharing {
  /** Returns true for a leaf whose memory kernels cannot reach. */
  readonly isOutsideLinearMemory: (leaf: ExpressionTree) => boolean;
  /** The table of movements between nodes and the spaces of kernels. */
  readonly moves: MovesTable = new MovesTable();
  /** True for one tree with few nodes in which only leaves are used more than once. A kernel then computes everything that it can. */
  readonly isPlain: boolean;
  readonly #facts: Map<ExpressionTree, NodeFacts> = new Map();
  #moved: Map<ExpressionTree, Map<string, ExpressionTree>> | null = null;
  #transposed: Map<ExpressionTree, ExpressionTree> | null = null;

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
    for (const node of order) this.#fillFacts(node);
    for (const node of order) if (this.#facts.get(node)!.kind === "stored") this.#storeOperands(node);
  }

  /**
   * An operand of a stored node is in memory anyway, so that nothing is saved if its other users compute it again. A product reads an operand
   * that is moved from where it was before the movements.
   */
  #storeOperands({ op, inputs }: ExpressionTree): void {
    for (const input of inputs) {
      const facts = this.#facts.get(opTable[op].class === "contraction" ? baseOf(input) : input)!;
      const isComputed = facts.kind === "elementwise" || facts.kind === "reduction";
      if (isComputed && facts.uses > 1) facts.cost = Math.max(facts.cost, kCheap + 1);
    }
  }

  /** Returns how kernels treat a node. */
  kindOf(node: ExpressionTree): NodeKind {
    return this.#of(node).kind;
  }

  /** Returns the number of times that a node is an operand or a result. */
  usesOf(node: ExpressionTree): number {
    return this.isPlain ? 1 : this.#of(node).uses;
  }

  /** Returns true if computing a node again is better than storing it. */
  isCheap(node: ExpressionTree): boolean {
    return this.#of(node).cost <= kCheap;
  }

  /** Returns true if no node below a tree, except leaves, is used twice. Visits at most kMaxVisitedNodes nodes, and is false beyond. */
  isPrivate(tree: ExpressionTree): boolean {
    if (this.isPlain) return true;
    const nodes = [tree];
    for (let i = 0; i < nodes.length; i++) {
      for (const input of nodes[i]!.inputs) {
        if (input.inputs.length === 0) continue;
        if (this.usesOf(input) > 1 || nodes.length === kMaxVisitedNodes) return false;
        nodes.push(input);
      }
    }
    return true;
  }

  /** Returns the first reduction of a tree that a kernel could compute together with its users; null if there is none. */
  reductionOf(node: ExpressionTree): ExpressionTree | null {
    return this.isPlain ? reductionIn(node, kNone) : this.#of(node).reduction;
  }

  /** Returns a tree moved by a step: a movement that has another operand, or the sizes to broadcast to. Equal steps give the same node. */
  moved(tree: ExpressionTree, step: ExpressionTree | readonly number[]): ExpressionTree {
    const isNode = "op" in step;
    if (isNode && step.inputs[0] === tree) return step;
    const key = isNode ? `${step.op} ${JSON.stringify(step.attributes)} ${step.dimensions}` : String(step);
    this.#moved ??= new Map();
    let made = this.#moved.get(tree);
    if (made === undefined) this.#moved.set(tree, (made = new Map()));
    let node = made.get(key);
    if (node === undefined) {
      node = isNode ? treeNode(step.op, [tree], step.dimensions, step.attributes) : treeNode("broadcast", [tree], step);
      made.set(key, node);
    }
    return node;
  }

  /** Returns a matrix with its last two dimensions exchanged. Returns the same node each time. */
  transposed(matrix: ExpressionTree): ExpressionTree {
    this.#transposed ??= new Map();
    let node = this.#transposed.get(matrix);
    if (node === undefined) this.#transposed.set(matrix, (node = transposedMatrix(matrix)));
    return node;
  }

  /** Returns the facts about a node. Nodes made by the lowering get theirs at the first request, with one use each. */
  #of(node: ExpressionTree): NodeFacts {
    const known = this.#facts.get(node);
    if (known !== undefined) return known;
    for (const made of treeOrder([node], this.#facts)) {
      if (this.#facts.has(made)) continue;
      this.#facts.set(made, { kind: nodeKind(made), uses: 1, cost: 0, reduction: null });
      this.#fillFacts(made);
    }
    return this.#facts.get(node)!;
  }

  /** Computes the cost and the reduction of a node from those of its operands. */
  #fillFacts(node: ExpressionTree): void {
    const facts = this.#facts.get(node)!;
    if (facts.kind === "leaf") return;
    if (facts.kind === "stored") {
      facts.cost = Infinity;
      return;
    }
    let cost = (isMathOp(node.op) ? kMathCost : 1) * (isComplexDType(node.inputs[0]!.dtype) ? 2 : 1);
    for (const input of node.inputs) {
      const below = this.#facts.get(input)!;
      // The cost of an operand that is expensive and also used elsewhere is left out: it is stored if this node is computed twice.
      if (below.cost <= kCheap || (below.uses <= 1 && below.cost < Infinity)) cost += below.cost;
      facts.reduction ??= below.reduction;
    }
    facts.cost = cost;
    if (facts.kind === "reduction") facts.reduction = node;
  }
}
