/**
 * BufferBase: a root buffer whose bytes came from an Allocator (tensorflow/core/framework/tensor.cc).
 *
 * It stores the allocator and the pointer, and describes the allocation; its subclasses deallocate the bytes. `keeper` is the only
 * strong reference to an object whose garbage collection reveals that the buffer was dropped without its last `unref`
 * (lifetime-net.ts in packages/allocator). `control` is the slot of the control block that counts the threads holding the memory.
 */
import type { AllocationDescription, Allocator, AllocatorMemoryType, Pointer } from "@onebuffer/allocator";
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { Keeper } from "@onebuffer/allocator/internal";
import { isOnlyHold, keepHold, sharedHolds } from "@onebuffer/allocator/internal";
import { TensorBuffer } from "./tensor-buffer.ts";
import { HeldMemory } from "./held-memory.ts";

/**
 * A buffer over memory from an allocator. Never copies bytes.
 *
 * @example
 * const buffer: BufferBase = new Buffer("int32", cpuAllocator(), 3);
 * buffer.allocator.name; // => "cpu"
 * buffer.fillAllocationDescription().requestedBytes; // => 12
 * buffer.unref(); // => true
 */
export abstract class BufferBase extends TensorBuffer {
  /** The allocator that the bytes came from. */
  readonly allocator: Allocator;
  /**
   * The object registered with the lifetime net, which reclaims the bytes of a dropped buffer; null if nothing needs reclaiming, and
   * after the last `unref`.
   */
  protected keeper: Keeper | null = null;
  /** The slot of the control block if threads share the memory; 0 if only this thread uses it. */
  protected control: number = 0;

  /** With `hasElements` the data are JavaScript values, which the subclass stores; the bytes are then reserved but unused. */
  protected constructor(allocator: Allocator, pointer: Pointer | null, size: number, hasElements: boolean) {
    super(new HeldMemory(pointer === null || hasElements ? null : pointer.buffer, pointer), pointer?.byteOffset ?? 0, size, null);
    this.allocator = allocator;
  }

  /** The pointer that the allocator returned: null if it had no room, and after the last `unref`. TensorFlow's `data()`. */
  get pointer(): Pointer | null {
    return this.held.pointer;
  }

  /** Returns the control block's slot; 0 until the buffer is shared. */
  override controlSlot(): number {
    return this.control;
  }

  /**
   * Marks the memory as shared with other threads through the control block `slot`, in which the caller has already counted this
   * thread's hold. From now on the last `unref` releases that hold instead of deallocating the bytes. `shareTensor` calls this.
   */
  becomeShared(slot: number): void {
    this.control = slot;
    if (this.keeper !== null) keepHold(this.keeper, slot, sharedHolds);
  }

  /** Returns true if the caller's reference is the only one on any thread. A handle sent to a thread but not yet opened counts as one. */
  override refCountIsOne(): boolean {
    return this.refs === 1 && (this.control === 0 || isOnlyHold(this.control));
  }

  /** Returns the size that the allocator reports, if it tracks sizes and there is data; otherwise null. */
  override getAllocatedBytes(): number | null {
    const pointer = this.pointer;
    if (pointer === null || !this.allocator.tracksAllocationSizes()) return null;
    const bytes = this.allocator.allocatedSize(pointer);
    return bytes > 0 ? bytes : null;
  }

  /**
   * Describes the requested bytes, the allocator and the address. If the allocator tracks sizes, also the allocated bytes, the
   * allocation's id and if there is a single reference.
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

  /** Returns the allocator's memory type. */
  override getMemoryType(): AllocatorMemoryType {
    return this.allocator.getMemoryType();
  }
}
