/**
 * The statistics of the lifetime net: how much it watches and how much it has reclaimed (no counterpart in TensorFlow).
 *
 * They are elements of a Float64Array, because an engine may allocate a heap object for each new value of 2^31 or more in a variable or
 * field. Memory is counted in units of 256 bytes, the granularity of the arena.
 */

/** The number of bytes in a unit. */
export const kNetUnit = 256;

/** Units added for each watched buffer: the JavaScript objects of the buffer and its tensor take about two units on the heap. */
export const kObjectUnits = 2;

/** Index of: the units of the watched buffers, with kObjectUnits for each buffer. */
export const kWatchedUnits = 0;
/** Index of: the number of bytes reclaimed from dropped buffers. */
export const kReclaimedBytes = 1;
/** Index of: the number of dropped buffers that were reclaimed. */
export const kReclaimedBuffers = 2;
/** Index of: the number of sweeps. */
export const kSweeps = 3;
/** Index of: the watched units above which a sweep is due (sweep-policy.ts). */
export const kSweepMark = 4;
/** Index of: the watched units above which an epoch of ballast begins (ballast.ts). */
export const kUpperMark = 5;
/** Index of: the watched units below which the current epoch of ballast ends. */
export const kLowerMark = 6;
/** Index of: the number of Keeper records above which a sweep is due (sweep-policy.ts). */
export const kKeeperMark = 7;

/** The statistics of this thread and this copy of the library. */
export const lifetimeStats: Float64Array = new Float64Array(8);

/** Larger allocations count as 128 GiB (opaque handles may claim any size), so that a number of units stays a small integer. */
const kMaxBytes = 2 ** 37;
const kMaxUnits = kMaxBytes / kNetUnit;

/** Returns the units that an allocation of `numBytes` bytes counts for. Small enough to be inlined. */
export function watchedUnits(numBytes: number): number {
  return numBytes < kMaxBytes ? (((numBytes + 255) / 256) | 0) + kObjectUnits : kMaxUnits;
}
