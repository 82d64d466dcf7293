/**
 * The codec of MemoryDump (tsl/protobuf/bfc_memory_map.proto), a snapshot of a BFC allocator's memory.
 *
 * The interfaces are like the allocator's, but every field is optional and 64-bit integers may be bigints, because encoded messages
 * can contain such values. The allocator's objects conform to these interfaces.
 */
import type { UnknownField } from "@onebuffer/base";
import type { Int64 } from "../wire/int64.ts";
import { MessageCodec } from "../wire/message-codec.ts";
import { list, one } from "../wire/message-type.ts";

/** tensorflow.BinSummary as a plain object. */
export interface BinSummaryProto {
  readonly bin?: number | undefined;
  readonly totalBytesInUse?: Int64 | undefined;
  readonly totalBytesInBin?: Int64 | undefined;
  readonly totalChunksInUse?: Int64 | undefined;
  readonly totalChunksInBin?: Int64 | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemChunk as a plain object. */
export interface MemChunkProto {
  readonly address?: Int64 | undefined;
  readonly size?: Int64 | undefined;
  readonly requestedSize?: Int64 | undefined;
  readonly bin?: number | undefined;
  readonly opName?: string | undefined;
  readonly freedAtCount?: Int64 | undefined;
  readonly actionCount?: Int64 | undefined;
  readonly inUse?: boolean | undefined;
  readonly stepId?: Int64 | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.SnapShot as a plain object. */
export interface SnapShotProto {
  readonly actionCount?: Int64 | undefined;
  readonly size?: Int64 | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemAllocatorStats as a plain object. */
export interface MemAllocatorStatsProto {
  readonly numAllocs?: Int64 | undefined;
  readonly bytesInUse?: Int64 | undefined;
  readonly peakBytesInUse?: Int64 | undefined;
  readonly largestAllocSize?: Int64 | undefined;
  /** A float32. */
  readonly fragmentationMetric?: number | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

/** tensorflow.MemoryDump as a plain object. */
export interface MemoryDumpProto {
  readonly allocatorName?: string | undefined;
  readonly binSummary?: readonly BinSummaryProto[] | undefined;
  readonly chunk?: readonly MemChunkProto[] | undefined;
  readonly snapShot?: readonly SnapShotProto[] | undefined;
  readonly stats?: MemAllocatorStatsProto | undefined;
  readonly unknownFields?: readonly UnknownField[] | undefined;
}

const binSummaryCodec: MessageCodec<BinSummaryProto> = new MessageCodec("tensorflow.BinSummary", {
  bin: one(1, "int32"),
  totalBytesInUse: one(2, "int64"),
  totalBytesInBin: one(3, "int64"),
  totalChunksInUse: one(4, "int64"),
  totalChunksInBin: one(5, "int64"),
});

const memChunkCodec: MessageCodec<MemChunkProto> = new MessageCodec("tensorflow.MemChunk", {
  address: one(1, "uint64"),
  size: one(2, "int64"),
  requestedSize: one(3, "int64"),
  bin: one(4, "int32"),
  opName: one(5, "string"),
  freedAtCount: one(6, "uint64"),
  actionCount: one(7, "uint64"),
  inUse: one(8, "bool"),
  stepId: one(9, "uint64"),
});

const snapShotCodec: MessageCodec<SnapShotProto> = new MessageCodec("tensorflow.SnapShot", {
  actionCount: one(1, "uint64"),
  size: one(2, "int64"),
});

const memAllocatorStatsCodec: MessageCodec<MemAllocatorStatsProto> = new MessageCodec("tensorflow.MemAllocatorStats", {
  numAllocs: one(1, "int64"),
  bytesInUse: one(2, "int64"),
  peakBytesInUse: one(3, "int64"),
  largestAllocSize: one(4, "int64"),
  fragmentationMetric: one(5, "float"),
});

/**
 * tensorflow.MemoryDump. Also accepts the MemoryDump that `BFCAllocator.recordMemoryMap()` returns.
 *
 * @example
 * memoryDumpCodec.encode({ allocatorName: "a", chunk: [{ bin: -1, inUse: true }] }).length; // => 18
 * memoryDumpCodec.toJson({ stats: { bytesInUse: 256, fragmentationMetric: 0.5 } }); // => { stats: { bytesInUse: "256", fragmentationMetric: 0.5 } }
 */
export const memoryDumpCodec: MessageCodec<MemoryDumpProto> = new MessageCodec("tensorflow.MemoryDump", {
  allocatorName: one(1, "string"),
  binSummary: list(2, () => binSummaryCodec),
  chunk: list(3, () => memChunkCodec),
  snapShot: list(4, () => snapShotCodec),
  stats: one(5, () => memAllocatorStatsCodec),
});
