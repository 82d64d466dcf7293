/**
 * defaultAllocator: the allocator of tensors that are made without one (TF: `cpu_allocator()` in tensorflow/core/framework/tensor.cc).
 *
 * It is this thread's arena, or cpuAllocator() with plain ArrayBuffers if the engine cannot construct a linear memory.
 */
import { linearMemory } from "@onebuffer/wasm";
import type { Allocator } from "../allocator/allocator.ts";
import { noteSteadyMemory } from "../allocator/buffer-memory.ts";
import { cpuAllocator } from "../allocator/cpu-allocator.ts";
import { threadArena } from "./thread-arena.ts";

let chosen: Allocator | null = null;

/**
 * Returns the allocator that tensors use by default: a BFCAllocator over the linear memory, made at the first call. Returns
 * `cpuAllocator()` if the engine cannot construct a linear memory.
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
