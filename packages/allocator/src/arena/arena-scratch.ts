/**
 * arena-scratch: allocates the temporary memory of kernels from this thread's arena (in TensorFlow `ctx->allocate_temp`, which
 * allocates from the device's allocator).
 *
 *     reserveScratch   this thread has an arena, and it has room?   yes: a block of the arena
 *                                                                   no: a region of the linear memory, if any is left
 *
 * The arena is better: a region outside it costs a slab of address space, is unavailable once the arena has taken everything, and is
 * lost when the thread ends. A block of the arena is counted in its statistics, and other threads can reclaim it when its thread ends.
 */
import { linearMemory } from "@onebuffer/wasm";
import { AllocationAttributes } from "../allocator/allocation-attributes.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { ArenaAllocator } from "./arena-allocator.ts";
import { existingThreadArena } from "./thread-arena.ts";

/** The alignment in bytes that kernels expect. */
const kAlignment = 256;
/** Without room a kernel uses another algorithm, so a full arena is not searched for dropped tensors first. */
const once: AllocationAttributes = /* @__PURE__ */ new AllocationAttributes({ retryOnFailure: false });

/** The arena blocks in use as scratch memory, by byte offset. Scratch memory that is not in this map is a region of the linear memory. */
const blocks: Map<number, { readonly allocator: ArenaAllocator; readonly pointer: Pointer }> = new Map();

/** Returns the offset of `numBytes` bytes of the linear memory, a multiple of 256, or null if there is no room. */
export function reserveScratch(numBytes: number): number | null {
  const arena = existingThreadArena();
  const pointer = arena === null ? null : arena.allocator.allocateRaw(kAlignment, numBytes, once);
  if (arena === null || pointer === null) return linearMemory().reserve(numBytes);
  blocks.set(pointer.byteOffset, { allocator: arena.allocator, pointer });
  return pointer.byteOffset;
}

/** Frees the memory at the offset that `reserveScratch(numBytes)` returned. */
export function releaseScratch(byteOffset: number, numBytes: number): void {
  const block = blocks.get(byteOffset);
  if (block === undefined) linearMemory().release(byteOffset, numBytes);
  else {
    blocks.delete(byteOffset);
    block.allocator.deallocateRaw(block.pointer);
  }
}
