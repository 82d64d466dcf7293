/**
 * The scope of a case: the handles that must be disposed when the case ends, and the state after a failed call.
 *
 * Handles are disposed in reverse order, whether the case passed or not. Afterwards the runner checks that no buffer is alive.
 */

import type { State } from "./compare.ts";

/** An object whose `dispose` may be called twice, such as a Tensor. */
export interface Handle {
  dispose(): void;
}

/** The handles of one case, its era, and the state after a failed call. */
export class CaseScope {
  /** The era of XLA that gives the case's result; undefined if all do. */
  readonly era: string | undefined;
  readonly #releases: (() => void)[] = [];
  #left: State = {};

  constructor(era?: string) {
    this.era = era;
  }

  /** Registers a handle to be disposed when the case ends, and returns it. */
  keep<T extends Handle>(handle: T): T {
    this.#releases.push(() => handle.dispose());
    return handle;
  }

  /**
   * Sets the state to compare after a failed call: the object that the call was made on, or C++'s output argument. It is compared if a
   * case has both `error` and `expect`.
   */
  leave(state: State): void {
    this.#left = state;
  }

  /** The state to compare after a failed call; without keys if the operation set none. */
  get left(): State {
    return this.#left;
  }

  /** Registers a function to be called when the case ends. */
  atEnd(release: () => void): void {
    this.#releases.push(release);
  }

  /** Disposes everything, in reverse order. If a call throws, the others are still made and the first error is thrown at the end. */
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
