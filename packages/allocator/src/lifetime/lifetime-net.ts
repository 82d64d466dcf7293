/**
 * The lifetime net: reclaims the bytes of buffers that were dropped without a last `unref` (no counterpart in TensorFlow).
 *
 *     watch     the buffer is created: it gets a Keeper from the pool, or a new one that is registered
 *     unwatch   the last unref: the record is emptied and the Keeper goes into the pool
 *     reclaim   the Keeper was collected: the record's bytes are returned. Called by the engine in a task of its own,
 *               or by a sweep (sweep.ts)
 *
 * A finalizer that throws would end the process, so errors of allocators are recorded here and shown by `memorySnapshot`. All state
 * belongs to this thread.
 */
import type { Allocator } from "../allocator/allocator.ts";
import { currentBallast, updateBallast } from "./ballast.ts";
import { enabledLedger } from "../refs/enabled-ledger.ts";
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

// Local copies of imported constants: engines inline these, but load an imported constant at every use.
const WATCHED_UNITS = kWatchedUnits;
const kUpper = kUpperMark;
const kLower = kLowerMark;

/** The largest number of Keepers in the pool, so that a burst of buffers does not hold memory forever. */
const kPoolCap = 4096;
/** The largest number of errors that are recorded. */
const kMaxFailures = 16;

const pool: Keeper[] = [];
/** The records of all Keepers that are not known to be collected. Used by sweeps, so empty where there are none (outside of Node). */
const records: KeeperRecord[] = [];
const mayBeSwept = nodeProcess() !== null;
const failures: string[] = [];
/** The number of Keepers made so far. */
let made = 0;
/** The number of Keepers that are neither in use nor in the pool: collected with their buffers, or released when the pool was full. */
let ended = 0;
const registry = /* @__PURE__ */ new FinalizationRegistry<KeeperRecord>(reclaimInTask);
/**
 * True from a sweep until the engine next calls a finalizer: Keepers made meanwhile are registered with a token, so that the next
 * sweep can unregister them. In that time only sweeps reclaim, and the registry would keep about 200 bytes for each buffer
 * that a sweep has reclaimed. At other times the token would only cost 300 ns per Keeper.
 */
let areUnregistered = false;

/**
 * Watches `numBytes` bytes at `pointer` and returns the Keeper, which the buffer must refer to. When the Keeper is collected, the bytes are
 * returned to `allocator`.
 */
export function watch(allocator: Allocator, pointer: Pointer, numBytes: number): Keeper {
  const keeper = pool.length === 0 ? freshKeeper() : pool.pop()!;
  const record = keeper.record!;
  // A store of a new object into an old record is slow (write barrier), so the allocator is stored only if it changed.
  if (record.allocator !== allocator) record.allocator = allocator;
  record.pointer = pointer;
  const units = watchedUnits(numBytes);
  record.units = units;
  const watched = lifetimeStats[WATCHED_UNITS]! + units;
  lifetimeStats[WATCHED_UNITS] = watched;
  if (watched > lifetimeStats[kUpper]! || watched < lifetimeStats[kLower]!) updateBallast(watched * kNetUnit);
  const ballast = currentBallast();
  if (ballast !== null) keeper.ballast = ballast;
  return keeper;
}

/** Like `watch`, for memory that other threads hold too: when the Keeper is collected, `holds` releases the hold on `control`. */
export function watchHold(allocator: Allocator, pointer: Pointer, numBytes: number, control: number, holds: HoldOwner): Keeper {
  const keeper = watch(allocator, pointer, numBytes);
  keepHold(keeper, control, holds);
  return keeper;
}

/**
 * Changes what a Keeper stands for when its buffer is shared with other threads: once it is collected, `holds` releases the hold on
 * `control`.
 */
export function keepHold(keeper: Keeper, control: number, holds: HoldOwner): void {
  const record = keeper.record!;
  record.control = control;
  record.holds = holds;
}

/** Stores the ledger's record of the buffer that refers to this Keeper. */
export function noteLine(keeper: Keeper, line: object | null): void {
  keeper.record!.line = line;
}

/** Ends the watch. The caller must drop its reference to the Keeper and return the bytes itself. */
export function unwatch(keeper: Keeper): void {
  const record = keeper.record!;
  record.pointer = null;
  record.control = 0;
  if (keeper.ballast !== null) keeper.ballast = null;
  lifetimeStats[WATCHED_UNITS] = lifetimeStats[WATCHED_UNITS]! - record.units;
  if (pool.length < kPoolCap) pool.push(keeper);
  else ended++;
}

/** Returns the number of watched buffers. */
export function watchedBuffers(): number {
  return made - ended - pool.length;
}

/** Returns the bytes of the watched buffers, each rounded up to a multiple of 256. */
export function watchedBytes(): number {
  return (lifetimeStats[WATCHED_UNITS]! - kObjectUnits * watchedBuffers()) * kNetUnit;
}

/** Returns the number of records whose Keepers are not known to be collected; 0 where there are no sweeps. */
export function keeperRecords(): number {
  return records.length;
}

/** Returns a new Keeper that is registered with the FinalizationRegistry. */
function freshKeeper(): Keeper {
  const keeper = new Keeper();
  const record = new KeeperRecord(mayBeSwept ? new WeakRef(keeper) : null, mayBeSwept ? records.length : -1);
  if (mayBeSwept) {
    records.push(record);
    // Makes a sweep due at the next allocation, which compares the watched units with this mark.
    if (records.length > lifetimeStats[kKeeperMark]!) lifetimeStats[kSweepMark] = -1;
  }
  keeper.record = record;
  if (areUnregistered) registry.register(keeper, record, record);
  else registry.register(keeper, record);
  made++;
  return keeper;
}

/** The finalizer: the engine calls it in a task of its own. */
function reclaimInTask(record: KeeperRecord): void {
  areUnregistered = false;
  reclaimRecord(record);
}

/**
 * Returns the bytes of a Keeper that was collected. Does nothing if its buffer was released before, or if a sweep has already reclaimed
 * it. Never throws.
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
  if (line !== null) enabledLedger.current?.noteReclaimed(line);
  try {
    if (control !== 0) holds!.release(control);
    else allocator.deallocateRaw(pointer);
  } catch (error) {
    if (failures.length < kMaxFailures) failures.push(String(error));
  }
}

/**
 * Returns the bytes of every Keeper that is already collected, without waiting for its finalizer. Works only in Node, where records have
 * weak references to their Keepers. `deref()` keeps a live Keeper alive until the current job ends or the kept objects are cleared.
 */
export function reclaimDeadKeepers(): void {
  // Backwards, because reclaiming a record moves the last record into its place.
  for (let i = records.length - 1; i >= 0; i--) {
    const record = records[i]!;
    if (record.keeper === null || record.keeper.deref() !== undefined) continue;
    if (areUnregistered) registry.unregister(record);
    reclaimRecord(record);
  }
  areUnregistered = true;
}

/** Returns the texts of the first 16 errors that allocators threw when bytes were reclaimed. */
export function netFailures(): string[] {
  return failures.slice();
}
