/**
 * next-task: waiting until the host's other tasks have had their turn (no counterpart in TensorFlow).
 *
 * Finalizers run in tasks of their own, so a promise that resolves in a microtask is too early. Timers are the one thing that
 * browsers, workers and Node have in common.
 */

declare function setTimeout(callback: () => void, milliseconds: number): unknown;

/** Resolves in another task. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}
