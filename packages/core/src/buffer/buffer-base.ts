/**
 * BufferBase: a root buffer whose bytes came from an Allocator (tensorflow/core/framework/tensor.cc).
 *
 * It remembers the allocator and the pointer it got, describes the allocation, and leaves giving the bytes back to its
 * subclass. `keeper` is the one reference to the object whose end says that the buffer was forgotten (lifetime-net.ts),
 * `control` the number of the block that counts holders on other threads.
 */
import type { AllocationDescription, Allocator, AllocatorMemoryType, Pointer } from "@onebuffer/allocator";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { Keeper } from "@onebuffer/allocator/internal";
import { isOnlyHold, keepHold, sharedHolds } from "@onebuffer/allocator/internal";
import { TensorBuffer } from "./tensor-buffer.ts";

/**
 * A buffer over memory from an allocator.
 *
 * @example
 * const buffer: BufferBase = new Buffer("int32", cpuAllocator(), 3);
 * buffer.allocator.name; // => "cpu"
 * buffer.fillAllocationDescription().requestedBytes; // => 12
 * buffer.unref(); // => true
 */
export abstract class BufferBase extends TensorBuffer {
  /** The allocator the bytes came from and go back to. */
  readonly allocator: Allocator;
  /** What the allocator gave: null when it had no room, and after the end. TensorFlow's `data()`. */
  readonly pointer: Pointer | null;
  /** The registered object that reclaims the bytes of a forgotten buffer; null where nothing needs reclaiming, and after the end. */
  protected keeper: Keeper | null = null;
  /** The slot of the control block of a buffer that threads share; 0 for a buffer of this thread alone. */
  protected control: number = 0;

  /** `hasElements`: the data are JavaScript values, which the subclass keeps; the bytes are then only reserved. */
  protected constructor(allocator: Allocator, pointer: Pointer | null, size: number, hasElements: boolean) {
    super(pointer === null || hasElements ? null : pointer.buffer, pointer?.byteOffset ?? 0, size, null);
    this.allocator = allocator;
    this.pointer = pointer;
  }

  /** The control block's slot; 0 until the buffer is shared. */
  override controlSlot(): number {
    return this.control;
  }

  /**
   * From now on other threads may hold the memory, too: the last reference gives up this thread's hold on the block `slot`,
   * which the caller has counted, instead of the bytes. For `shareTensor`.
   */
  becomeShared(slot: number): void {
    this.control = slot;
    if (this.keeper !== null) keepHold(this.keeper, slot, sharedHolds);
  }

  /** Whether the caller's reference is the only one, on this thread and all others; a handle on its way counts as one. */
  override refCountIsOne(): boolean {
    return this.refs === 1 && (this.control === 0 || isOnlyHold(this.control));
  }

  /** The allocator's figure, when it tracks sizes and there is data; otherwise null. */
  override getAllocatedBytes(): number | null {
    const pointer = this.pointer;
    if (pointer === null || !this.allocator.tracksAllocationSizes()) return null;
    const bytes = this.allocator.allocatedSize(pointer);
    return bytes > 0 ? bytes : null;
  }

  /**
   * Requested bytes, allocator and address; when the allocator tracks sizes also the bytes taken, the allocation's number
   * and whether there is a single reference.
   */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    const pointer = this.pointer;
    description.requestedBytes = this.size;
    description.allocatorName = this.allocator.name;
    description.ptr = this.byteOffset;
    if (pointer !== null && this.allocator.tracksAllocationSizes()) {
      description.allocatedBytes = this.allocator.allocatedSize(pointer);
      description.allocationId = Math.max(0, this.allocator.allocationId(pointer));
      description.hasSingleReference = this.refCountIsOne();
    }
    return description;
  }

  /** The allocator's kind of memory. */
  override getMemoryType(): AllocatorMemoryType {
    return this.allocator.getMemoryType();
  }

  /** Forgets the pointer, which the subclass has given back. */
  protected override destroy(): void {
    (this as { pointer: Pointer | null }).pointer = null;
    super.destroy();
  }
}
