/**
 * The sweep: finds forgotten buffers in the middle of a synchronous loop, in Node (no counterpart in TensorFlow).
 *
 * Finalizers run between tasks, so a loop that never yields would fill the arena with tensors it has long dropped. Node can do
 * better. What a job has asked of WeakRefs is kept until the job ends or an embedder says otherwise; a script run in a
 * context with microtasks of its own says otherwise. Then the collector runs, and every Keeper it has taken is found by its
 * WeakRef. This weakens what the language promises to other WeakRefs of the program: their targets may vanish within a job. So a
 * sweep is a last resort unless the program asks for more (net-growth.ts), and can be switched off.
 *
 * The collector is called by a function of a fresh context; the flag that puts it there is taken back at once.
 */
import { loseDeadKeepers } from "./lifetime-net.ts";
import { kReclaimedBytes, kSweeps, lifetimeStats } from "./lifetime-stats.ts";
import { nodeBuiltin } from "./node-builtins.ts";

/** What Node lends. */
interface Collector {
  /** Forgets which targets of WeakRefs this job has seen. */
  readonly clearKept: () => void;
  /** Runs a full collection. */
  readonly collect: () => void;
}

/** Undefined until it was looked for. */
let found: Collector | null | undefined;
let enabled = true;
let isSweeping = false;

/** Switches sweeps on or off; on at the start. */
export function enableSweep(value: boolean): void {
  enabled = value;
}

/** Whether a sweep would do anything: switched on, and in Node. */
export function canSweep(): boolean {
  return enabled && collector() !== null;
}

/**
 * Collects garbage and gives back the bytes of every buffer that turns out to have been forgotten: how many. 0 where that cannot
 * be done, and from within a sweep. Takes some milliseconds, more where much is live.
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
    loseDeadKeepers();
  } finally {
    isSweeping = false;
  }
  return lifetimeStats[kReclaimedBytes]! - before;
}

/** Runs a full collection where the host allows it, and whether it did. Clears nothing that the job has kept. */
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

/** Null in browsers, and where the host has modules of these names that do something else. */
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
