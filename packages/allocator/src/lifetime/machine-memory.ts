/**
 * The amount of memory that this process may use, if the host provides it (port::GetMemoryInfo in tsl/platform/mem.h).
 *
 * Node provides the machine's memory and the limit of the container or control group of the process. Browsers provide a rounded value or
 * none. They are not asked, because the values decide only when to run the garbage collector, which a page cannot do.
 */
import { nodeBuiltin, nodeProcess } from "./node-builtins.ts";

/** Returns the memory of the machine or the limit of its container in bytes, whichever is less; Infinity if the host provides neither. */
export function machineMemory(): number {
  const total = sizeOr(() => nodeBuiltin("os")?.totalmem());
  // Without a limit this is 0 in some versions of Node and 2^64 in others.
  const container = sizeOr(() => nodeProcess()?.constrainedMemory?.());
  return Math.min(total, container);
}

/** Returns the limit of this thread's JavaScript heap in bytes; Infinity if the host does not provide it. */
export function heapLimit(): number {
  return sizeOr(() => nodeBuiltin("v8")?.getHeapStatistics().heap_size_limit);
}

/** Returns the result of `read` if it is a number above 0. Returns Infinity otherwise, and if `read` throws. */
function sizeOr(read: () => unknown): number {
  try {
    const bytes = read();
    return typeof bytes === "number" && bytes > 0 ? bytes : Infinity;
  } catch {
    // The host has modules of these names that are not Node's.
    return Infinity;
  }
}
