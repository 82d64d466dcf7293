/**
 * What one case holds: everything an operation made that must be given back when the case is over, and what it leaves
 * behind when it fails.
 *
 * Handles are disposed in the reverse order of their making, whether the case passed or not, so that the runner can
 * ask after every case whether a buffer was left behind.
 */

import type { State } from "./compare.ts";

/** A thing with a `dispose` that may be called twice, such as a Tensor. */
export interface Handle {
  dispose(): void;
}

/** The handles of one case. */
export class CaseScope {
  /** The era that the case's answer is of, if it is not all of them. */
  readonly era: string | undefined;
  readonly #releases: (() => void)[] = [];
  #left: State = {};

  constructor(era?: string) {
    this.era = era;
  }

  /** Keeps a handle until the case is over. */
  keep<T extends Handle>(handle: T): T {
    this.#releases.push(() => handle.dispose());
    return handle;
  }

  /**
   * Says what can be seen after a failure: the object that the failed call was made on, or C++'s output argument. A case
   * with both an `error` and an `expect` is judged by it.
   */
  leave(state: State): void {
    this.#left = state;
  }

  /** What can be seen after a failure; nothing where the operation leaves nothing. */
  get left(): State {
    return this.#left;
  }

  /** Calls `release` when the case is over. */
  atEnd(release: () => void): void {
    this.#releases.push(release);
  }

  /** Gives everything back, also when some of it fails to go; the first error is thrown at the end. */
  close(): void {
    let failure: { readonly error: unknown } | null = null;
    for (let release = this.#releases.pop(); release !== undefined; release = this.#releases.pop()) {
      try {
        release();
      } catch (error) {
        failure ??= { error };
      }
    }
    if (failure !== null) throw failure.error;
  }
}
