/**
 * Ballast: makes bytes in the arena felt by the engine's collector (no counterpart in TensorFlow).
 *
 *     watched bytes    0 ........ 32 MiB ........ 64 MiB ........ 128 MiB ... 1 GiB ....... 1.25 GiB
 *     epochs           | none     | A: 64 MiB     | B: 64 MiB                       | C: 256 MiB
 *                                   each an ArrayBuffer nobody writes to, referred to by the Keepers of the buffers made in it
 *
 * A collector decides by what it sees, and of a buffer in the arena it sees a few hundred bytes. So whenever the net watches
 * a quarter more than at the last epoch's start, another ArrayBuffer of as many bytes is made, which dies with the epoch's
 * buffers. An engine takes no notice of less than 64 MiB (V8's limit for memory outside its heap); hence that much for the
 * first steps of 32 MiB. It costs address space, not pages: nothing touches it. Systems that charge untouched pages (Windows)
 * count it, so its size can be scaled or set to nothing.
 */
import { kLowerMark, kNetUnit, kUpperMark, lifetimeStats } from "./lifetime-stats.ts";

const MiB = 1048576;
/** Bytes of growth that begin an epoch at least. */
const kEpochBytes = 32 * MiB;
/** What an epoch's ballast is at least, before it is scaled. */
const kLeastBallast = 64 * MiB;
/** The most that is asked for at once: an engine that has no room collects several times before it says so. */
const kMaxBallast = 1024 * MiB;

let mark = 0;
let ratio = 1;
let epoch: ArrayBuffer | null = null;
setMarks();

/** The present epoch's ballast, for the next Keeper; null when there is none. */
export function currentBallast(): ArrayBuffer | null {
  return epoch;
}

/** Scales the ballast: 1 is as described, 0 none. From the next epoch on, 0 at once. */
export function setBallastRatio(value: number): void {
  ratio = value;
  if (value === 0) epoch = null;
}

/**
 * Follows the net to `bytes`: a new epoch when it has grown by a step; none when it has fallen by one, for it would only weigh
 * what was given up properly. To be called when the figures leave the marks.
 */
export function followNet(bytes: number): void {
  const grown = bytes - mark;
  mark = bytes;
  epoch = grown > 0 ? ballastOf(Math.min(Math.max(grown, kLeastBallast) * ratio, kMaxBallast)) : null;
  setMarks();
}

/** Puts into the figures how far the net may move before anything is done about it: a quarter of what it watches. */
function setMarks(): void {
  const step = Math.max(kEpochBytes, mark / 4);
  lifetimeStats[kUpperMark] = (mark + step) / kNetUnit;
  lifetimeStats[kLowerMark] = (mark - step) / kNetUnit;
}

/** So many bytes that nobody touches; null for none, and where the engine has no room: then there is just no ballast. */
function ballastOf(bytes: number): ArrayBuffer | null {
  if (bytes < 1) return null;
  try {
    return new ArrayBuffer(Math.floor(bytes));
  } catch {
    return null;
  }
}
