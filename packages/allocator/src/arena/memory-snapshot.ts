/**
 * memorySnapshot: a report of what this thread's memory is used for (TensorFlow's counterparts: AllocatorStats and the memory dumps
 * of tsl/framework/bfc_allocator.cc).
 */
import { arenaCensus } from "../threads/arena-census.ts";
import { existingConnection } from "./arena-connection.ts";
import { watchThreads } from "./arena-watch.ts";
import type { LedgerEntry } from "../refs/buffer-ledger.ts";
import { bufferLedger } from "../refs/buffer-ledger.ts";
import { netFailures, watchedBuffers, watchedBytes } from "../lifetime/lifetime-net.ts";
import { liveBuffers } from "../refs/live-buffers.ts";
import { kReclaimedBuffers, kReclaimedBytes, kSweeps, lifetimeStats } from "../lifetime/lifetime-stats.ts";
import { existingThreadArena, collectReturnedBlocks } from "./thread-arena.ts";

/** The part of a snapshot that describes the arena. */
export interface ArenaSnapshot {
  /** The allocator's name. */
  readonly name: string;
  /** The bytes taken from the linear memory, in use or free. */
  readonly poolBytes: number;
  /** The maximum of `poolBytes`. */
  readonly bytesLimit: number;
  /** The bytes of the chunks in use. */
  readonly bytesInUse: number;
  /** The highest value that `bytesInUse` has had. */
  readonly peakBytesInUse: number;
  /** `poolBytes` minus `bytesInUse`; includes quarantined bytes in checked mode. */
  readonly freeBytes: number;
  /** The bytes of the largest free chunk. */
  readonly largestFreeBytes: number;
  /** The fraction of the free bytes that is not in the largest free chunk, from 0 to 1. */
  readonly fragmentation: number;
  /** The number of chunks in use. */
  readonly chunksInUse: number;
  /** The number of free chunks; includes quarantined chunks in checked mode. */
  readonly freeChunks: number;
}

/** A report of this thread's memory at one moment. */
export interface MemorySnapshot {
  /** The number of root buffers, of all allocators, that have not had their last `unref`. */
  readonly liveBuffers: number;
  /** The number of buffers that the lifetime net watches, and would reclaim if they were dropped. */
  readonly watchedBuffers: number;
  /** The bytes of the watched buffers, each rounded up to a multiple of 256. */
  readonly watchedBytes: number;
  /** The number of dropped buffers reclaimed so far. */
  readonly reclaimedBuffers: number;
  /** The bytes of the reclaimed buffers, each rounded up to a multiple of 256. */
  readonly reclaimedBytes: number;
  /** How often a job was interrupted to search for dropped buffers. */
  readonly sweeps: number;
  /** The errors, as text, that allocators threw when dropped buffers were deallocated; the first 16. */
  readonly reclaimFailures: readonly string[];
  /** The arena; null before the first tensor and in engines without a linear memory. */
  readonly arena: ArenaSnapshot | null;
  /** The number of threads in the arena, including this one; 0 before there is an arena. Two copies of the library count as two threads. */
  readonly threads: number;
  /** The number of buffers, of all threads, that were shared and have not been returned to the thread that made them. */
  readonly blocks: number;
  /** The number of handles, of all threads, that were neither received nor revoked. Each keeps its buffer alive. */
  readonly tickets: number;
  /** The live buffers and references with the stacks that made them. Empty unless `bufferLedger` is enabled. */
  readonly holders: readonly LedgerEntry[];
}

/**
 * Returns a report of what this thread's memory is used for: plain data, copied. It first frees the blocks that other threads have
 * returned, and takes time proportional to the number of chunks of the arena.
 *
 * @example
 * using t = Tensor.zeros([1000]);
 * const { arena, liveBuffers, holders } = memorySnapshot();
 * [liveBuffers >= 1, arena !== null && arena.bytesInUse >= 4000]; // => [true, true]
 * memorySnapshot().arena?.name; // => "bfc"
 * const handle = shareTensor(t);
 * memorySnapshot().tickets; // => 1
 * revokeHandle(handle);
 * [memorySnapshot().tickets, memorySnapshot().blocks]; // => [0, 1]
 */
export function memorySnapshot(): MemorySnapshot {
  watchThreads();
  collectReturnedBlocks();
  const connection = existingConnection();
  const census = connection === null ? null : arenaCensus(connection.protocol.arena);
  return {
    liveBuffers: liveBuffers(),
    watchedBuffers: watchedBuffers(),
    watchedBytes: watchedBytes(),
    reclaimedBuffers: lifetimeStats[kReclaimedBuffers]!,
    reclaimedBytes: lifetimeStats[kReclaimedBytes]!,
    sweeps: lifetimeStats[kSweeps]!,
    reclaimFailures: netFailures(),
    arena: arenaSnapshot(),
    threads: census?.threads ?? 0,
    blocks: census?.blocks ?? 0,
    tickets: census?.tickets ?? 0,
    holders: bufferLedger.held(),
  };
}

function arenaSnapshot(): ArenaSnapshot | null {
  const allocator = existingThreadArena()?.allocator;
  if (allocator === undefined) return null;
  const { bytesInUse, peakBytesInUse, ...stats } = allocator.getStats();
  const poolBytes = stats.poolBytes ?? 0;
  let chunksInUse = 0;
  let freeChunks = 0;
  for (const bin of allocator.binDebugInfo()) {
    chunksInUse += bin.totalChunksInUse;
    freeChunks += bin.totalChunksInBin - bin.totalChunksInUse;
  }
  return {
    name: allocator.name,
    poolBytes,
    bytesLimit: stats.bytesLimit ?? 0,
    bytesInUse,
    peakBytesInUse,
    freeBytes: poolBytes - bytesInUse,
    largestFreeBytes: allocator.largestFreeChunk(),
    fragmentation: allocator.fragmentation(),
    chunksInUse,
    freeChunks,
  };
}
