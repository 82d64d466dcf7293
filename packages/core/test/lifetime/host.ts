// Access to the garbage collector and the task queue, for tests in plain Node.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
/** Runs a full garbage collection. */
export const runGc = runInNewContext("gc") as () => void;
setFlagsFromString("--no-expose-gc");

/** Returns a promise that resolves in a later task. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
