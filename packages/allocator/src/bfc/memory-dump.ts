/**
 * MemoryDump: a snapshot of an arena, with the fields of TensorFlow's message of that name (tsl/protobuf/bfc_memory_map.proto).
 *
 * The types are plain objects in camelCase, which @onebuffer/proto can encode. Sizes and addresses are in bytes. An address counts
 * from the start of the arena's memory; several memories follow each other in one address space (bfc-region.ts).
 */

/** The statistics of the chunks of one bin. */
export interface BinSummary {
  readonly bin: number;
  readonly totalBytesInUse: number;
  readonly totalBytesInBin: number;
  readonly totalChunksInUse: number;
  readonly totalChunksInBin: number;
}

/** One chunk. */
export interface MemChunk {
  readonly address: number;
  readonly size: number;
  /** The bytes requested; 0 for a free chunk. */
  readonly requestedSize: number;
  /** The bin of a free chunk; -1 for other chunks. */
  readonly bin: number;
  /** Always "". TensorFlow sets it only in builds for memory debugging. */
  readonly opName: string;
  /** The stamp of a chunk that was freed with a timing counter and is not safe yet; otherwise 0. */
  readonly freedAtCount: number;
  /** Always 0. TensorFlow sets it only in builds for memory debugging. */
  readonly actionCount: number;
  readonly inUse: boolean;
  /** Always 0. TensorFlow sets it only in builds for memory debugging. */
  readonly stepId: number;
}

/** An entry of the size history, which exists only in TensorFlow's builds for memory debugging. */
export interface SnapShot {
  readonly actionCount: number;
  readonly size: number;
}

/** The statistics of the allocator. */
export interface MemAllocatorStats {
  readonly numAllocs: number;
  readonly bytesInUse: number;
  readonly peakBytesInUse: number;
  readonly largestAllocSize: number;
  readonly fragmentationMetric: number;
}

/** A snapshot of an arena. */
export interface MemoryDump {
  readonly allocatorName: string;
  /** One entry for each of the 21 bins. */
  readonly binSummary: readonly BinSummary[];
  /** The chunks in order of address. */
  readonly chunk: readonly MemChunk[];
  /** Always empty. */
  readonly snapShot: readonly SnapShot[];
  readonly stats: MemAllocatorStats;
}
