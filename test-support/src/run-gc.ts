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

/**
 * Runs full collections until `isDone` returns true, at most ten. Callbacks of finalizers run in turns of their own, and what they start takes
 * some more: a collection takes a hundred times as long as such a turn, so there are twenty turns before the next.
 */
export async function collectUntil(isDone: () => boolean): Promise<void> {
  for (let turn = 0; turn < 200 && !isDone(); turn++) {
    // What `isDone` has looked at is kept alive until its turn ends.
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (turn % 20 === 0) runGc();
  }
}
