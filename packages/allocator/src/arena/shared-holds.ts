/**
 * shared-holds: which shared buffers this thread holds, and how often (the counterpart is the share that one executor has in a
 * TensorBuffer's count).
 *
 *     control block    hold: a bit for this thread              one for all its root buffers over the block
 *     here             slot -> root buffers beyond the first    the last one gives the bit back
 *
 * Further root buffers over one block come about when a thread receives what it holds already: its own tensor come home, or
 * the same one twice. That is rare, so the first one is not written down: a table costs more than all else about a hold.
 */
import type { HoldOwner } from "../lifetime/keeper.ts";
import { threadArena } from "./thread-arena.ts";

const further = new Map<number, number>();

/** Counts one more root buffer over the block `slot`, which this thread has held before. */
export function addHold(slot: number): void {
  further.set(slot, (further.get(slot) ?? 0) + 1);
}

/** Counts a root buffer out; after the last one the thread's hold is given up, and the memory comes back if nobody else has one. */
export function releaseHold(slot: number): void {
  const count = further.size === 0 ? 0 : (further.get(slot) ?? 0);
  if (count > 1) further.set(slot, count - 1);
  else if (count === 1) further.delete(slot);
  else {
    const { allocator, protocol } = threadArena()!;
    protocol.release(slot);
    if (protocol.needsDrain) allocator.collectReturnedBlocks();
  }
}

/** Whether nobody else can see the block: one root buffer here, no other thread, no handle on its way. */
export function isOnlyHold(slot: number): boolean {
  return !further.has(slot) && threadArena()!.protocol.isSoleHolder(slot);
}

/** Gives up holds for the lifetime net, when the Keeper of a shared buffer is dead. */
export const sharedHolds: HoldOwner = { release: releaseHold };
