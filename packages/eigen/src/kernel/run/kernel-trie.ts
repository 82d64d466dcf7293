/**
 * token-tree: from what a walk over an expression meets to the kernel for it.
 *
 *     add(mul(a, b), c)        tokens   a  b  mul(0,1)  c  add(2,3)        a path in a tree of tokens
 *                                                                          at its end a kernel
 *
 * Every place remembers the token that was taken last from it: a program does mostly what it did before, and comparing two
 * small integers is all that a step costs then.
 */
import type { DirectKernel } from "./elementwise-kernel.ts";

/** Places and kernels after which the tree is begun anew: it would keep those that nobody uses any more. */
const kMaxPlaces = 131072;
const kMaxKernels = 16384;

let places = 0;
let kernels = 0;

/** A place in the tree. */
export class TokenPlace {
  /** What runs here: undefined as long as nobody has asked, null when it cannot be. */
  entry: DirectKernel | null | undefined = undefined;
  #lastToken = -1;
  #last: TokenPlace = this;
  /** Made for the second token: most places have one. */
  #next: Map<number, TokenPlace> | null = null;

  /** The place behind a token. */
  after(token: number): TokenPlace {
    return token === this.#lastToken ? this.#last : this.#lookUp(token);
  }

  /** Keeps what runs here. */
  keep(entry: DirectKernel | null): void {
    this.entry = entry;
    kernels++;
  }

  #lookUp(token: number): TokenPlace {
    let place = this.#next?.get(token);
    if (place === undefined) {
      if (this.#lastToken >= 0) this.#next ??= new Map([[this.#lastToken, this.#last]]);
      place = new TokenPlace();
      this.#next?.set(token, place);
      places++;
    }
    this.#lastToken = token;
    this.#last = place;
    return place;
  }
}

let root = new TokenPlace();

/** Where paths begin. */
export function firstPlace(): TokenPlace {
  return places > kMaxPlaces || kernels > kMaxKernels ? beginAnew() : root;
}

function beginAnew(): TokenPlace {
  places = 0;
  kernels = 0;
  root = new TokenPlace();
  return root;
}
