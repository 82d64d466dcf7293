/**
 * net-figures: how much the lifetime net watches, and how much came back through it (no counterpart in TensorFlow).
 *
 * Counts of 2^31 and more would turn variables and fields into objects of their own on the engine's heap; in an array of
 * doubles they stay what they are. Bytes are counted in units of 256, the grain of the arena.
 */

/** The grain of everything counted here. */
export const kNetUnit = 256;

/** What a buffer and its tensor count for besides their bytes: their objects on the JavaScript heap, in units. */
export const kObjectUnits = 2;

/** Place: units under watch, the objects' included. */
export const kWatchedUnits = 0;
/** Place: bytes that were forgotten and came back. */
export const kReclaimedBytes = 1;
/** Place: buffers that were forgotten and came back. */
export const kReclaimedBuffers = 2;
/** Place: sweeps made. */
export const kSweeps = 3;
/** Place: the units above which a sweep is due (net-growth.ts). */
export const kSweepMark = 4;
/** Place: the units above which an epoch of ballast begins (ballast.ts). */
export const kUpperMark = 5;
/** Place: the units below which the present epoch is over. */
export const kLowerMark = 6;
/** Place: the number of Keepers' records above which a sweep is due (net-growth.ts). */
export const kKeeperMark = 7;

/** The figures of this copy of the library. */
export const lifetimeStats: Float64Array = new Float64Array(8);

/** No engine has so many; what claims more (opaque handles may) counts for no more, so that a unit count stays a small integer. */
const kMostBytes = 2 ** 37;
const kMostUnits = kMostBytes / kNetUnit;

/** What an allocation of `numBytes` counts for, in units. Small enough to be part of whatever calls it. */
export function watchedUnits(numBytes: number): number {
  return numBytes < kMostBytes ? (((numBytes + 255) / 256) | 0) + kObjectUnits : kMostUnits;
}
