/**
 * node-numbers: numbers the nodes of trees, for walks that visit each node once.
 *
 *     node[kNumber] = 5,  nodes[5] is the node          it has the number 5 here
 *     node[kNumber] = 5,  nodes[5] is another node      it has none here: the number is from another walk
 *
 * An expression stores the number that it was given last, and the list of nodes tells whose it is (a sparse set), so that nothing has to be
 * cleared in the nodes. To find a node in a Map takes several times as long, and walks over new expressions do little else. Maps and the
 * nodes of other copies of this package store no number, nor do nodes that a program has frozen, and a Proxy passes it on to another node:
 * these are listed, and many of them are in a Map.
 *
 * A walk that begins while another one is giving numbers takes away those of the nodes that both reach, and the first walk visits them once
 * more. That happens only if an operand of the program's own evaluates something when it is asked for its elements.
 */
import type { ExpressionTree } from "./op-attributes.ts";

/** The property that holds the number that a node was given last. */
export const kNumber: unique symbol = Symbol("number");

/** A node that stores a number. */
interface NumberedTree extends ExpressionTree {
  [kNumber]?: number;
}

/** As long as there are no more nodes than this without a number of their own, looking through all of them is faster than a Map. */
const kScanned = 24;
/** The most entries that the list keeps for the next use. */
const kKept = 4096;

/** The numbers of the nodes of one walk: 0 for the first that was added, and so on. */
export class NodeNumbers {
  readonly #nodes: (ExpressionTree | null)[] = [];
  #count = 0;
  /** The nodes that store no number, and their numbers. */
  readonly #others: (ExpressionTree | null)[] = [];
  readonly #otherNumbers: number[] = [];
  #numOthers = 0;
  readonly #byNode: Map<ExpressionTree, number> = new Map();
  /** True if a node is listed that seems to store a number. */
  #areListed = false;

  /** How many nodes have numbers. */
  get count(): number {
    return this.#count;
  }

  /** Returns the number of a node; -1 if it has none. */
  of(node: ExpressionTree): number {
    const number = (node as NumberedTree)[kNumber];
    if (number === undefined) return this.#ofOther(node);
    if (number < this.#count && this.#nodes[number] === node) return number;
    return this.#areListed ? this.#ofOther(node) : -1;
  }

  #ofOther(node: ExpressionTree): number {
    if (this.#numOthers > kScanned) return this.#byNode.get(node) ?? -1;
    for (let k = 0; k < this.#numOthers; k++) if (this.#others[k] === node) return this.#otherNumbers[k]!;
    return -1;
  }

  /** Gives a node that has none the next number, and returns it. */
  add(node: ExpressionTree): number {
    const number = this.#count++;
    this.#nodes[number] = node;
    if ((node as NumberedTree)[kNumber] === undefined) this.#addOther(node, number);
    else if (!this.#stores(node, number)) {
      this.#areListed = true;
      this.#addOther(node, number);
    }
    return number;
  }

  /** Stores a number in a node. Returns false if a program has frozen it, and if it passes the number on to a node that has one. */
  #stores(node: NumberedTree, number: number): boolean {
    const before = node[kNumber]!;
    try {
      node[kNumber] = number;
      const owner: NumberedTree | null = before < number ? this.#nodes[before]! : null;
      if (owner?.[kNumber] !== number) return true;
      owner[kNumber] = before;
    } catch {
      // It is frozen.
    }
    return false;
  }

  #addOther(node: ExpressionTree, number: number): void {
    const place = this.#numOthers++;
    if (place < kScanned) {
      this.#others[place] = node;
      this.#otherNumbers[place] = number;
      return;
    }
    if (place === kScanned) for (let k = 0; k < kScanned; k++) this.#byNode.set(this.#others[k]!, this.#otherNumbers[k]!);
    this.#byNode.set(node, number);
  }

  /** Takes all numbers back. The lists must not keep an expression, and with it memory, alive. */
  clear(): void {
    for (let k = 0; k < this.#count; k++) this.#nodes[k] = null;
    for (let k = Math.min(this.#numOthers, kScanned) - 1; k >= 0; k--) this.#others[k] = null;
    // Setting the length, or clearing a Map, calls into the engine's runtime.
    if (this.#count > kKept) this.#nodes.length = kKept;
    if (this.#numOthers > kScanned) this.#byNode.clear();
    this.#count = this.#numOthers = 0;
    this.#areListed = false;
  }
}
