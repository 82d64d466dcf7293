/**
 * The sweep policy: decides when to look for dropped tensors in the middle of a job (no counterpart in TensorFlow).
 *
 * A sweep (sweep.ts) runs the garbage collector and lets targets of WeakRefs be collected before the job ends, which other code can
 * observe. So by default it is a last resort:
 *
 *     sweep      due before RESOURCE_EXHAUSTED (thread-arena.ts), and when this thread's buffers hold
 *     true       a quarter of the memory of the machine or its container, or when the Keepers' records take a quarter of the
 *                JavaScript heap's limit: tensors of a few bytes fill the heap before they fill the arena
 *     "eager"    twice as much as after the last sweep, and at least 96 MiB
 *     false      never, not even before RESOURCE_EXHAUSTED
 *
 * With `true` the next sweep is due when a quarter more is held than after the last one, so that a program which really
 * needs that much memory pays for a few sweeps only. The allocation that is about to be made does not count, because it cannot have been
 * dropped yet. If the held memory falls, the mark for the next sweep stays: the pages are resident anyway.
 */
import { setBallastRatio } from "./ballast.ts";
import { keeperRecords } from "./lifetime-net.ts";
import { heapLimit, machineMemory } from "./machine-memory.ts";
import { kWatchedUnits, kKeeperMark, kNetUnit, kSweepMark, lifetimeStats } from "./lifetime-stats.ts";
import { canSweep, enableSweep, sweepForgotten } from "./sweep.ts";

/** When to look for dropped tensors in the middle of a job: as a last resort (true), eagerly, or never (false). */
export type SweepMode = boolean | "eager";

/** The smallest amounts at which a sweep is due. */
interface SweepBounds {
  /** Watched units. */
  readonly units: number;
  /** Keeper records. */
  readonly keepers: number;
  /** The next sweep is due at the amounts that the last sweep left, times this factor. */
  readonly growth: number;
}

// Local copies of imported constants: engines inline these, but load an imported constant at every use.
const WATCHED_UNITS = kWatchedUnits;
const SWEEP_MARK = kSweepMark;

/** 96 MiB in units. Below it no eager sweep is due and the host is not asked for its memory. */
const kFirstUnits = (96 * 1048576) / kNetUnit;
/** Below this number of Keepers the host is not asked for its memory: 96 MiB of one-element tensors have about as many. */
const kFirstKeepers = 131_072;
/** The fraction of the memory, or of the heap, that may be held before a sweep is due. */
const kMemoryFraction = 1 / 4;
/** Bytes that a dropped tensor leaves on the JavaScript heap until it is reclaimed, as measured in V8 11 and 13. */
const kRecordBytes = 320;

const kEager: SweepBounds = { units: kFirstUnits, keepers: Infinity, growth: 2 };

let isEager = false;
/** Null until a mark is passed for the first time. A program that stays below never asks the host for its memory. */
let bounds: SweepBounds | null = null;
resetBounds();

/** Runs a sweep if one is due. Call it before every watched allocation. */
export function sweepIfDue(): void {
  if (lifetimeStats[WATCHED_UNITS]! > lifetimeStats[SWEEP_MARK]!) onMarkPassed();
}

/** Sets when sweeps are due and scales the ballast. An argument that is undefined leaves its setting unchanged. */
export function setNetGrowth(sweep: SweepMode | undefined, ballastRatio: number | undefined): void {
  if (sweep !== undefined) {
    enableSweep(sweep !== false);
    isEager = sweep === "eager";
    resetBounds();
  }
  if (ballastRatio !== undefined) setBallastRatio(ballastRatio);
}

/** Forgets the bounds and sets the marks to their first values. */
function resetBounds(): void {
  bounds = null;
  lifetimeStats[SWEEP_MARK] = kFirstUnits;
  lifetimeStats[kKeeperMark] = kFirstKeepers;
}

/** Runs a sweep. At the first mark it determines the bounds and sweeps only if these are passed too. */
function onMarkPassed(): void {
  if (bounds === null) {
    bounds = canSweep() ? (isEager ? kEager : lastResortBounds()) : { units: Infinity, keepers: Infinity, growth: 1 };
    setMarks(bounds, 0, 0);
    if (lifetimeStats[WATCHED_UNITS]! <= bounds.units && keeperRecords() <= bounds.keepers) return;
  }
  sweepForgotten();
  setMarks(bounds, lifetimeStats[WATCHED_UNITS]!, keeperRecords());
}

/** Returns the bounds of the default mode: a quarter of the memory and of the heap limit. */
function lastResortBounds(): SweepBounds {
  return {
    units: (machineMemory() * kMemoryFraction) / kNetUnit,
    keepers: (heapLimit() * kMemoryFraction) / kRecordBytes,
    growth: 1 + kMemoryFraction,
  };
}

/** Sets the marks for the next sweep: the bounds, or the amounts held now times the growth factor if these are larger. */
function setMarks(at: SweepBounds, units: number, keepers: number): void {
  lifetimeStats[SWEEP_MARK] = Math.max(at.units, units * at.growth);
  lifetimeStats[kKeeperMark] = Math.max(at.keepers, keepers * at.growth);
}
