/**
 * net-growth: when to look for forgotten tensors in the middle of a job (no counterpart in TensorFlow).
 *
 * A sweep runs the collector and ends what the job's WeakRefs keep, which other code can see. So by default it is a last resort:
 *
 *     sweep      due before RESOURCE_EXHAUSTED (thread-arena.ts), and when this thread's buffers hold
 *     true       a quarter of the memory that the machine or its container has, or a quarter of the JavaScript heap's limit with
 *                the records of Keepers: tensors of a few bytes fill the heap before they fill the arena
 *     "eager"    as much again as after the last sweep, at least 96 MiB
 *     false      never, nor before RESOURCE_EXHAUSTED
 *
 * After a sweep by default the next one is due when a quarter more is held than the sweep has left, so that a program which really
 * holds that much pays for a handful of them. What is about to be allocated does not count, for it cannot have been forgotten. A falling
 * amount does not bring the next sweep nearer: the pages are resident anyway.
 */
import { setBallastRatio } from "./ballast.ts";
import { keeperRecords } from "./lifetime-net.ts";
import { heapLimit, machineMemory } from "./machine-memory.ts";
import { kWatchedUnits, kKeeperMark, kNetUnit, kSweepMark, lifetimeStats } from "./lifetime-stats.ts";
import { canSweep, enableSweep, sweepForgotten } from "./sweep.ts";

/** When forgotten tensors are looked for in the middle of a job: as a last resort, eagerly, or never. */
export type SweepMode = boolean | "eager";

/** Amounts of which a sweep is due. */
interface SweepBounds {
  /** Units under watch. */
  readonly units: number;
  /** Records of Keepers. */
  readonly keepers: number;
  /** What an amount that a sweep has left is multiplied by for the next one. */
  readonly growth: number;
}

// The module's own, to be folded into its code: an imported constant is loaded at every use.
const WATCHED_UNITS = kWatchedUnits;
const SWEEP_MARK = kSweepMark;

/** No eager sweep is due below so many units, and no host is asked for its memory: 96 MiB. */
const kFirstUnits = (96 * 1048576) / kNetUnit;
/** No host is asked for its memory below so many Keepers: about as many as have 96 MiB of tensors of one element. */
const kFirstKeepers = 131_072;
/** The part of a memory that may be held before it is worth a sweep. */
const kPart = 1 / 4;
/** Bytes that a forgotten tensor leaves on the JavaScript heap until its record is looked at: measured in V8 11 and 13. */
const kRecordBytes = 320;

const kEager: SweepBounds = { units: kFirstUnits, keepers: Infinity, growth: 2 };

let isEager = false;
/** Null until a mark is passed for the first time: a program that stays below never asks its host. */
let bounds: SweepBounds | null = null;
beginAgain();

/** To be called before every watched allocation: sweeps when that is due. */
export function sweepIfDue(): void {
  if (lifetimeStats[WATCHED_UNITS]! > lifetimeStats[SWEEP_MARK]!) markPassed();
}

/** Sets when sweeps are due, scales the ballast; undefined leaves the one or the other as it is. */
export function setNetGrowth(sweep: SweepMode | undefined, ballastRatio: number | undefined): void {
  if (sweep !== undefined) {
    enableSweep(sweep !== false);
    isEager = sweep === "eager";
    beginAgain();
  }
  if (ballastRatio !== undefined) setBallastRatio(ballastRatio);
}

function beginAgain(): void {
  bounds = null;
  lifetimeStats[SWEEP_MARK] = kFirstUnits;
  lifetimeStats[kKeeperMark] = kFirstKeepers;
}

/** Sweeps, unless it was only the first mark, at which the bounds become known. */
function markPassed(): void {
  if (bounds === null) {
    bounds = canSweep() ? (isEager ? kEager : lastResort()) : { units: Infinity, keepers: Infinity, growth: 1 };
    setMarks(bounds, 0, 0);
    if (lifetimeStats[WATCHED_UNITS]! <= bounds.units && keeperRecords() <= bounds.keepers) return;
  }
  sweepForgotten();
  setMarks(bounds, lifetimeStats[WATCHED_UNITS]!, keeperRecords());
}

/** A quarter of the memory there is, and of the heap. */
function lastResort(): SweepBounds {
  return {
    units: (machineMemory() * kPart) / kNetUnit,
    keepers: (heapLimit() * kPart) / kRecordBytes,
    growth: 1 + kPart,
  };
}

/** The next sweep is due at the bounds, or when `units` and `keepers`, which are held now, have grown by enough. */
function setMarks(at: SweepBounds, units: number, keepers: number): void {
  lifetimeStats[SWEEP_MARK] = Math.max(at.units, units * at.growth);
  lifetimeStats[kKeeperMark] = Math.max(at.keepers, keepers * at.growth);
}
