/**
 * The lifetime net: gives back the bytes of buffers that were dropped without a last `unref` (no counterpart in TensorFlow).
 *
 *     watch     a Keeper from the pool, or a fresh, registered one          the buffer refers to it
 *     unwatch    the last unref: the record is emptied, the Keeper pooled
 *     lose      the Keeper is dead: the record's bytes go back              called by the engine, in a task of its own,
 *                                                                          or by a sweep (sweep.ts)
 *
 * A finalizer that throws would end the process, so what an allocator throws here is noted instead and shown by
 * `memorySnapshot`. Everything is this thread's own.
 */
import type { Allocator } from "../allocator/allocator.ts";
import { currentBallast, followNet } from "./ballast.ts";
import { bufferLedger } from "../refs/buffer-ledger.ts";
import type { HoldOwner } from "./keeper.ts";
import { Keeper, KeeperRecord } from "./keeper.ts";
import { countLiveBuffer } from "../refs/live-buffers.ts";
import {
  watchedUnits,
  kWatchedUnits,
  kKeeperMark,
  kNetUnit,
  kObjectUnits,
  kReclaimedBuffers,
  kLowerMark,
  kReclaimedBytes,
  kSweepMark,
  kUpperMark,
  lifetimeStats,
} from "./lifetime-stats.ts";
import { nodeProcess } from "./node-builtins.ts";
import type { Pointer } from "../allocator/pointer.ts";

// The module's own, to be folded into its code: an imported constant is loaded at every use.
const WATCHED_UNITS = kWatchedUnits;
const kUpper = kUpperMark;
const kLower = kLowerMark;

/** Keepers beyond these are left to the collector: a burst of buffers must not hold memory for good. */
const kPoolCap = 4096;
/** Failures beyond these are not kept. */
const kMaxFailures = 16;

const pool: Keeper[] = [];
/** Every record whose Keeper is alive, where a sweep can look at them: in Node. */
const records: KeeperRecord[] = [];
const mayBeSwept = nodeProcess() !== null;
const failures: string[] = [];
/** Keepers made. */
let made = 0;
/** Of these, the ones that watch nothing any more without being in the pool: lost with their buffers, or given up beyond its cap. */
let ended = 0;
const registry = /* @__PURE__ */ new FinalizationRegistry<KeeperRecord>(loseBetweenTasks);
/**
 * Whether Keepers are registered so that they can be unregistered: from a sweep until the engine calls back. Between the two only
 * sweeps reclaim, and the registry would keep what they find, some 200 bytes a buffer. At other times it would only cost: 300 ns a
 * Keeper.
 */
let areUnregistered = false;

/** Puts `numBytes` bytes at `pointer` under watch, for a buffer to refer to: when the Keeper dies, they go back to `allocator`. */
export function watch(allocator: Allocator, pointer: Pointer, numBytes: number): Keeper {
  const keeper = pool.length === 0 ? freshKeeper() : pool.pop()!;
  const record = keeper.record!;
  // Records are old and what they refer to is new: every store costs, so what is there already is not stored again.
  if (record.allocator !== allocator) record.allocator = allocator;
  record.pointer = pointer;
  const units = watchedUnits(numBytes);
  record.units = units;
  const felt = lifetimeStats[WATCHED_UNITS]! + units;
  lifetimeStats[WATCHED_UNITS] = felt;
  if (felt > lifetimeStats[kUpper]! || felt < lifetimeStats[kLower]!) followNet(felt * kNetUnit);
  const ballast = currentBallast();
  if (ballast !== null) keeper.ballast = ballast;
  return keeper;
}

/** As `watch`, for memory that other threads hold, too: when the Keeper dies, `holds` gives up the hold on `control`. */
export function watchHold(allocator: Allocator, pointer: Pointer, numBytes: number, control: number, holds: HoldOwner): Keeper {
  const keeper = watch(allocator, pointer, numBytes);
  keepHold(keeper, control, holds);
  return keeper;
}

