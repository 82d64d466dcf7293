/**
 * kernel-trie: finds the kernel for an expression from the tokens that a walk over it yields.
 *
 *     add(mul(a, b), c)        tokens   a  b  mul(0,1)  c  add(2,3)        a path in a trie of tokens,
 *                                                                          with the kernel at its end
 *
 * Every node remembers the last token that was followed from it. A program mostly repeats what it did before, and
 * then a step costs one comparison of two small integers.
 */
import type { DirectKernel } from "./elementwise-kernel.ts";

/** The numbers of nodes and of kernels beyond which the trie starts over empty, to drop those that are no longer used. */
const kMaxNodes = 131072;
const kMaxKernels = 16384;

let nodes = 0;
let kernels = 0;

/** A node of the trie. */
export class TrieNode {
  /** The kernel for the path that ends here: undefined if it was not made yet, null if there is none. */
  entry: DirectKernel | null | undefined = undefined;
  #lastToken = -1;
  #last: TrieNode = this;
  /** Created for the second token: most nodes have one. */
  #next: Map<number, TrieNode> | null = null;

  /** Returns the node that a token leads to. */
  after(token: number): TrieNode {
    return token === this.#lastToken ? this.#last : this.#lookUp(token);
  }

  /** Keeps the kernel of the path that ends here. */
  keep(entry: DirectKernel | null): void {
    this.entry = entry;
    kernels++;
  }

  #lookUp(token: number): TrieNode {
    let node = this.#next?.get(token);
    if (node === undefined) {
      if (this.#lastToken >= 0) this.#next ??= new Map([[this.#lastToken, this.#last]]);
      node = new TrieNode();
      this.#next?.set(token, node);
      nodes++;
    }
    this.#lastToken = token;
    this.#last = node;
    return node;
  }
}

let root = new TrieNode();

/** Returns the node at which paths begin. */
export function trieRoot(): TrieNode {
  return nodes > kMaxNodes || kernels > kMaxKernels ? reset() : root;
}

function reset(): TrieNode {
  nodes = 0;
  kernels = 0;
  root = new TrieNode();
  return root;
}
