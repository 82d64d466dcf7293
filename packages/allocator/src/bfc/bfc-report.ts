/**
 * Reports about the state of an arena, as text and as objects (the dumps of tsl/framework/bfc_allocator.cc).
 *
 * The functions walk all chunks and change nothing.
 */
import { shownValue } from "@onebuffer/base/internal";
import type { AllocatorStats } from "../allocator/allocator-stats.ts";
import type { BfcArena } from "./bfc-chunk-list.ts";
import type { BinDebugInfo } from "./bfc-bins.ts";
import { binNumForUnits, kMinAllocationSize, kNumBins } from "./bfc-bins.ts";
import { kAddr, kFree, kInUse, kSize, kState } from "./bfc-chunks.ts";
import type { MemChunk, MemoryDump } from "./memory-dump.ts";

/** Returns the statistics of all 21 bins. A chunk counts in the bin of its size, free or in use. */
export function binDebugInfo(arena: BfcArena): BinDebugInfo[] {
  const bins = Array.from({ length: kNumBins }, () => ({
    totalBytesInUse: 0,
    totalBytesInBin: 0,
    totalRequestedBytesInUse: 0,
    totalChunksInUse: 0,
    totalChunksInBin: 0,
  }));
  const { words } = arena.chunks;
  arena.forEach((chunk) => {
    const units = words[chunk + kSize]!;
    const bin = bins[binNumForUnits(units)]!;
    bin.totalBytesInBin += units * kMinAllocationSize;
    bin.totalChunksInBin++;
    if (words[chunk + kState] !== kInUse) return;
    bin.totalBytesInUse += units * kMinAllocationSize;
    bin.totalRequestedBytesInUse += arena.chunks.requestedSize(chunk);
    bin.totalChunksInUse++;
  });
  return bins;
}

/** The number of characters of an occupancy picture. */
const kResolution = 100;

/** Returns a picture of all regions, end to end, in 100 characters: `_` free, `*` requested bytes, `x` padding of chunks in use. */
export function renderOccupancy(arena: BfcArena): string {
  let total = 0;
  for (const region of arena.regions.all) total += region.units * kMinAllocationSize;
  if (total === 0) return "<allocator contains no memory>";
  const cells = new Array<string>(kResolution).fill("_");
  // Bytes `from` to `to` mark every cell they touch, so later marks overwrite earlier ones in cells that they share.
  const render = (from: number, to: number, mark: string): void => {
    if (from >= to) return;
    cells.fill(mark, cellOf(from, total), cellOf(to - 1, total) + 1);
  };
  const { words } = arena.chunks;
  let before = 0;
  for (const region of arena.regions.all) {
    const start = before;
    arena.forEachOf(region, (chunk) => {
      if (words[chunk + kState] !== kInUse) return;
      const at = start + (words[chunk + kAddr]! - region.start) * kMinAllocationSize;
      const requested = arena.chunks.requestedSize(chunk);
      render(at + requested, at + words[chunk + kSize]! * kMinAllocationSize, "x");
      render(at, at + requested, "*");
    });
    before += region.units * kMinAllocationSize;
  }
  return cells.join("");
}

/** Returns floor(byte * 100 / total). Exact, because an arena is far smaller than 2^53 / 100 bytes. */
function cellOf(byte: number, total: number): number {
  return Math.floor((byte * kResolution) / total);
}

/** Returns a snapshot of all chunks, bins and statistics. */
export function memoryDump(arena: BfcArena, allocatorName: string, stats: AllocatorStats, fragmentation: number): MemoryDump {
  const { words } = arena.chunks;
  const chunk: MemChunk[] = [];
  arena.forEach((each) => {
    const units = words[each + kSize]!;
    const inUse = words[each + kState] === kInUse;
    chunk.push({
      address: words[each + kAddr]! * kMinAllocationSize,
      size: units * kMinAllocationSize,
      requestedSize: inUse ? arena.chunks.requestedSize(each) : 0,
      bin: words[each + kState] === kFree ? binNumForUnits(units) : -1,
      opName: "",
      freedAtCount: arena.chunks.freedAtCount(each),
      actionCount: 0,
      inUse,
      stepId: 0,
    });
  });
  const binSummary = binDebugInfo(arena).map((bin, index) => ({
    bin: index,
    totalBytesInUse: bin.totalBytesInUse,
    totalBytesInBin: bin.totalBytesInBin,
    totalChunksInUse: bin.totalChunksInUse,
    totalChunksInBin: bin.totalChunksInBin,
  }));
  const { numAllocs, bytesInUse, peakBytesInUse, largestAllocSize } = stats;
  return {
    allocatorName,
    binSummary,
    chunk,
    snapShot: [],
    stats: { numAllocs, bytesInUse, peakBytesInUse, largestAllocSize, fragmentationMetric: fragmentation },
  };
}

/** Follows the list of holders, which does not say where they were made. */
const kWhere = "; bufferLedger.enable() records where buffers are made";
/** The most sizes of chunks that a report lists as holders. */
const kHolders = 5;

/** Returns the sizes in use that hold the most bytes together, as `3 x 1048576 bytes, 1 x 4096 bytes`; "" if nothing is in use. */
function largestHolders(arena: BfcArena): string {
  const { words } = arena.chunks;
  const counts = new Map<number, number>();
  arena.forEach((chunk) => {
    if (words[chunk + kState] !== kInUse) return;
    const size = arena.chunks.requestedSize(chunk);
    counts.set(size, (counts.get(size) ?? 0) + 1);
  });
  const sizes = [...counts].sort(([a, m], [b, n]) => b * n - a * m || b - a);
  const listed = sizes.slice(0, kHolders).map(([size, count]) => `${count} x ${size} bytes`);
  return listed.length === 0 ? "" : listed.join(", ") + (sizes.length > kHolders ? `, and ${sizes.length - kHolders} other sizes` : "");
}

/**
 * Returns text that explains why there is no room: the largest holders, the statistics, the bins that are not empty, and the occupancy
 * picture.
 */
export function exhaustionReport(arena: BfcArena, name: string, stats: AllocatorStats, numBytes: number | null): string {
  const pool = stats.poolBytes ?? 0;
  const limit = stats.bytesLimit ?? 0;
  const largest = arena.largestFree * kMinAllocationSize;
  const asked = numBytes === null ? "" : `no room for ${shownValue(numBytes)} bytes; `;
  const holders = largestHolders(arena);
  const lines = [
    ...(holders === "" ? [] : [`largest holders: ${holders}${kWhere}`]),
    `allocator "${name}": ${asked}${stats.bytesInUse} bytes in use, ${pool - stats.bytesInUse} free, the largest free chunk ${largest}`,
    `taken ${pool} of at most ${limit} bytes, in ${arena.regions.all.length} regions`,
  ];
  binDebugInfo(arena).forEach((bin, index) => {
    if (bin.totalChunksInBin === 0) return;
    const free = bin.totalChunksInBin - bin.totalChunksInUse;
    lines.push(
      `bin ${index} (${kMinAllocationSize * 2 ** index} bytes and up): ${bin.totalChunksInUse} chunks in use, ${bin.totalBytesInUse} bytes (${bin.totalRequestedBytesInUse} requested); ${free} free, ${bin.totalBytesInBin - bin.totalBytesInUse} bytes`,
    );
  });
  lines.push(renderOccupancy(arena));
  return lines.join("\n");
}
