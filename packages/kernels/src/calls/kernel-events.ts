/**
 * kernel-events: counts what kernels do and reports it to hooks (TensorFlow's counterpart is the VLOG of its fusions).
 *
 * Counting costs next to nothing. Hooks are called when a kernel is compiled, and once for each reason why the plain evaluator
 * computes something instead of a kernel. That is never an error: the results are the same.
 */
import { checkOptions } from "@onebuffer/base/internal";

/** Functions that are called on events of kernels. */
export interface KernelHooks {
  /** Called when a kernel has been compiled. `key` is its structure. */
  readonly onKernelCompiled?: (key: string) => void;
  /** Called when the plain evaluator computes something for this reason for the first time in this process. */
  readonly onFallback?: (reason: string) => void;
}

/** Counts of events in this process so far. */
export interface KernelCounts {
  /** The number of kernels compiled. */
  readonly compiled: number;
  /** The number of kernel runs. */
  readonly runs: number;
  /** The number of times that an expression was planned, because no plan was kept for expressions like it. */
  readonly planned: number;
  /** The number of different reasons for which the plain evaluator has computed something. */
  readonly fallbackReasons: number;
}

const events: { hooks: KernelHooks; compiled: number; runs: number; planned: number } = { hooks: {}, compiled: 0, runs: 0, planned: 0 };
const reasons: Set<string> = new Set();

/**
 * Replaces all hooks and returns the previous ones. Throws INVALID_ARGUMENT if the argument is not an object.
 *
 * @example
 * const reasons: string[] = [];
 * const before = setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
 * setKernelHooks(before);
 * reasons; // => []
 */
export function setKernelHooks(next: KernelHooks): KernelHooks {
  checkOptions("setKernelHooks", next, ["onKernelCompiled", "onFallback"]);
  const before = events.hooks;
  events.hooks = next;
  return before;
}

/**
 * Returns the counts so far, as a new object.
 *
 * @example
 * const { compiled, runs } = kernelCounts();
 * compiled <= runs; // => true
 */
export function kernelCounts(): KernelCounts {
  const { compiled, runs, planned } = events;
  return { compiled, runs, planned, fallbackReasons: reasons.size };
}

/** Counts a compiled kernel and calls its hook. */
export function noteKernel(key: string): void {
  events.compiled++;
  events.hooks.onKernelCompiled?.(key);
}

/** Counts a run of a kernel. */
export function noteRun(): void {
  events.runs++;
}

/** Counts that an expression is planned. */
export function notePlanned(): void {
  events.planned++;
}

/** Records that the plain evaluator computes something, and calls the hook if the reason is new. */
export function fallBack(reason: string): void {
  if (reasons.has(reason)) return;
  reasons.add(reason);
  events.hooks.onFallback?.(reason);
}
