/**
 * thread-arena: the arena of this thread, from which tensors get their bytes (TensorFlow's counterpart is the one allocator
 * per device that its BFC allocators are kept in, tensorflow/core/common_runtime/gpu/gpu_process_state.h).
 *
 * Everything that asks for the arena asks here. It is made at the first request: a BFCAllocator over slabs of the one linear
 * memory, in which other threads have theirs (arena-connection.ts). What a dead thread leaves becomes part of it.
 */
import { isStatusError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/eigen";
import { ArenaAllocator } from "./arena-allocator.ts";
import { arenaConnection, setReclaim } from "./arena-connection.ts";
import { arenaOptions } from "./arena-options.ts";
import type { ArenaProtocol } from "./arena-protocol.ts";
import type { BFCAllocatorOptions } from "./bfc-allocator.ts";
import { forgottenReport } from "./forgotten-report.ts";
import type { ReapedRegion } from "./reaping.ts";
import { SlabSubAllocator } from "./slab-sub-allocator.ts";
import { sweepForgotten } from "./sweep.ts";

/** What a thread has of the arena. */
export interface ThreadArena {
  /** Where its tensors' bytes come from. */
  readonly allocator: ArenaAllocator;
  /** Its side of what the threads agree by. */
  readonly protocol: ArenaProtocol;
  /** Where its slabs come from. */
  readonly slabs: SlabSubAllocator;
}

const kUnitBytes = 256;

/** Undefined until it was asked for; null where there can be none. */
let arena: ThreadArena | null | undefined;

/** This thread's arena, made at the first call; null where no linear memory can be constructed. */
export function threadArena(): ThreadArena | null {
  if (arena === undefined) arena = makeArena();
  return arena;
}

/** The arena if it was made already; null otherwise. */
export function existingThreadArena(): ThreadArena | null {
  return arena ?? null;
}

/** How a thread's allocator is to behave: as `configureMemory` was told, and asking the lifetime net before it gives up. */
export function arenaBehaviour(): BFCAllocatorOptions {
  return { checked: arenaOptions.checked, doubleRegions: false, onExhausted: () => sweepForgotten() > 0, onReport: forgottenReport };
}

/** Whether the arena was asked for, so that it is too late to say how it should be. */
export function isArenaDecided(): boolean {
  return arena !== undefined;
}

/** Takes up what other threads have given back, for all but the next allocation, which does so by itself. */
export function takeUpReturned(): void {
  const protocol = existingThreadArena()?.protocol;
  if (protocol?.needsDrain === true) protocol.drain();
}

/** Makes slabs that a dead thread left part of this thread's arena, as far as they are in use; the others are free for all. */
export function adoptRegions({ allocator, protocol, slabs }: ThreadArena, regions: readonly ReapedRegion[]): void {
  const slabBytes = protocol.arena.layout.slabUnits * kUnitBytes;
  const { buffer } = linearMemory();
  for (const { firstSlab, slabs: count, live } of regions) {
    let next = firstSlab;
    for (let i = 0; i < live.length; ) {
      // The run of slabs that this block and those that follow it without a free slab between lie in.
      const first = Math.floor((live[i]!.unit * kUnitBytes) / slabBytes);
      let end = first;
      const from = i;
      for (; i < live.length && Math.floor((live[i]!.unit * kUnitBytes) / slabBytes) <= end; i++)
        end = Math.max(end, Math.ceil((live[i]!.unit * kUnitBytes + live[i]!.bytes) / slabBytes));
      protocol.freeSlabs(next, first - next);
      const inUse = live.slice(from, i).map(({ unit, bytes }) => ({ byteOffset: unit * kUnitBytes, bytes }));
      const numBytes = (end - first) * slabBytes;
      allocator.adoptRegion({ buffer, byteOffset: first * slabBytes }, numBytes, inUse);
      slabs.countAdopted(numBytes);
      next = end;
    }
    protocol.freeSlabs(next, firstSlab + count - next);
  }
}

function makeArena(): ThreadArena | null {
  let protocol: ArenaProtocol;
  try {
    ({ protocol } = arenaConnection());
  } catch (error) {
    // The engine has no room for any linear memory, and will not have: plain ArrayBuffers then.
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
  const { buffer } = linearMemory();
  const { slabs: count, slabUnits } = protocol.arena.layout;
  const all = (count - 1) * slabUnits * kUnitBytes; // the first one is page 0 and the control area
  const limit = Math.min(arenaOptions.limit ?? all, all);
  const slabs = new SlabSubAllocator(protocol, buffer, limit);
  const allocator = new ArenaAllocator(protocol, slabs, limit, "bfc", arenaBehaviour());
  setReclaim((unit) => allocator.deallocateRaw({ buffer, byteOffset: unit * kUnitBytes }));
  return { allocator, protocol, slabs };
}
