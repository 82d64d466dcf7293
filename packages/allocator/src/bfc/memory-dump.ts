/**
 * MemoryDump: a snapshot of an arena, as TensorFlow's message of that name (tsl/protobuf/bfc_memory_map.proto).
 *
 * Plain structural objects in camelCase, so that they can be turned into bytes by whoever knows the wire format. Sizes and
 * addresses are in bytes. An address counts from the start of the arena's memory, or, with several memories, on a line on
 * which they lie one behind the other.
 */

/** Figures over the chunks of one bin. */
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
  /** What was asked for; 0 of a free chunk. */
  readonly requestedSize: number;
  /** The bin of a free chunk, -1 of one in use. */
  readonly bin: number;
  /** Always "": TensorFlow fills it in builds for memory debugging only. */
  readonly opName: string;
  /** The stamp of a chunk that was freed with a timing counter and is not safe yet, otherwise 0. */
  readonly freedAtCount: number;
  /** Always 0, as `opName`. */
  readonly actionCount: number;
  readonly inUse: boolean;
  /** Always 0, as `opName`. */
  readonly stepId: number;
}

/** A point of the history of sizes that TensorFlow's builds for memory debugging keep. */
export interface SnapShot {
  readonly actionCount: number;
  readonly size: number;
}

/** The allocator's figures. */
export interface MemAllocatorStats {
  readonly numAllocs: number;
  readonly bytesInUse: number;
  readonly peakBytesInUse: number;
  readonly largestAllocSize: number;
  readonly fragmentationMetric: number;
}

/** The whole snapshot. */
export interface MemoryDump {
  readonly allocatorName: string;
  /** One for each of the 21 bins. */
  readonly binSummary: readonly BinSummary[];
  /** In order of address. */
  readonly chunk: readonly MemChunk[];
  /** Always empty. */
  readonly snapShot: readonly SnapShot[];
  readonly stats: MemAllocatorStats;
}
