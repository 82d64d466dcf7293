/**
 * arena-scratch: the memory that kernels use besides their operands comes from this thread's arena, as TensorFlow's kernels take
 * their temporary tensors from the device's allocator (`ctx->allocate_temp`).
 *
 *     reserveScratch   this thread has an arena, and it has room?   yes: a block of the arena
 *                                                                   no: a region of the linear memory, if any is left
 *
 * A region beside the arena costs a slab of address space, is missing once the arena has taken everything, and stays behind when the
 * thread ends. A block of the arena is free for other threads when its own thread is dead, and the arena's statistics count it.
 */
import { linearMemory } from "@onebuffer/wasm";
import { AllocationAttributes } from "../allocator/allocation-attributes.ts";
import type { Pointer } from "../allocator/pointer.ts";
import type { ArenaAllocator } from "./arena-allocator.ts";
import { existingThreadArena } from "./thread-arena.ts";

/** Offsets are multiples of this, in bytes: kernels expect it. */
const kAlignment = 256;
/** A kernel has other ways when there is no room, so a full arena is not searched for forgotten tensors. */
const once: AllocationAttributes = /* @__PURE__ */ new AllocationAttributes({ retryOnFailure: false });

/** The blocks of arenas in use as scratch memory, by offset. What is not in here is a region of the linear memory. */
const blocks: Map<number, { readonly allocator: ArenaAllocator; readonly pointer: Pointer }> = new Map();

/** Returns the offset of `numBytes` bytes of the linear memory, a multiple of 256, or null if there is no room. */
export function reserveScratch(numBytes: number): number | null {
  const arena = existingThreadArena();
  const pointer = arena === null ? null : arena.allocator.allocateRaw(kAlignment, numBytes, once);
  if (arena === null || pointer === null) return linearMemory().reserve(numBytes);
  blocks.set(pointer.byteOffset, { allocator: arena.allocator, pointer });
  return pointer.byteOffset;
}

/** Gives back what `reserveScratch(numBytes)` returned. */
export function releaseScratch(byteOffset: number, numBytes: number): void {
  const block = blocks.get(byteOffset);
  if (block === undefined) linearMemory().release(byteOffset, numBytes);
  else {
    blocks.delete(byteOffset);
    block.allocator.deallocateRaw(block.pointer);
  }
}
