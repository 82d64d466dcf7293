/**
 * shared-holds: counts how many root buffers of this thread share one control block (in TensorFlow they would be references of one
 * TensorBuffer).
 *
 *     control block    hold: a bit for this thread                        set while the thread has any root buffer over the block
 *     this file        slot -> number of root buffers after the first     the last root buffer clears the bit
 *
 * A thread gets a second root buffer over a block when it receives a tensor that it already holds: its own tensor sent back, or the
 * same tensor twice. This is rare, so the map does not count the first root buffer: a map entry costs more than the rest of a hold.
 */
import type { HoldOwner } from "../lifetime/keeper.ts";
import { threadArena } from "./thread-arena.ts";

const further = new Map<number, number>();

/** Counts one more root buffer over the block `slot`, which this thread already holds. */
export function addHold(slot: number): void {
  further.set(slot, (further.get(slot) ?? 0) + 1);
}

/** Counts one root buffer less. After the last one releases this thread's hold; if no other thread has one, the memory is returned. */
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

/** Returns true if the block has one root buffer on this thread, no other thread holds it, and no ticket for it is in flight. */
export function isOnlyHold(slot: number): boolean {
  return !further.has(slot) && threadArena()!.protocol.isSoleHolder(slot);
}

/** Lets the lifetime net release the hold of a shared buffer that was dropped. */
export const sharedHolds: HoldOwner = { release: releaseHold };
