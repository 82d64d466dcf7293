/**
 * cpu-allocator-full-stats: makes the process-wide CPU allocator a TrackingAllocator (EnableCPUAllocatorFullStats in
 * tsl/framework/cpu_allocator_impl.cc). A file of its own: a program that never asks for full statistics has no TrackingAllocator in its
 * bundle.
 */
import { trackCpuAllocator } from "./cpu-allocator.ts";
import { TrackingAllocator } from "./tracking-allocator.ts";

let enabled = false;

/**
 * Makes the process-wide CPU allocator track the size of every allocation (TF's EnableCPUAllocatorFullStats). Call it before the first
 * allocation: buffers that exist already keep the allocator without tracking. It cannot be undone.
 *
 * @example
 * const measuring = false; // what a program would read from its command line
 * if (measuring) enableCpuAllocatorFullStats();
 * cpuAllocator().tracksAllocationSizes(); // => false
 */
export function enableCpuAllocatorFullStats(): void {
  enabled = true;
  trackCpuAllocator((allocator) => new TrackingAllocator(allocator, true));
}

/**
 * Returns true if `enableCpuAllocatorFullStats` was called.
 *
 * @example
 * cpuAllocatorFullStatsEnabled(); // => false
 */
export function cpuAllocatorFullStatsEnabled(): boolean {
  return enabled;
}
