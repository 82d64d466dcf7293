/**
 * defaultAllocator: where a Tensor's bytes come from when nobody says (TF: `cpu_allocator()` in tensor.cc).
 *
 * The one place that decides it, so that another allocator can take the CPU allocator's role everywhere at once.
 */
import type { Allocator } from "./allocator.ts";
import { cpuAllocator } from "./cpu-allocator.ts";

/**
 * The allocator used by constructors that are given none.
 *
 * @example
 * defaultAllocator().name; // => "cpu"
 */
export function defaultAllocator(): Allocator {
  return cpuAllocator();
}
