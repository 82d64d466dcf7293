/**
 * reclaim: waits for what was forgotten to come back (no counterpart in TensorFlow, whose destructors run at once).
 */
import { CancelledError, checkObject, shownValue } from "@onebuffer/base";
import { kReclaimedBytes, lifetimeStats } from "../lifetime/lifetime-stats.ts";
import { nextTask } from "../lifetime/next-task.ts";
import { collectGarbage } from "../lifetime/sweep.ts";
import { existingThreadArena, collectReturnedBlocks } from "./thread-arena.ts";

/** Tasks without anything coming back after which there is nothing more, where the collector could be called. */
const kQuietAfterCollect = 2;
/** As many where it could only be provoked: a collection takes several tasks. */
const kQuietAfterHint = 8;
/**
 * Short-lived bytes per task that make an engine collect; nothing touches them. In Chromium 256 MiB at a time brought about only
 * collections of what is young, and some hundreds of forgotten tensors stayed; 1 GiB brings about whole ones.
 */
const kHintBytes = 1024 * 1048576;
/** The most tasks it takes: a program that forgets as fast as this reclaims must not wait for ever. */
const kMostTasks = 64;

/** What `reclaim` takes. */
export interface ReclaimOptions {
  /** Ends the waiting: an AbortSignal. */
  readonly signal?: { readonly aborted: boolean; readonly reason?: unknown };
}

/**
 * Makes the engine collect garbage as far as the host allows, and waits until the bytes of forgotten tensors have come back: how
 * many did meanwhile.
 *
 * In Node the collector is called. Elsewhere short-lived memory provokes it, which may find less. What is reachable stays,
 * local variables of functions that are still running included. Throws CANCELLED when the signal is aborted; what came back
 * by then has come back. What other threads gave back is taken up, too, but is not counted. At the end slabs without a tensor
 * are given back, for other threads to take.
 *
 * @example
 * const bytes: number = await reclaim();
 * bytes >= 0; // => true
 */
export async function reclaim(options: ReclaimOptions = {}): Promise<number> {
  checkObject(options, "options");
  const { signal } = options;
  const start = lifetimeStats[kReclaimedBytes]!;
  let last = start;
  let quiet = 0;
  for (let task = 0; task < kMostTasks; task++) {
    checkSignal(signal);
    // First the task ends, and with it the hold of its WeakRefs on their targets; then it is worth collecting.
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

/** A collection, or what may bring one about; whether it was one. */
function provoke(): boolean {
  if (collectGarbage()) return true;
  try {
    new ArrayBuffer(kHintBytes);
  } catch {
    // No room for it: the engine has collected before it said so.
  }
  return false;
}

function checkSignal(signal: ReclaimOptions["signal"]): void {
  if (signal?.aborted === true) throw new CancelledError(`reclaim was aborted: ${shownValue(signal.reason)}`);
}
