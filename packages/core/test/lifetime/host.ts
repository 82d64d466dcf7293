// Access to the garbage collector and the task queue, for tests in plain Node.
export { runGc } from "@onebuffer/test-support/run-gc";

/** Returns a promise that resolves in a later task. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
