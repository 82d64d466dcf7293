// Lets Jest know the test that runs, without a hook on every promise.
//
// Jest's runner asks an AsyncLocalStorage which test or hook a rejected promise belongs to. Before Node 24 such a storage switches on hooks
// for all promises of the process: 5 of 90 s of processor time in `npm test`. The tests of a file run one after the other (none is
// `test.concurrent`), so the test that runs now is known without them. A rejection that nobody handles fails the file as before, with its own
// stack; if its test did not wait for anything, it may be listed under a later test.
import { createRequire } from "node:module";

const hooks = createRequire(import.meta.url)("node:async_hooks");

/** What the runner uses of an AsyncLocalStorage, for callbacks that do not overlap unless they are nested. */
export class SequentialStorage {
  #store;

  getStore() {
    return this.#store;
  }

  /** Calls `callback`; until it returns, or the promise that it returns is settled, `store` is the current one. */
  run(store, callback) {
    const outer = this.#store;
    this.#store = store;
    const leave = () => {
      this.#store = outer;
    };
    let result;
    try {
      result = callback();
    } catch (error) {
      leave();
      throw error;
    }
    if (typeof result?.then !== "function") leave();
    else result.then(leave, leave);
    return result;
  }
}

/**
 * Gives modules that are loaded from now on a SequentialStorage in place of an AsyncLocalStorage. Returns a function that ends this. Versions of
 * Node in which the class cannot be replaced keep their own: Jest works as well, and slower before Node 24.
 */
export function replaceStorage() {
  const own = Object.getOwnPropertyDescriptor(hooks, "AsyncLocalStorage");
  if (own.configurable !== true) return () => {};
  Object.defineProperty(hooks, "AsyncLocalStorage", { value: SequentialStorage, enumerable: true, configurable: true, writable: true });
  return () => void Object.defineProperty(hooks, "AsyncLocalStorage", own);
}