/** From now on the Keeper stands for a hold on `control`, which `holds` gives up: its buffer was shared with other threads. */
export function keepHold(keeper: Keeper, control: number, holds: HoldOwner): void {
  const record = keeper.record!;
  record.control = control;
  record.holds = holds;
}

/** Notes the ledger's line on the buffer that refers to this Keeper. */
export function noteLine(keeper: Keeper, line: object | null): void {
  keeper.record!.line = line;
}

/** Ends the watch: the caller, who refers to the Keeper no more, gives the bytes back itself. */
export function unwatch(keeper: Keeper): void {
  const record = keeper.record!;
  record.pointer = null;
  record.control = 0;
  if (keeper.ballast !== null) keeper.ballast = null;
  lifetimeStats[WATCHED_UNITS] = lifetimeStats[WATCHED_UNITS]! - record.units;
  if (pool.length < kPoolCap) pool.push(keeper);
  else ended++;
}

/** Buffers under watch. */
export function watchedBuffers(): number {
  return made - ended - pool.length;
}

/** Their bytes, each buffer's rounded up to 256. */
export function watchedBytes(): number {
  return (lifetimeStats[WATCHED_UNITS]! - kObjectUnits * watchedBuffers()) * kNetUnit;
}

/** Records of Keepers that are alive, or whose end nobody has looked at; 0 where there are no sweeps. */
export function keeperRecords(): number {
  return records.length;
}

/** A Keeper that the registry knows. */
function freshKeeper(): Keeper {
  const keeper = new Keeper();
  const record = new KeeperRecord(mayBeSwept ? new WeakRef(keeper) : null, mayBeSwept ? records.length : -1);
  if (mayBeSwept) {
    records.push(record);
    // Noticed at the next allocation, which compares with this mark anyway.
    if (records.length > lifetimeStats[kKeeperMark]!) lifetimeStats[kSweepMark] = -1;
  }
  keeper.record = record;
  if (areUnregistered) registry.register(keeper, record, record);
  else registry.register(keeper, record);
  made++;
  return keeper;
}

/** What the engine calls, in a task of its own. */
function loseBetweenTasks(record: KeeperRecord): void {
  areUnregistered = false;
  reclaimRecord(record);
}

/**
 * What the end of a Keeper means: the bytes go back. Nothing when its buffer was given up, or when a sweep was first. Never
 * throws.
 */
function reclaimRecord(record: KeeperRecord): void {
  const { allocator, pointer, control, holds, units, line, place } = record;
  if (place >= 0) {
    const last = records.pop()!;
    if (last !== record) {
      records[place] = last;
      last.place = place;
    }
    record.place = -1;
  }
  if (pointer === null || allocator === null) return;
  record.pointer = null;
  record.line = null;
  lifetimeStats[WATCHED_UNITS] = lifetimeStats[WATCHED_UNITS]! - units;
  lifetimeStats[kReclaimedBytes] = lifetimeStats[kReclaimedBytes]! + (units - kObjectUnits) * kNetUnit;
  lifetimeStats[kReclaimedBuffers] = lifetimeStats[kReclaimedBuffers]! + 1;
  ended++;
  countLiveBuffer(-1);
  if (line !== null) bufferLedger.noteReclaimed(line);
  try {
    if (control !== 0) holds!.release(control);
    else allocator.deallocateRaw(pointer);
  } catch (error) {
    if (failures.length < kMaxFailures) failures.push(String(error));
  }
}

/**
 * Gives back the bytes of every Keeper that the collector has taken already, without waiting for it to say so. Only where
 * records know their Keepers (in Node). Asking for a Keeper keeps it until the present job ends, or until kept objects are
 * cleared.
 */
export function loseDeadKeepers(): void {
  // Backwards: losing a record moves the last one into its place.
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i]!;
    if (record.keeper === null || record.keeper.deref() !== undefined) continue;
    if (areUnregistered) registry.unregister(record);
    reclaimRecord(record);
  }
  areUnregistered = true;
}

/** What allocators threw when forgotten bytes were given back to them: the first 16 texts. */
export function netFailures(): string[] {
  return failures.slice();
}
