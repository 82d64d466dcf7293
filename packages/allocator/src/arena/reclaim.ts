/**
 * reclaim: collects garbage and waits until dropped tensors are deallocated (no counterpart in TensorFlow, whose destructors run at
 * once).
 */
import { cancelledBy, checkOptions } from "@onebuffer/base/internal";
import { kReclaimedBytes, lifetimeStats } from "../lifetime/lifetime-stats.ts";
import { nextTask } from "../lifetime/next-task.ts";
import { collectGarbage } from "../lifetime/sweep.ts";
import { existingThreadArena, collectReturnedBlocks } from "./thread-arena.ts";

/** How many tasks in a row may reclaim nothing before `reclaim` stops, if it can call the garbage collector. */
const kQuietAfterCollect = 2;
/** The same if the garbage collector can only be provoked: a collection then takes several tasks. */
const kQuietAfterHint = 8;
/**
 * The bytes allocated and dropped per task to provoke a collection; they are never touched. In Chromium 256 MiB provoked only
 * collections of the young generation, and some hundreds of dropped tensors stayed; 1 GiB provokes full collections.
 */
const kHintBytes = 1024 * 1048576;
/** The maximum number of tasks: a program that drops tensors as fast as `reclaim` reclaims them must not wait forever. */
const kMostTasks = 64;

/**
 * The options of `reclaim`.
 *
 * @example
 * const options: ReclaimOptions = {};
 * typeof (await reclaim(options)); // => "number"
 */
export interface ReclaimOptions {
  /** An AbortSignal that ends the waiting. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown };
}

/**
 * Makes the engine collect garbage, as far as the host allows, and waits until the bytes of dropped tensors are deallocated. Returns
 * the number of bytes reclaimed meanwhile.
 *
 * In Node it calls the garbage collector. On other hosts it allocates short-lived memory to provoke a collection, which may find less.
 * Reachable tensors are not reclaimed, including those in local variables of running functions. Rejects with CANCELLED if the
 * signal is aborted (bytes reclaimed by then stay reclaimed) and INVALID_ARGUMENT if the options are not an object. Blocks that
 * other threads have returned are freed, too, but not counted. At the end it releases slabs without tensors, for other threads to claim.
 *
 * @example
 * const bytes: number = await reclaim();
 * bytes >= 0; // => true
 */
export async function reclaim(options: ReclaimOptions = {}): Promise<number> {
  checkOptions("reclaim", options, ["signal"]);
  const { signal } = options;
  const start = lifetimeStats[kReclaimedBytes]!;
  let last = start;
  let quiet = 0;
  for (let task = 0; task < kMostTasks; task++) {
    checkSignal(signal);
    // End this task before collecting: until then the targets of its WeakRefs are kept alive.
    await nextTask();
    checkSignal(signal);
    const enough = provoke() ? kQuietAfterCollect : kQuietAfterHint;
    await nextTask();
    collectReturnedBlocks();
    const now = lifetimeStats[kReclaimedBytes]!;
    quiet = now === last ? quiet + 1 : 0;
    last = now;
    if (quiet >= enough) break;
  }
  existingThreadArena()?.allocator.giveSlabsBack();
  return last - start;
}

/** Runs the garbage collector, or allocates memory to provoke it. Returns true if it certainly ran. */
function provoke(): boolean {
  if (collectGarbage()) return true;
  try {
    new ArrayBuffer(kHintBytes);
  } catch {
    // The allocation failed: the engine has collected garbage before it threw.
  }
  return false;
}

function checkSignal(signal: ReclaimOptions["signal"]): void {
  if (signal?.aborted === true) throw cancelledBy("reclaim", signal.reason);
}
