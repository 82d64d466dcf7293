/**
 * nextTask: waits for one turn of the event loop (no counterpart in TensorFlow).
 *
 * Finalizers run in tasks of their own, so a promise that resolves in a microtask resolves too early. `setTimeout` is the only way to
 * start a task that browsers, workers and Node all have.
 */

declare function setTimeout(callback: () => void, milliseconds: number): unknown;

/** Returns a promise that resolves in a later task. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
