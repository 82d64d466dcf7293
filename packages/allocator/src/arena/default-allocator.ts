/**
 * defaultAllocator: where a Tensor's bytes come from when nobody says (TF: `cpu_allocator()` in tensor.cc).
 *
 * The one place that decides it: this thread's arena, and plain ArrayBuffers where an engine has no linear memory.
 */
import { linearMemory } from "@onebuffer/wasm";
import type { Allocator } from "../allocator/allocator.ts";
import { noteSteadyMemory } from "../allocator/buffer-memory.ts";
import { cpuAllocator } from "../allocator/cpu-allocator.ts";
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
  return chosen ?? choose();
}

function choose(): Allocator {
  const arena = threadArena();
  if (arena !== null) noteSteadyMemory(linearMemory().buffer);
  chosen = arena === null ? cpuAllocator() : arena.allocator;
  return chosen;
}
