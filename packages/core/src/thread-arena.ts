/**
 * thread-arena: the arena of this thread, from which tensors get their bytes (TensorFlow's counterpart is the one allocator
 * per device that its BFC allocators are kept in, tensorflow/core/common_runtime/gpu/gpu_process_state.h).
 *
 * Everything that asks for the arena asks here. It is made at the first request, over the linear memory of the process.
 */
import { isStatusError } from "@onebuffer/base";
import { linearMemory } from "@onebuffer/eigen";
import { arenaOptions } from "./arena-options.ts";
import type { BFCAllocatorOptions } from "./bfc-allocator.ts";
import { BFCAllocator } from "./bfc-allocator.ts";
import { forgottenReport } from "./forgotten-report.ts";
import { LinearMemorySubAllocator } from "./linear-memory-sub-allocator.ts";
import { sweepForgotten } from "./sweep.ts";

/** What a thread has of the arena. */
export interface ThreadArena {
  /** Where its tensors' bytes come from. */
  readonly allocator: BFCAllocator;
}

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
  return { checked: arenaOptions.checked, onExhausted: () => sweepForgotten() > 0, onReport: forgottenReport };
}

/** Whether the arena was asked for, so that it is too late to say how it should be. */
export function isArenaDecided(): boolean {
  return arena !== undefined;
}

function makeArena(): ThreadArena | null {
  let limit: number;
  try {
    limit = linearMemory().reservableBytes;
  } catch (error) {
    // The engine has no room for any linear memory, and will not have: plain ArrayBuffers then.
    if (isStatusError(error, "RESOURCE_EXHAUSTED")) return null;
    throw error;
  }
  const bytes = Math.min(arenaOptions.limit ?? limit, limit);
  return { allocator: new BFCAllocator(new LinearMemorySubAllocator(), bytes, "bfc", arenaBehaviour()) };
}
