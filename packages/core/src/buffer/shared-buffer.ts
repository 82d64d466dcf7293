/**
 * SharedBuffer: a root buffer over memory that another thread allocated, or this one before it was shared (the counterpart of
 * the TensorBuffer that two executors of one TensorFlow process refer to).
 *
 *     thread A   Buffer --------+                                     control block: held by A and B, address, size
 *                               +--> the same bytes of the linear memory
 *     thread B   SharedBuffer --+
 *
 * Its last reference gives up this thread's hold, not the memory: whoever gives up the last hold of all does that. The
 * lifetime net watches it like a buffer of this thread.
 */
import type { AllocationDescription, Pointer } from "@onebuffer/allocator";
import { bufferLedger, emptyAllocationDescription } from "@onebuffer/allocator";
import { BufferBase } from "./buffer-base.ts";
import { unwatch, releaseHold, noteLine, sharedHolds, watchHold } from "@onebuffer/allocator/internal";
import type { ThreadArena } from "@onebuffer/allocator/internal";

/** The grain of allocations. */
const kGrain = 256;

/** A buffer over all of a control block, which this thread holds. Copies: never. */
export class SharedBuffer extends BufferBase {
  constructor({ allocator }: ThreadArena, pointer: Pointer, size: number, slot: number) {
    super(allocator, pointer, size, false);
    this.control = slot;
    const keeper = watchHold(allocator, pointer, size, slot, sharedHolds);
    if (bufferLedger.enabled) noteLine(keeper, bufferLedger.lineOf(this));
    this.keeper = keeper;
  }

  /** The size rounded up to 256: what an arena takes for it. */
  override getAllocatedBytes(): number | null {
    return this.pointer === null ? null : Math.ceil(this.size / kGrain) * kGrain;
  }

  /** As a Buffer's, without the number of an allocation, which only the thread that made it knows. */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = this.allocator.name;
    description.ptr = this.byteOffset;
    description.allocatedBytes = this.getAllocatedBytes() ?? 0;
    description.hasSingleReference = this.refCountIsOne();
    return description;
  }

  /** Gives up the hold. */
  protected override destroy(): void {
    const { keeper } = this;
    if (keeper !== null) {
      this.keeper = null;
      unwatch(keeper);
    }
    super.destroy();
    releaseHold(this.control);
  }
}
