/**
 * Codecs of the events of TensorFlow's memory log (tensorflow/core/framework/log_memory.proto), which is used for debugging only.
 *
 * Negative step ids are special: -1 constant folding, -2 kernel construction, -3 external allocation, -4 network buffer, -5 proto
 * buffer, -6 unknown.
 */
import type { UnknownField } from "@onebuffer/base";
import type { TensorDescriptionProto } from "./description-codec.ts";
import { tensorDescriptionCodec } from "./description-codec.ts";
import type { Int64 } from "../wire/int64.ts";
import { MessageCodec } from "../wire/message-codec.ts";
import { one } from "../wire/message-type.ts";

/** tensorflow.MemoryLogStep as a plain object: a step has begun. */
export interface MemoryLogStep {
  readonly stepId?: Int64 | undefined;
  /** Describes the feeds and fetches. */
  readonly handle?: string | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemoryLogTensorAllocation as a plain object: a tensor's buffer was allocated. */
export interface MemoryLogTensorAllocation {
  readonly stepId?: Int64 | undefined;
  /** The name of the kernel that allocated. */
  readonly kernelName?: string | undefined;
  readonly tensor?: TensorDescriptionProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemoryLogTensorDeallocation as a plain object: a tensor's buffer was deallocated. */
export interface MemoryLogTensorDeallocation {
  readonly allocationId?: Int64 | undefined;
  readonly allocatorName?: string | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemoryLogTensorOutput as a plain object: a kernel set one of its outputs. */
export interface MemoryLogTensorOutput {
  readonly stepId?: Int64 | undefined;
  readonly kernelName?: string | undefined;
  /** The index of the output. */
  readonly index?: number | undefined;
  readonly tensor?: TensorDescriptionProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemoryLogRawAllocation as a plain object: memory that does not belong to a tensor was allocated. */
export interface MemoryLogRawAllocation {
  readonly stepId?: Int64 | undefined;
  readonly operation?: string | undefined;
  readonly numBytes?: Int64 | undefined;
  /** The address, a uint64. */
  readonly ptr?: Int64 | undefined;
  readonly allocationId?: Int64 | undefined;
  readonly allocatorName?: string | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemoryLogRawDeallocation as a plain object: memory that does not belong to a tensor was deallocated. */
export interface MemoryLogRawDeallocation {
  readonly stepId?: Int64 | undefined;
  readonly operation?: string | undefined;
  readonly allocationId?: Int64 | undefined;
  readonly allocatorName?: string | undefined;
  /** True if the memory is deallocated later. */
  readonly deferred?: boolean | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/**
 * tensorflow.MemoryLogStep.
 *
 * @example
 * memoryLogStepCodec.toJson({ stepId: -6, handle: "h" }); // => { stepId: "-6", handle: "h" }
 */
export const memoryLogStepCodec: MessageCodec<MemoryLogStep> = new MessageCodec("tensorflow.MemoryLogStep", {
  stepId: one(1, "int64"),
  handle: one(2, "string"),
});

/**
 * tensorflow.MemoryLogTensorAllocation.
 *
 * @example
 * memoryLogTensorAllocationCodec.encode({ stepId: 1, tensor: { dtype: 1 } }); // => Uint8Array.of(8, 1, 26, 2, 8, 1)
 */
export const memoryLogTensorAllocationCodec: MessageCodec<MemoryLogTensorAllocation> = new MessageCodec(
  "tensorflow.MemoryLogTensorAllocation",
  { stepId: one(1, "int64"), kernelName: one(2, "string"), tensor: one(3, () => tensorDescriptionCodec) },
);

/**
 * tensorflow.MemoryLogTensorDeallocation.
 *
 * @example
 * memoryLogTensorDeallocationCodec.encode({ allocationId: 9, allocatorName: "a" }); // => Uint8Array.of(8, 9, 18, 1, 97)
 */
export const memoryLogTensorDeallocationCodec: MessageCodec<MemoryLogTensorDeallocation> = new MessageCodec(
  "tensorflow.MemoryLogTensorDeallocation",
  { allocationId: one(1, "int64"), allocatorName: one(2, "string") },
);

/**
 * tensorflow.MemoryLogTensorOutput.
 *
 * @example
 * memoryLogTensorOutputCodec.encode({ stepId: 1, index: 2 }); // => Uint8Array.of(8, 1, 24, 2)
 */
export const memoryLogTensorOutputCodec: MessageCodec<MemoryLogTensorOutput> = new MessageCodec("tensorflow.MemoryLogTensorOutput", {
  stepId: one(1, "int64"),
  kernelName: one(2, "string"),
  index: one(3, "int32"),
  tensor: one(4, () => tensorDescriptionCodec),
});

/**
 * tensorflow.MemoryLogRawAllocation.
 *
 * @example
 * memoryLogRawAllocationCodec.encode({ numBytes: 64, ptr: 2n ** 63n }).length; // => 13
 */
export const memoryLogRawAllocationCodec: MessageCodec<MemoryLogRawAllocation> = new MessageCodec("tensorflow.MemoryLogRawAllocation", {
  stepId: one(1, "int64"),
  operation: one(2, "string"),
  numBytes: one(3, "int64"),
  ptr: one(4, "uint64"),
  allocationId: one(5, "int64"),
  allocatorName: one(6, "string"),
});

/**
 * tensorflow.MemoryLogRawDeallocation.
 *
 * @example
 * memoryLogRawDeallocationCodec.encode({ allocationId: 4, deferred: true }); // => Uint8Array.of(24, 4, 40, 1)
 */
export const memoryLogRawDeallocationCodec: MessageCodec<MemoryLogRawDeallocation> = new MessageCodec(
  "tensorflow.MemoryLogRawDeallocation",
  {
    stepId: one(1, "int64"),
    operation: one(2, "string"),
    allocationId: one(3, "int64"),
    allocatorName: one(4, "string"),
    deferred: one(5, "bool"),
  },
);
