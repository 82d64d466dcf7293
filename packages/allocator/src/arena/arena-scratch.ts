/**
 * arena-scratch: the memory that kernels use besides their operands comes from this thread's arena, as what TensorFlow's kernels
 * take from `ctx->allocate_temp` comes from the device's allocator.
 *
 *     setScratchSource   reserve -> the arena has room?  yes: a block of it   no: a region of the linear memory, if any is left
 *
 * Reserved beside the arena it would cost a slab of address space each time, be missing once the arena has taken everything, and
 * stay behind when a thread ends; what lies in a dead thread's arena is free for others. The arena's figures count it.
 */
import type { ScratchSource } from "@onebuffer/eigen";
import { linearMemory } from "@onebuffer/wasm";
import { AllocationAttributes } from "../allocator/allocation-attributes.ts";
import type { Allocator } from "../allocator/allocator.ts";
import type { Pointer } from "../allocator/pointer.ts";

/** The grain that kernels expect. */
const kAlignment = 256;

/** A source over an arena in the linear memory. Answers null when neither the arena nor the linear memory has room. */
export function arenaScratch(arena: Allocator): ScratchSource {
  const memory = linearMemory();
  const taken = new Map<number, Pointer>();
  const once = new AllocationAttributes({ retryOnFailure: false });
  return {
    reserve(numBytes: number): number | null {
      const pointer = arena.allocateRaw(kAlignment, numBytes, once);
      if (pointer === null) return memory.reserve(numBytes);
      taken.set(pointer.byteOffset, pointer);
      return pointer.byteOffset;
    },
    release(byteOffset: number, numBytes: number): void {
      const pointer = taken.get(byteOffset);
      if (pointer === undefined) {
        memory.release(byteOffset, numBytes);
        return;
      }
      taken.delete(byteOffset);
      arena.deallocateRaw(pointer);
    },
  };
}
