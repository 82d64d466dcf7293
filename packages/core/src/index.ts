export { AllocationAttributes } from "./allocation-attributes.ts";
export type { AllocationDescription } from "./allocation-description.ts";
export { emptyAllocationDescription } from "./allocation-description.ts";
export { Allocator, AllocatorMemoryType, checkAllocationRequest, kAllocatorAlignment } from "./allocator.ts";
export { AllocatorAttributes } from "./allocator-attributes.ts";
export { AllocatorStats } from "./allocator-stats.ts";
export { AllocatorWrapper } from "./allocator-wrapper.ts";
export type { ArenaInvitation } from "./arena-invitation.ts";
export { arenaInvitation, joinArena } from "./arena-invitation.ts";
export { revokeThread, threadKey } from "./arena-watch.ts";
export type { BFCAllocatorOptions, CheckedOptions } from "./bfc-options.ts";
export { BFCAllocator } from "./bfc-allocator.ts";
export type { AdoptedAllocation } from "./bfc-arena.ts";
export type { BinDebugInfo } from "./bfc-bins.ts";
export type { WriteAfterFree } from "./bfc-quarantine.ts";
export type { TimingCounter } from "./bfc-stamped-chunks.ts";
export { Buffer } from "./buffer.ts";
export { BufferBase } from "./buffer-base.ts";
export type { BufferLedger, LedgerEntry, LedgerMistake, LedgerSubject } from "./buffer-ledger.ts";
export { bufferLedger } from "./buffer-ledger.ts";
export { bytesCopied, countCopied } from "./bytes-copied.ts";
export type { MemoryOptions } from "./configure-memory.ts";
export { configureMemory } from "./configure-memory.ts";
export { compressTensorProtoInPlace } from "./compress-tensor-proto.ts";
export {
  CPUAllocator,
  cpuAllocator,
  cpuAllocatorFullStatsEnabled,
  cpuAllocatorStatsEnabled,
  disableCpuAllocatorStats,
  enableCpuAllocatorFullStats,
  enableCpuAllocatorStats,
} from "./cpu-allocator.ts";
export { createTensorProto } from "./create-tensor-proto.ts";
export { defaultAllocator } from "./default-allocator.ts";
export type { AllocatorDescription, Description } from "./describe.ts";
export { describe } from "./describe.ts";
export type { ShapeDescription, ShapeField } from "./describe-shape.ts";
export type { DescribedTensor, Placement, RootDescription, TensorPicture } from "./describe-tensor.ts";
export { doubleText, floatText } from "./float-text.ts";
export type { ForeignMemory } from "./foreign-buffer.ts";
export { ForeignBuffer } from "./foreign-buffer.ts";
export type { ForwardOptions } from "./forward-input.ts";
export { forwardInput, forwardInputOrAllocate } from "./forward-input.ts";
export { HostScalarTensorBuffer } from "./host-scalar-tensor-buffer.ts";
export { LinearMemorySubAllocator } from "./linear-memory-sub-allocator.ts";
export { liveBuffers } from "./live-buffers.ts";
export type { BinSummary, MemAllocatorStats, MemChunk, MemoryDump, SnapShot } from "./memory-dump.ts";
export type { ArenaSnapshot, MemorySnapshot } from "./memory-snapshot.ts";
export { memorySnapshot } from "./memory-snapshot.ts";
export type { TensorLike } from "./nested-array.ts";
export type { PrintedArray, PrintOptions } from "./numpy-print.ts";
export { numpyText } from "./numpy-print.ts";
export type { ElementLifecycle } from "./object-elements.ts";
export { elementLifecycle, kObjectElementSize, registerElementLifecycle } from "./object-elements.ts";
export type { Pointer } from "./pointer.ts";
export type { ReclaimOptions } from "./reclaim.ts";
export { reclaim } from "./reclaim.ts";
export type { FromProtoOptions } from "./proto-reading.ts";
export { getNewRef, RefCountPtr, ScopedUnref } from "./ref-count-ptr.ts";
export { RefCounted } from "./ref-counted.ts";
export type { CountedResource, DtypeAndShape, DtypeAndShapeProto, ResourceHandleFields, ResourceHandleProto } from "./resource-handle.ts";
export { ResourceHandle } from "./resource-handle.ts";
export type { Keep } from "./scope.ts";
export { scope } from "./scope.ts";
export type { TensorHandle } from "./share-tensor.ts";
export { receiveTensor, revokeHandle, shareTensor } from "./share-tensor.ts";
export type { SubAllocation, SubAllocatorVisitor } from "./sub-allocator.ts";
export { SubAllocator } from "./sub-allocator.ts";
export { SubBuffer } from "./sub-buffer.ts";
export type { FromOptions, TensorOptions, WrapOptions } from "./tensor.ts";
export { Tensor } from "./tensor.ts";
export { TensorBase } from "./tensor-base.ts";
export { TensorBuffer } from "./tensor-buffer.ts";
export type { Tolerance } from "./tensor-compare.ts";
export type { TensorDescription } from "./tensor-description.ts";
export type { ArrayElement } from "./tensor-elements.ts";
export type { DTypeOfInput } from "./tensor-input.ts";
export type { AllocationOptions, ShapeLike, TensorParts } from "./tensor-parts.ts";
export type { AsProtoOptions, TensorProto, VariantTensorDataProto } from "./tensor-proto.ts";
export type { BufferHolder } from "./tensor-reference.ts";
export { TensorReference } from "./tensor-reference.ts";
export { tensorOf } from "./tensor-of.ts";
export { tensorsOf } from "./tensors-of.ts";
export type { TensorsOf } from "./tensors-of.ts";
export { concat, deepCopy, makeShape, split } from "./tensor-util.ts";
export type { AllocRecord } from "./tracking-allocator.ts";
export { TrackingAllocator } from "./tracking-allocator.ts";
export type { TensorBytes, TensorTransfer } from "./transfer-tensor.ts";
export { transferTensor } from "./transfer-tensor.ts";
export type { ObjectPointer } from "./typed-allocator.ts";
export { elementSizeOf, TypedAllocator } from "./typed-allocator.ts";
export { decodeUtf8, encodeUtf8 } from "./utf8.ts";
export { UnknownVariant } from "./unknown-variant.ts";
export type { VariantDecodeFunction, VariantValue } from "./variant.ts";
export {
  decodeUnaryVariant,
  encodeVariant,
  hasUnaryVariantDecodeFunction,
  kTensorTypeName,
  registerUnaryVariantDecodeFunction,
  Variant,
} from "./variant.ts";
export type { VariantNumbers } from "./variant-number.ts";
export { getVariantMetadata, setVariantMetadata } from "./variant-number.ts";
export type { VariantTensor, VariantTensorData } from "./variant-tensor-data.ts";
export {
  disposeVariantTensorData,
  newVariantTensorData,
  variantTensorDataDebugString,
} from "./variant-tensor-data.ts";
export { variantTensorDataFromProto, variantTensorDataToProto } from "./variant-tensor-data-proto.ts";
export type { WeakNotifyFn } from "./weak-ptr.ts";
export { WeakPtr, WeakRefCounted } from "./weak-ptr.ts";
