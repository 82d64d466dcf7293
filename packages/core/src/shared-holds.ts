/**
 * shared-holds: which shared buffers this thread holds, and how often (the counterpart is the share that one executor has in a
 * TensorBuffer's count).
 *
 *     control block    hold: a bit for this thread              one for all its root buffers over the block
 *     here             slot -> number of those root buffers     the last one gives the bit back
 *
 * Root buffers over one block come about when a thread receives what it holds already: its own tensor come home, or the same
 * one twice.
 */
import { setHoldRelease } from "./lifetime-net.ts";
import { threadArena } from "./thread-arena.ts";

const holds = new Map<number, number>();

/** Counts a root buffer over the block `slot`, which this thread holds. */
export function addHold(slot: number): void {
  holds.set(slot, (holds.get(slot) ?? 0) + 1);
}

/** Counts one out; after the last one the thread's hold is given up, and the memory comes back if nobody else has one. */
export function giveUpHold(slot: number): void {
  const count = holds.get(slot) ?? 0;
  if (count > 1) {
    holds.set(slot, count - 1);
    return;
  }
  holds.delete(slot);
  const { allocator, protocol } = threadArena()!;
  protocol.release(slot);
  if (protocol.needsDrain) allocator.takeUpReturned();
}

/** Whether nobody else can see the block: one root buffer here, no other thread, no handle on its way. */
export function isOnlyHold(slot: number): boolean {
  return holds.get(slot) === 1 && threadArena()!.protocol.isSoleHolder(slot);
}

setHoldRelease(giveUpHold);
