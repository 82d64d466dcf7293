import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

let collect: (() => void) | undefined;

/** V8's `gc`, which a new context has while the flag is set. */
function exposedGc(): () => void {
  setFlagsFromString("--expose-gc");
  try {
    return runInNewContext("gc") as () => void;
  } finally {
    setFlagsFromString("--no-expose-gc");
  }
}

/** Runs a full garbage collection, in engines with and without V8's flag. */
export function runGc(): void {
  const { Bun } = globalThis as { readonly Bun?: { gc(now: true): void } };
  collect ??= Bun === undefined ? exposedGc() : () => Bun.gc(true);
  collect();
}
