export { AllocationAttributes } from "./allocation-attributes.ts";
export { emptyAllocationDescription } from "./allocation-description.ts";
export type { AllocationDescription } from "./allocation-description.ts";
export { AllocatorAttributes } from "./allocator-attributes.ts";
export { AllocatorStats } from "./allocator-stats.ts";
export { AllocatorWrapper } from "./allocator-wrapper.ts";
export { Allocator, AllocatorMemoryType, checkAllocationRequest, kAllocatorAlignment } from "./allocator.ts";
export { BufferBase } from "./buffer-base.ts";
export { bufferLedger } from "./buffer-ledger.ts";
export type { BufferLedger, LedgerEntry, LedgerMistake, LedgerSubject } from "./buffer-ledger.ts";
export { Buffer } from "./buffer.ts";
export {
  CPUAllocator,
  cpuAllocator,
  cpuAllocatorFullStatsEnabled,
  cpuAllocatorStatsEnabled,
  disableCpuAllocatorStats,
  enableCpuAllocatorFullStats,
  enableCpuAllocatorStats,
} from "./cpu-allocator.ts";
export { defaultAllocator } from "./default-allocator.ts";
export { ForeignBuffer } from "./foreign-buffer.ts";
export type { ForeignMemory } from "./foreign-buffer.ts";
export { HostScalarTensorBuffer } from "./host-scalar-tensor-buffer.ts";
export { liveBuffers } from "./live-buffers.ts";
export { elementLifecycle, kObjectElementSize, registerElementLifecycle } from "./object-elements.ts";
export type { ElementLifecycle } from "./object-elements.ts";
export type { Pointer } from "./pointer.ts";
export { RefCountPtr, ScopedUnref, getNewRef } from "./ref-count-ptr.ts";
export { RefCounted } from "./ref-counted.ts";
export { SubBuffer } from "./sub-buffer.ts";
export { TensorBuffer } from "./tensor-buffer.ts";
export { TensorReference } from "./tensor-reference.ts";
export type { BufferHolder } from "./tensor-reference.ts";
export { TrackingAllocator } from "./tracking-allocator.ts";
export type { AllocRecord } from "./tracking-allocator.ts";
export { TypedAllocator, elementSizeOf } from "./typed-allocator.ts";
export type { ObjectPointer } from "./typed-allocator.ts";
export { WeakPtr, WeakRefCounted } from "./weak-ptr.ts";
export type { WeakNotifyFn } from "./weak-ptr.ts";
