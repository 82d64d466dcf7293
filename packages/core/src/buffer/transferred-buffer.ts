/**
 * TransferredBuffer: bytes that came with a message and now belong to this thread (as TF_NewTensor's TF_ManagedBuffer with a
 * deallocator, tensorflow/c/tf_tensor.cc).
 *
 * An ArrayBuffer that was posted with a transfer list has left the sender; the receiver owns it, writes to it, and hands it on
 * the same way. The collector frees it like any other object, so there is nothing to give back.
 */
import { emptyAllocationDescription } from "@onebuffer/allocator";
import type { AllocationDescription } from "@onebuffer/allocator";
import { TensorBuffer } from "./tensor-buffer.ts";

/** A root buffer over the whole of an ArrayBuffer that nobody else has. Copies: never. */
export class TransferredBuffer extends TensorBuffer {
  /** The caller has checked that it is an ArrayBuffer. */
  constructor(bytes: ArrayBuffer) {
    super(bytes, 0, bytes.byteLength, null);
  }

  /** Size and address; the allocator is named "transfer". */
  override fillAllocationDescription(): AllocationDescription {
    const description = emptyAllocationDescription();
    description.requestedBytes = this.size;
    description.allocatorName = "transfer";
    description.hasSingleReference = this.refCountIsOne();
    return description;
  }
}
