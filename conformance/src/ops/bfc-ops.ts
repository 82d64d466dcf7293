/**
 * The operations on BFCAllocator (tf-tensor.json): scripts of allocations, bin numbers and rounded sizes.
 *
 * The steps of a script are alloc, free, alloc_range, free_all, repeat and dealloc_free_regions. Its checks read pointers, statistics,
 * chunks, regions, bins and the occupancy picture.
 */
import { BFCAllocator, kAllocatorAlignment } from "@onebuffer/allocator";
import type { AllocatorStats, BinDebugInfo, MemChunk, Pointer } from "@onebuffer/allocator";
import { toList, toSize, toText } from "../args.ts";
import type { Args } from "../args.ts";
import type { CaseScope } from "../case-scope.ts";
import type { State } from "../compare.ts";
import { operation } from "../operation.ts";
import type { Operations } from "../operation.ts";
import { Checks, Names, runSteps, verb } from "../script.ts";
import type { Verbs } from "../script.ts";
import { GapSubAllocator } from "../test-allocators.ts";
import type { Json } from "../vector.ts";

const kOptions = ["total_memory", "allow_growth", "garbage_collection", "fragmentation_fraction", "coalesce", "sub_gap"] as const;

/** The object behind a name of a script. The pointer is null if the allocation failed. */
interface Slot {
  pointer: Pointer | null;
}

/** Makes the allocator of a script. Options that the script does not list get their defaults. */
function makeAllocator(options: Args): BFCAllocator {
  const regions = new GapSubAllocator(options.optionalSize("sub_gap") ?? 0, options.flag("coalesce", true));
  return new BFCAllocator(regions, options.size("total_memory"), "bfc", {
    ...(options.has("allow_growth") && { allowGrowth: options.flag("allow_growth", true) }),
    ...(options.has("garbage_collection") && { garbageCollection: options.flag("garbage_collection", false) }),
    ...(options.has("fragmentation_fraction") && { fragmentationFraction: Number(options.json("fragmentation_fraction")) }),
  });
}

function statsState(stats: AllocatorStats): State {
  return {
    num_allocs: () => stats.numAllocs,
    bytes_in_use: () => stats.bytesInUse,
    peak_bytes_in_use: () => stats.peakBytesInUse,
    largest_alloc_size: () => stats.largestAllocSize,
    bytes_limit: () => stats.bytesLimit,
    bytes_reserved: () => stats.bytesReserved,
    peak_bytes_reserved: () => stats.peakBytesReserved,
    largest_free_block_bytes: () => stats.largestFreeBlockBytes,
    pool_bytes: () => stats.poolBytes,
    peak_pool_bytes: () => stats.peakPoolBytes,
  };
}

function binState(bin: BinDebugInfo): State {
  return {
    total_bytes_in_use: () => bin.totalBytesInUse,
    total_bytes_in_bin: () => bin.totalBytesInBin,
    total_requested_bytes_in_use: () => bin.totalRequestedBytesInUse,
    total_chunks_in_use: () => bin.totalChunksInUse,
    total_chunks_in_bin: () => bin.totalChunksInBin,
  };
}

/** Returns `[address, size, requested size or null, in use]`. */
function chunkRow({ address, size, requestedSize, inUse }: MemChunk): readonly unknown[] {
  return [address, size, inUse ? requestedSize : null, inUse];
}

/** Returns the steps of a script. They store their allocations in `slots`. */
function stepVerbs(allocator: BFCAllocator, slots: Names<Slot>): Verbs<void> {
  const live = new Set<Slot>();
  const alloc = (name: Json | undefined, numBytes: number): void => {
    const slot = { pointer: allocator.allocateRaw(kAllocatorAlignment, numBytes) };
    slots.set(name, slot);
    live.add(slot);
  };
  const free = (slot: Slot): void => {
    live.delete(slot);
    allocator.deallocateRaw(slot.pointer);
  };
  const verbs: Verbs<void> = {
    alloc: verb(2, (name, size) => alloc(name, toSize(size, "alloc"))),
    free: verb(1, (name) => free(slots.get(name))),
    alloc_range: verb(3, (prefix, from, to) => {
      const last = toSize(to, "alloc_range");
      for (let size = toSize(from, "alloc_range"); size <= last; size++) alloc(`${toText(prefix, "alloc_range")}${size}`, size);
    }),
    free_all: verb(0, () => [...live].forEach(free)),
    repeat: verb(2, (times, steps) => {
      for (let i = toSize(times, "repeat"); i > 0; i--) runSteps(verbs, toList(steps, "repeat"));
    }),
    dealloc_free_regions: verb(0, () => {
      allocator.deallocateFreeRegions();
    }),
  };
  return verbs;
}

function run(args: Args, scope: CaseScope): Checks {
  const allocator = makeAllocator(args.args("options", kOptions));
  scope.keep(allocator);
  const slots = new Names<Slot>();
  runSteps(stepVerbs(allocator, slots), args.list("steps"));
  const pointer = (name: Json | undefined): Pointer => slots.get(name).pointer as Pointer;
  const chunks = (): readonly MemChunk[] => allocator.recordMemoryMap().chunk;
  return new Checks({
    stats: verb(0, () => statsState(allocator.getStats())),
    offset: verb(1, (name) => pointer(name).byteOffset),
    allocated: verb(1, (name) => allocator.allocatedSize(pointer(name))),
    requested: verb(1, (name) => allocator.requestedSize(pointer(name))),
    null: verb(1, (name) => slots.get(name).pointer === null),
    chunks: verb(0, () => chunks().map(chunkRow)),
    regions: verb(0, () => allocator.regions()),
    num_regions: verb(0, () => allocator.regions().length),
    num_free_chunks: verb(0, () => chunks().filter(({ inUse }) => !inUse).length),
    bins: verb(0, () => Object.fromEntries(allocator.binDebugInfo().map((bin, index) => [index, binState(bin)]))),
    next_region_bytes: verb(0, () => allocator.currRegionAllocationBytes),
    pool_bytes: verb(0, () => allocator.getStats().poolBytes),
    occupancy: verb(0, () => allocator.renderOccupancy()),
  });
}

/** The operations by name. */
export const bfcOps: Operations = {
  "bfc.script": operation(["options", "steps"], run),
  "bfc.bin_num": operation(["bytes"], (args) => BFCAllocator.binNumForSize(args.size("bytes"))),
  "bfc.rounded_bytes": operation(["bytes"], (args) => BFCAllocator.roundedBytes(args.size("bytes"))),
};
