/**
 * plan-store: the plans of all expressions that ran before, by the numbers that describe an expression (plan-numbers.ts). TensorFlow's
 * counterpart is the cache of executables that XLA compiled for a graph and its shapes.
 *
 *     add(mul(a, b), c) of equal sizes     numbers without sizes      a kernel that runs for any size (elementwise-kernel.ts)
 *     div(sum(x, 0), 5)                    numbers with sizes         the steps of a plan (kept-plan.ts)
 *
 * The first number tells the two kinds apart. Compiled kernels are in a store of their own (kernel-cache.ts): many plans share one
 * kernel, and kernels are evicted by the memory that they take.
 */
import type { DirectKernel } from "./elementwise-kernel.ts";
import type { KeptPlan } from "./kept-plan.ts";
import type { PlanPattern } from "./plan-pattern.ts";
import { areNumbers, copyOfNumbers, hashOfNumbers } from "../plan/plan-numbers.ts";

/** The most plans; beyond it the oldest is dropped. Several times the number of kernels that are kept. */
const kMaxPlans = 16384;
/** The bytes that all plans together may take. */
const kMaxBytes = 128 * 1048576;
/** About how many bytes a step of a plan takes, and each of its accesses. */
const kStepBytes = 1024;
const kAccessBytes = 256;

/** The numbers of an expression, and their hash. */
export interface PlanKey {
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly hash: number;
}

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

const plans: Map<number, StoredPlan> = new Map();
let numBytes = 0;

/** Returns the plan with the numbers of the current description; undefined if there is none. */
export function storedPlan(): StoredPlan | undefined {
  const stored = plans.get(hashOfNumbers());
  return stored !== undefined && areNumbers(stored.numbers) ? stored : undefined;
}

/** Returns the current description as a key for `storePlan`. */
export function currentKey(): PlanKey {
  return { numbers: copyOfNumbers(), hash: hashOfNumbers() };
}

/** Stores a plan. It replaces another one with the same hash. */
export function storePlan({ numbers, hash }: PlanKey, direct: DirectKernel | null, kept: KeptPlan | null): void {
  const bytes = numbers.byteLength + (kept === null ? kStepBytes : bytesOf(kept));
  drop(hash);
  while (plans.size > 0 && (plans.size >= kMaxPlans || numBytes + bytes > kMaxBytes)) drop(plans.keys().next().value as number);
  plans.set(hash, { numbers, direct, kept, bytes, pattern: undefined });
  numBytes += bytes;
}

/** Returns about how many bytes a kept plan takes. */
function bytesOf({ programs }: KeptPlan): number {
  let bytes = 0;
  for (const { calls } of programs) for (const { nest } of calls) bytes += kStepBytes + kAccessBytes * nest.accesses.length;
  return bytes;
}

/** Drops the plan with this hash, if there is one. */
function drop(hash: number): void {
  numBytes -= plans.get(hash)?.bytes ?? 0;
  plans.delete(hash);
}
