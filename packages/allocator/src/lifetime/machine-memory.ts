/**
 * machine-memory: how much memory this process may use, as far as the host says (TensorFlow's counterpart: port::GetMemoryInfo in
 * tsl/platform/mem.h).
 *
 * Node knows the machine's memory and the limit of the container or control group the process runs in. Browsers tell a page only a
 * rounded figure, and some none at all; nothing here asks them, for what depends on these figures is a collection of garbage, which a
 * page cannot run.
 */
import { nodeBuiltin, nodeProcess } from "./node-builtins.ts";

/** Bytes of memory that the machine or its container has, whichever is less; Infinity where the host does not say. */
export function machineMemory(): number {
  const total = sizeOr(() => nodeBuiltin("os")?.totalmem());
  // 0 where there is no limit in some versions of Node, 2^64 in others.
  const container = sizeOr(() => nodeProcess()?.constrainedMemory?.());
  return Math.min(total, container);
}

/** The bytes to which the engine lets the JavaScript heap of this thread grow; Infinity where the host does not say. */
export function heapLimit(): number {
  return sizeOr(() => nodeBuiltin("v8")?.getHeapStatistics().heap_size_limit);
}

/** What the host says if it is a number of bytes above 0; otherwise, and when the host throws, Infinity. */
function sizeOr(ask: () => unknown): number {
  try {
    const bytes = ask();
    return typeof bytes === "number" && bytes > 0 ? bytes : Infinity;
  } catch {
    // A host with modules of these names that are not Node's.
    return Infinity;
  }
}
