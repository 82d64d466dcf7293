/**
 * defaultAllocator: where a Tensor's bytes come from when nobody says (TF: `cpu_allocator()` in tensor.cc).
 *
 * The one place that decides it: this thread's arena, and plain ArrayBuffers where an engine has no linear memory.
 */
import type { Allocator } from "./allocator.ts";
import { cpuAllocator } from "./cpu-allocator.ts";
import { threadArena } from "./thread-arena.ts";

let chosen: Allocator | null = null;

/**
 * The allocator used by constructors that are given none: a BFCAllocator over the linear memory, made at the first call.
 * `cpuAllocator()` in engines that cannot construct one.
 *
 * @example
 * defaultAllocator().name; // => "bfc"
 * defaultAllocator() === defaultAllocator(); // => true
 */
export function defaultAllocator(): Allocator {
  return (chosen ??= threadArena()?.allocator ?? cpuAllocator());
}
