/**
 * thread-arena: makes and holds the arena from which this thread's tensors get their bytes (TensorFlow's counterpart is the table of
 * BFC allocators, one per device, in tensorflow/core/common_runtime/gpu/gpu_process_state.h).
 *
 * The first request makes the arena: a BFCAllocator over this thread's slabs of the linear memory, in which other threads have
 * slabs, too (arena-connection.ts).
 */
import { isStatusError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { ArenaAllocator } from "./arena-allocator.ts";
import type { ArenaConnection } from "./arena-connection.ts";
import { arenaConnection } from "./arena-connection.ts";
import { arenaOptions } from "./arena-options.ts";
import { kUnitBytes } from "../threads/arena-layout.ts";
import type { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { BFCAllocatorOptions } from "../bfc/bfc-options.ts";
import { forgottenReport } from "../lifetime/forgotten-report.ts";
import { sweepForgotten } from "../lifetime/sweep.ts";

/** A thread's part of the arena. */
export interface ThreadArena {
  /** The allocator of the thread's tensors. */
  readonly allocator: ArenaAllocator;
  /** The thread's side of the protocol between threads. */
  readonly protocol: ArenaProtocol;
}

/** Undefined until the first `threadArena` call; null if no linear memory can be constructed. */
let arena: ThreadArena | null | undefined;

/** Returns this thread's arena, made at the first call; null if no linear memory can be constructed. */
export function threadArena(): ThreadArena | null {
  if (arena === undefined) arena = makeArena();
  return arena;
}

/** Returns this thread's arena if it has been made; otherwise null. */
export function existingThreadArena(): ThreadArena | null {
  return arena ?? null;
}

/** Returns the options of a thread's allocator: those of `configureMemory`, and callbacks that free memory and report when it is full. */
export function arenaBehavior(): BFCAllocatorOptions {
  return { checked: arenaOptions.checked, doubleRegions: false, onExhausted: makeRoom, onReport: forgottenReport };
}

/**
 * Tries to make room in a full arena: sweeps for dropped tensors, and otherwise releases free slabs that are not adjacent, so that
 * adjacent ones can be claimed. Returns true if anything was freed.
 */
function makeRoom(): boolean {
  return sweepForgotten() > 0 || (existingThreadArena()?.allocator.giveSlabsBack() ?? 0) > 0;
}

/** Returns true if `threadArena` has been called, so that it is too late to set the arena's options. */
export function isArenaDecided(): boolean {
  return arena !== undefined;
}

/** Frees the blocks that other threads have returned. The next allocation would do so, too; other readers of the state call this. */
export function collectReturnedBlocks(): void {
  existingThreadArena()?.allocator.collectReturnedBlocks();
}

function makeArena(): ThreadArena | null {
  let connection: ArenaConnection;
  try {
    connection = arenaConnection();
  } catch (error) {
    // The engine has no room for a linear memory, now or later: tensors will use plain ArrayBuffers.
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
  const { protocol } = connection;
  const { buffer } = linearMemory();
  const { slabs: count, slabUnits } = protocol.arena.layout;
  const all = (count - 1) * slabUnits * kUnitBytes; // without the first slab, which contains page 0 and the control area
  const limit = Math.min(arenaOptions.limit ?? all, all);
  const allocator = new ArenaAllocator(protocol, buffer, limit, "bfc", arenaBehavior());
  connection.allocator = allocator;
  return { allocator, protocol };
}
