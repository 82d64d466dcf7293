/**
 * thread-arena: the arena of this thread, from which tensors get their bytes (TensorFlow's counterpart is the one allocator
 * per device that its BFC allocators are kept in, tensorflow/core/common_runtime/gpu/gpu_process_state.h).
 *
 * Everything that asks for the arena asks here. It is made at the first request: a BFCAllocator over slabs of the one linear
 * memory, in which other threads have theirs (arena-connection.ts). What a dead thread leaves becomes part of it.
 */
import { isStatusError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/wasm";
import { ArenaAllocator } from "./arena-allocator.ts";
import type { ArenaConnection } from "./arena-connection.ts";
import { arenaConnection } from "./arena-connection.ts";
import { arenaOptions } from "./arena-options.ts";
import type { ArenaProtocol } from "../threads/arena-protocol.ts";
import type { BFCAllocatorOptions } from "../bfc/bfc-options.ts";
import { forgottenReport } from "../lifetime/forgotten-report.ts";
import { sweepForgotten } from "../lifetime/sweep.ts";

/** What a thread has of the arena. */
export interface ThreadArena {
  /** Where its tensors' bytes come from. */
  readonly allocator: ArenaAllocator;
  /** Its side of what the threads agree by. */
  readonly protocol: ArenaProtocol;
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
  return { checked: arenaOptions.checked, doubleRegions: false, onExhausted: makeRoom, onReport: forgottenReport };
}

/**
 * What can be done about a full arena: the forgotten is looked for, and free slabs that came from here and there are given back,
 * to be taken again as one run.
 */
function makeRoom(): boolean {
  return sweepForgotten() > 0 || (existingThreadArena()?.allocator.giveSlabsBack() ?? 0) > 0;
}

/** Whether the arena was asked for, so that it is too late to say how it should be. */
export function isArenaDecided(): boolean {
  return arena !== undefined;
}

/** Takes up what other threads have given back, for all but the next allocation, which does so by itself. */
export function collectReturnedBlocks(): void {
  existingThreadArena()?.allocator.collectReturnedBlocks();
}

function makeArena(): ThreadArena | null {
  let connection: ArenaConnection;
  try {
    connection = arenaConnection();
  } catch (error) {
    // The engine has no room for any linear memory, and will not have: plain ArrayBuffers then.
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
  const { protocol } = connection;
  const { buffer } = linearMemory();
  const { slabs: count, slabUnits } = protocol.arena.layout;
  const all = (count - 1) * slabUnits * kUnitBytes; // the first one is page 0 and the control area
  const limit = Math.min(arenaOptions.limit ?? all, all);
  const allocator = new ArenaAllocator(protocol, buffer, limit, "bfc", arenaBehaviour());
  connection.allocator = allocator;
  return { allocator, protocol };
}
