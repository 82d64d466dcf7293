/**
 * The sweep: runs the garbage collector in the middle of a synchronous job and reclaims the buffers that the program has dropped.
 * Works in Node only (no counterpart in TensorFlow).
 *
 * Finalizers run between tasks, so a loop that never yields would fill the arena with tensors that it has dropped. The engine keeps the
 * targets of WeakRefs that a job has created or read ("kept objects") until the job ends. In Node, running a script in a context with
 * its own microtask queue clears them earlier. The sweep does that, runs the garbage collector, and finds every collected
 * Keeper by its WeakRef. This weakens a promise of the language to the other WeakRefs of the program: their targets may be collected
 * within a job. So a sweep is a last resort unless the program asks for more (sweep-policy.ts), and it can be switched off.
 *
 * The garbage collector is called through the function `gc` of a new context. The flag --expose-gc, which defines it, is cleared at once.
 */
import { reclaimDeadKeepers } from "./lifetime-net.ts";
import { kReclaimedBytes, kSweeps, lifetimeStats } from "./lifetime-stats.ts";
import { nodeBuiltin } from "./node-builtins.ts";

/** The functions of Node that a sweep needs. */
interface Collector {
  /** Clears the kept objects: the targets of WeakRefs that this job has created or read. */
  readonly clearKept: () => void;
  /** Runs a full garbage collection. */
  readonly collect: () => void;
}

/** The collector, or null if there is none; undefined before the first search. */
let found: Collector | null | undefined;
let enabled = true;
let isSweeping = false;

/** Switches sweeps on or off. They are on by default. */
export function enableSweep(value: boolean): void {
  enabled = value;
}

/** Returns true if a sweep would do anything: sweeps are switched on and the host is Node. */
export function canSweep(): boolean {
  return enabled && collector() !== null;
}

/**
 * Runs the garbage collector, reclaims the bytes of every buffer that was dropped, and returns their number. Returns 0 if sweeps are
 * not possible, and within a sweep. Takes some milliseconds, more if the heap is large.
 */
export function sweepForgotten(): number {
  if (!enabled || isSweeping) return 0;
  const collectorHere = collector();
  if (collectorHere === null) return 0;
  const before = lifetimeStats[kReclaimedBytes]!;
  isSweeping = true;
  try {
    lifetimeStats[kSweeps] = lifetimeStats[kSweeps]! + 1;
    collectorHere.clearKept();
    collectorHere.collect();
    reclaimDeadKeepers();
  } finally {
    isSweeping = false;
  }
  return lifetimeStats[kReclaimedBytes]! - before;
}

/** Runs a full garbage collection and returns true, or returns false if the host does not allow it. Does not clear the kept objects. */
export function collectGarbage(): boolean {
  const collectorHere = collector();
  if (collectorHere === null) return false;
  collectorHere.collect();
  return true;
}

function collector(): Collector | null {
  if (found === undefined) found = findCollector();
  return found;
}

/** Returns the functions for sweeps; null in browsers, and if the host's modules of these names are not Node's. */
function findCollector(): Collector | null {
  const vm = nodeBuiltin("vm");
  const v8 = nodeBuiltin("v8");
  if (vm === null || v8 === null) return null;
  try {
    const context = vm.createContext({}, { microtaskMode: "afterEvaluate" });
    const script = new vm.Script("0");
    let collect = vm.runInNewContext("typeof gc === 'function' ? gc : null");
    if (collect === null) {
      v8.setFlagsFromString("--expose-gc");
      try {
        collect = vm.runInNewContext("typeof gc === 'function' ? gc : null");
      } finally {
        v8.setFlagsFromString("--no-expose-gc");
      }
    }
    if (typeof collect !== "function") return null;
    const run = collect as () => void;
    return { clearKept: () => void script.runInContext(context), collect: () => run() };
  } catch {
    return null;
  }
}
