/**
 * kernel-events: what the kernels did, for whoever wants to know (TensorFlow's counterpart is the VLOG of its fusions).
 *
 * Counting costs nothing; the hooks are called when a kernel is compiled, and once for each reason why the plain evaluator
 * had to step in. That is never an error: the results are the same.
 */
import { checkObject } from "@onebuffer/base";

/** What can be listened to. */
export interface KernelHooks {
  /** A kernel was compiled; `key` is its structure. */
  readonly onKernelCompiled?: (key: string) => void;
  /** For the first time in this process the plain evaluator computes something for this reason. */
  readonly onFallback?: (reason: string) => void;
}

/** What has happened so far in this process. */
export interface KernelCounts {
  /** Kernels compiled. */
  readonly compiled: number;
  /** Kernels run. */
  readonly runs: number;
  /** Different reasons for which the plain evaluator has stepped in. */
  readonly fallbackReasons: number;
}

let hooks: KernelHooks = {};
let compiled = 0;
let runs = 0;
const reasons: Set<string> = new Set();

/**
 * Sets what is called from now on, in place of what was set before; answers that.
 *
 * @example
 * const reasons: string[] = [];
 * const before = setKernelHooks({ onFallback: (reason) => reasons.push(reason) });
 * setKernelHooks(before);
 * reasons; // => []
 */
export function setKernelHooks(next: KernelHooks): KernelHooks {
  checkObject(next, "hooks");
  const before = hooks;
  hooks = next;
  return before;
}

/**
 * The counts so far: a fresh object.
 *
 * @example
 * const { compiled, runs } = kernelCounts();
 * compiled <= runs; // => true
 */
export function kernelCounts(): KernelCounts {
  return { compiled, runs, fallbackReasons: reasons.size };
}

/** Counts a compiled kernel. */
export function noteKernel(key: string): void {
  compiled++;
  hooks.onKernelCompiled?.(key);
}

/** Counts a run. */
export function noteRun(): void {
  runs++;
}

/** Notes that the plain evaluator steps in, and tells so the first time. */
export function fallBack(reason: string): void {
  if (reasons.has(reason)) return;
  reasons.add(reason);
  hooks.onFallback?.(reason);
}
