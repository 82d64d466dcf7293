/**
 * ArenaAllocator: a thread's BFCAllocator, which takes up what other threads gave back before it hands anything out
 * (TensorFlow needs nothing like it: there any thread frees into the one allocator, under its lock).
 */
import type { AllocationAttributes } from "./allocation-attributes.ts";
import type { ArenaProtocol } from "./arena-protocol.ts";
import type { BFCAllocatorOptions } from "./bfc-allocator.ts";
import { BFCAllocator } from "./bfc-allocator.ts";
import type { Pointer } from "./pointer.ts";
import type { SubAllocator } from "./sub-allocator.ts";

/** A thread keeps so much free memory for itself; only beyond it are slabs given back, and then all that can be. */
const kKeptBytes = 256 * 1048576;
const kUnitBytes = 256;

/** A BFCAllocator whose memory may come back from other threads, and goes to them when this one has much of it free. */
export class ArenaAllocator extends BFCAllocator {
  private readonly protocol: ArenaProtocol;
  /** Free bytes at which slabs are given back: doubles, as a count may be 2^32. */
  private readonly mark: Float64Array = new Float64Array([kKeptBytes]);

  constructor(protocol: ArenaProtocol, subAllocator: SubAllocator, totalMemory: number, name: string, options: BFCAllocatorOptions) {
    super(subAllocator, totalMemory, name, options);
    this.protocol = protocol;
  }

  /** As BFCAllocator's. Looks first whether shared memory of this thread has come back: one load. */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    if (this.protocol.needsDrain) this.protocol.drain();
    return super.allocateRaw(alignment, numBytes, attributes);
  }

  /** As BFCAllocator's. Slabs without anything in use go back to where any thread may take them, once there is much of that. */
  override deallocateRaw(pointer: Pointer | null, alignment?: number, numBytes?: number): void {
    super.deallocateRaw(pointer, alignment, numBytes);
    if (this.freeBytes > this.mark[0]!) this.giveSlabsBack();
  }

  /** Gives every slab without anything in use back, for any thread to take: how many bytes. Their pages stay resident. */
  giveSlabsBack(): number {
    const bytes = this.deallocateFreePieces(this.protocol.arena.layout.slabUnits * kUnitBytes);
    // What could not be given back is in pieces: not to be looked at again before there is twice as much.
    this.mark[0] = Math.max(kKeptBytes, 2 * this.freeBytes);
    return bytes;
  }
}
