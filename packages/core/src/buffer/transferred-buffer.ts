/**
 * TransferredBuffer: the bytes of an ArrayBuffer that another thread transferred to this one (compare TF_NewTensor's
 * TF_ManagedBuffer with a deallocator, tensorflow/c/tf_tensor.cc).
 *
 * An ArrayBuffer that is posted with a transfer list is detached at the sender. The receiver owns it: it may write to it and
 * transfer it on. The garbage collector frees it like any other object, so this class deallocates nothing.
 */
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { AllocationDescription } from "@onebuffer/allocator";
import { TensorBuffer } from "./tensor-buffer.ts";
import { HeldMemory } from "./held-memory.ts";

/** A root buffer over a whole ArrayBuffer that only this thread can access. Never copies. */
export class TransferredBuffer extends TensorBuffer {
  /** The caller has checked that `bytes` is an ArrayBuffer. */
  constructor(bytes: ArrayBuffer) {
    super(new HeldMemory(bytes, null), 0, bytes.byteLength, null);
  }

  override get className(): string {
    return "TransferredBuffer";
  }

  /** Describes the size and if there is a single reference; the allocator's name is "transfer". */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = "transfer";
    description.hasSingleReference = this.refCountIsOne();
    return description;
  }
}
