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

/** A BFCAllocator whose memory may come back from other threads. */
export class ArenaAllocator extends BFCAllocator {
  private readonly protocol: ArenaProtocol;

  constructor(protocol: ArenaProtocol, subAllocator: SubAllocator, totalMemory: number, name: string, options: BFCAllocatorOptions) {
    super(subAllocator, totalMemory, name, options);
    this.protocol = protocol;
  }

  /** As BFCAllocator's. Looks first whether shared memory of this thread has come back: one load. */
  override allocateRaw(alignment: number, numBytes: number, attributes?: AllocationAttributes): Pointer | null {
    if (this.protocol.needsDrain) this.protocol.drain();
    return super.allocateRaw(alignment, numBytes, attributes);
  }
}
