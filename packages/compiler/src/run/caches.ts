/**
 * caches: everything that kernels remember from one assignment to the next, each with its limit. What is here can be forgotten at any time:
 * the next assignment plans or compiles again.
 *
 *     plans           by the numbers of expressions; TensorFlow keeps the executables that XLA compiled for a graph and its shapes
 *     recentPlans     the plans that were found last, by a mix of the operation and sizes of the expression (recall-plan.ts)
 *     recentKernels   the kernels of the fast path that last ran, by the code and depth of the root operation (elementwise-fast-path.ts)
 *     kernelCache()   compiled kernels, by their structure (kernel-cache.ts)
 *
 * Plans are of two kinds, which the first number tells apart:
 *
 *     add(mul(a, b), c) of equal sizes     numbers without sizes      a kernel that runs for any size (elementwise-kernel.ts)
 *     div(sum(x, 0), 5)                    numbers with sizes         the steps of a plan (kept-plan.ts)
 *
 * Many plans share one compiled kernel, and kernels are evicted by the memory that they take. An expression object remembers its own plan
 * (bound-plan.ts), as long as it lives.
 */
import { linearMemory } from "@onebuffer/wasm";
import type { DirectKernel } from "./elementwise-kernel.ts";
import { KernelCache } from "./kernel-cache.ts";
import type { KeptPlan } from "./kept-plan.ts";
import type { PlanPattern } from "./plan-pattern.ts";
import type { PlanKey, PlanNumbers } from "../plan/plan-numbers.ts";

/** The most plans. Several times the number of kernels that are kept. */
const kMaxPlans = 16384;
/** The bytes that all plans together may take, and all compiled kernels. */
const kMaxBytes = 128 * 1048576;
/** The number of places of each of the two lists of recent ones: a power of 2. */
export const kRecent = 1024;
/** About how many bytes a step of a plan takes, and each of its accesses. */
const kStepBytes = 1024;
const kAccessBytes = 256;

/**
 * A plan of one of the two kinds. Both are null for an elementwise expression that no kernel computes, and for several expressions that are
 * computed one after the other.
 */
export interface StoredPlan {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly direct: DirectKernel | null;
  readonly kept: KeptPlan | null;
  /** About how many bytes it takes. */
  readonly bytes: number;
  /** The pattern of the first expression that it was found for; null if that has none, undefined if it has yet to be made. */
  pattern: PlanPattern | null | undefined;
}

/** The plans that are kept. */
export class PlanStore {
  readonly #maxPlans: number;
  readonly #maxBytes: number;
  readonly #plans: Map<number, StoredPlan> = new Map();
  #numBytes = 0;

  /** Beyond `maxPlans` plans, or `maxBytes` that all of them take together, the oldest are dropped. */
  constructor(maxPlans: number, maxBytes: number) {
    this.#maxPlans = maxPlans;
    this.#maxBytes = maxBytes;
  }

  /** Returns the plan with the numbers of the current description; undefined if there is none. */
  find(numbers: PlanNumbers): StoredPlan | undefined {
    const stored = this.#plans.get(numbers.hash);
    return stored !== undefined && numbers.equals(stored.numbers) ? stored : undefined;
  }

  /** Stores a plan. It replaces another one with the same hash. */
  store({ numbers, hash }: PlanKey, direct: DirectKernel | null, kept: KeptPlan | null): void {
    const bytes = numbers.byteLength + (kept === null ? kStepBytes : bytesOf(kept));
    const plans = this.#plans;
    this.#drop(hash);
    while (plans.size > 0 && (plans.size >= this.#maxPlans || this.#numBytes + bytes > this.#maxBytes)) {
      this.#drop(plans.keys().next().value as number);
    }
    plans.set(hash, { numbers, direct, kept, bytes, pattern: undefined });
    this.#numBytes += bytes;
  }

  /** Drops the plan with this hash, if there is one. */
  #drop(hash: number): void {
    this.#numBytes -= this.#plans.get(hash)?.bytes ?? 0;
    this.#plans.delete(hash);
  }
}

/** Returns about how many bytes a kept plan takes. */
function bytesOf({ programs }: KeptPlan): number {
  let bytes = 0;
  for (const { calls } of programs) for (const { nest } of calls) bytes += kStepBytes + kAccessBytes * nest.accesses.length;
  return bytes;
}

/** The plans of all expressions that ran before. */
export const plans: PlanStore = new PlanStore(kMaxPlans, kMaxBytes);
/** The plans that were found last for dense results, as `noteRecent` lists them. */
export const recentPlans: (StoredPlan | null)[] = [];
/** The kernels of elementwise expressions that last ran, as `noteRecent` lists them. */
export const recentKernels: (DirectKernel | null)[] = [];

/** Lists a plan or a kernel at its place. The first one makes all places: 8 kB that a program which only loads the package does not need. */
export function noteRecent<T>(list: (T | null)[], place: number, found: T): void {
  while (list.length < kRecent) list.push(null);
  list[place] = found;
}

const compiled: { cache: KernelCache | null } = { cache: null };

/** Returns the compiled kernels over the linear memory of this process. Constructs the memory if it does not exist yet. */
export function kernelCache(): KernelCache {
  compiled.cache ??= new KernelCache(linearMemory().memory, kMaxBytes);
  return compiled.cache;
}
