// The collector and the task queue, for tests in plain Node.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
/** A full collection. */
export const runGc = runInNewContext("gc") as () => void;
setFlagsFromString("--no-expose-gc");

/** Resolves in another task. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
