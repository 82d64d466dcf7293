/**
 * The public face of @onebuffer/allocator: reference counts, allocators, the BFC arena, and the memory that all threads of a process share.
 */
export { AllocationAttributes } from "./allocator/allocation-attributes.ts";
export { emptyAllocationDescription } from "./allocator/allocation-description.ts";
export type { AllocationDescription } from "./allocator/allocation-description.ts";
export { AllocatorAttributes } from "./allocator/allocator-attributes.ts";
export { AllocatorStats } from "./allocator/allocator-stats.ts";
export { AllocatorWrapper } from "./allocator/allocator-wrapper.ts";
export { Allocator, AllocatorMemoryType, kAllocatorAlignment } from "./allocator/allocator.ts";
export {
  CPUAllocator,
  cpuAllocator,
  cpuAllocatorStatsEnabled,
  disableCpuAllocatorStats,
  enableCpuAllocatorStats,
} from "./allocator/cpu-allocator.ts";
export { cpuAllocatorFullStatsEnabled, enableCpuAllocatorFullStats } from "./allocator/cpu-allocator-full-stats.ts";
export { LinearMemorySubAllocator } from "./allocator/linear-memory-sub-allocator.ts";
export type { Pointer } from "./allocator/pointer.ts";
export { SubAllocator } from "./allocator/sub-allocator.ts";
export type { SubAllocation, SubAllocatorVisitor } from "./allocator/sub-allocator.ts";
export { TrackingAllocator } from "./allocator/tracking-allocator.ts";
export type { AllocRecord } from "./allocator/tracking-allocator.ts";
export { arenaInvitation, joinArena } from "./arena/arena-invitation.ts";
export type { ArenaInvitation } from "./arena/arena-invitation.ts";
export { revokeThread, threadKey } from "./arena/arena-watch.ts";
export { configureMemory } from "./arena/configure-memory.ts";
export type { MemoryOptions } from "./arena/configure-memory.ts";
export { defaultAllocator } from "./arena/default-allocator.ts";
export { reclaim } from "./arena/reclaim.ts";
export type { ReclaimOptions } from "./arena/reclaim.ts";
export { BFCAllocator } from "./bfc/bfc-allocator.ts";
export type { BinDebugInfo } from "./bfc/bfc-bins.ts";
export type { AdoptedAllocation } from "./bfc/bfc-chunk-list.ts";
export type { BFCAllocatorOptions, CheckedOptions } from "./bfc/bfc-options.ts";
export type { WriteAfterFree } from "./bfc/bfc-quarantine.ts";
export { SharedCounter } from "./bfc/shared-counter.ts";
export type { BinSummary, MemAllocatorStats, MemChunk, MemoryDump, SnapShot } from "./bfc/memory-dump.ts";
export { bytesCopied } from "./refs/bytes-copied.ts";
export { liveBuffers } from "./refs/live-buffers.ts";
export { getNewRef, RefCountPtr, ScopedUnref } from "./refs/ref-count-ptr.ts";
export { RefCounted } from "./refs/ref-counted.ts";
export { WeakPtr, WeakRefCounted } from "./refs/weak-ptr.ts";
export type { WeakNotifyFn } from "./refs/weak-ptr.ts";
