/**
 * memorySnapshot: what this thread's memory is used for (TensorFlow's counterparts: AllocatorStats and the memory dumps of
 * tsl/framework/bfc_allocator.cc).
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

/** The arena's part of a snapshot. */
export interface ArenaSnapshot {
  /** The allocator's name. */
  readonly name: string;
  /** Bytes taken from the linear memory, in use or free. */
  readonly poolBytes: number;
  /** The most it may take. */
  readonly bytesLimit: number;
  /** Bytes of the chunks in use. */
  readonly bytesInUse: number;
  /** The most there ever was of it. */
  readonly peakBytesInUse: number;
  /** Bytes taken that no chunk uses; in checked mode those held back are among them. */
  readonly freeBytes: number;
  /** The largest free chunk. */
  readonly largestFreeBytes: number;
  /** The part of the free bytes that is not in the largest free chunk, 0 to 1. */
  readonly fragmentation: number;
  /** Chunks in use. */
  readonly chunksInUse: number;
  /** Free chunks; in checked mode those held back are among them. */
  readonly freeChunks: number;
}

/** What this thread's memory is used for, at one moment. */
export interface MemorySnapshot {
  /** Root buffers whose last reference was not given back, of all allocators. */
  readonly liveBuffers: number;
  /** Buffers the lifetime net watches: they would come back if they were forgotten. */
  readonly watchedBuffers: number;
  /** Their bytes, each buffer's rounded up to 256. */
  readonly watchedBytes: number;
  /** Buffers that were forgotten and came back, since the start. */
  readonly reclaimedBuffers: number;
  /** Their bytes, counted in the same way. */
  readonly reclaimedBytes: number;
  /** How often a job was interrupted to look for forgotten buffers. */
  readonly sweeps: number;
  /** What allocators threw when forgotten bytes were given back to them, as text; the first 16. */
  readonly reclaimFailures: readonly string[];
  /** The arena, null before the first tensor and where there is none. */
  readonly arena: ArenaSnapshot | null;
  /** Threads that share the arena, this one included; 0 before there is one. A thread with two copies of the library counts twice. */
  readonly threads: number;
  /** Buffers that were shared and have not come back to the thread that made them, of all threads together. */
  readonly blocks: number;
  /** Handles that were neither received nor revoked, of all threads together: each keeps its buffer. */
  readonly tickets: number;
  /** Who holds what: buffers and references with the stacks that made them. Empty unless `bufferLedger` is on. */
  readonly holders: readonly LedgerEntry[];
}

/**
 * What this thread's memory is used for: plain data, a moment's copy. It walks all chunks of the arena. What other threads have
 * given back is taken up first.
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
