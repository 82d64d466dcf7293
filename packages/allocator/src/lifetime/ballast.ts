/**
 * Ballast: unused ArrayBuffers that make the garbage collector run as if it saw the bytes in the arena (no counterpart in TensorFlow).
 *
 *     watched bytes    0 ........ 32 MiB ........ 64 MiB ........ 128 MiB ... 1 GiB ....... 1.25 GiB
 *     epochs           | none     | A: 64 MiB     | B: 64 MiB                       | C: 256 MiB
 *                                   each is an ArrayBuffer that is never written, referred to by the Keepers of the epoch's buffers
 *
 * The garbage collector decides when to run by the memory it knows of, and of a buffer in the arena it knows a few hundred bytes. So
 * whenever the watched bytes have grown by a quarter (at least 32 MiB) since the last epoch began, a new epoch begins with an
 * ArrayBuffer as large as that growth. It is collected with the last buffer of its epoch. V8 ignores memory outside its heap
 * below 64 MiB, so a ballast is at least that large, also for the first steps of 32 MiB. Ballast costs address space but no pages,
 * because nothing writes to it. Systems that charge untouched pages (Windows) do count it, so it can be scaled or switched off.
 */
import { kLowerMark, kNetUnit, kUpperMark, lifetimeStats } from "./lifetime-stats.ts";

const MiB = 1048576;
/** The smallest growth of the watched bytes that begins an epoch. */
const kMinEpochBytes = 32 * MiB;
/** The smallest ballast of an epoch, before scaling. */
const kMinBallast = 64 * MiB;
/** The largest ballast: if an engine has no room for a request, it runs the garbage collector several times before it fails. */
const kMaxBallast = 1024 * MiB;

/** The watched bytes when the current epoch began. */
let mark = 0;
let ratio = 1;
let epoch: ArrayBuffer | null = null;
setMarks();

/** Returns the ballast of the current epoch, which the next Keeper must refer to, or null if there is none. */
export function currentBallast(): ArrayBuffer | null {
  return epoch;
}

/** Scales the ballast: 1 is the size described above, 0 means no ballast. Takes effect with the next epoch; 0 takes effect at once. */
export function setBallastRatio(value: number): void {
  ratio = value;
  if (value === 0) epoch = null;
}

/**
 * Adapts the ballast to `bytes` watched bytes. If they have grown since the last call, a new epoch with its own ballast begins. If they
 * have fallen, there is no ballast: the buffers were released properly. Call it when the watched units are outside the two marks.
 */
export function updateBallast(bytes: number): void {
  const growth = bytes - mark;
  mark = bytes;
  epoch = growth > 0 ? ballastOf(Math.min(Math.max(growth, kMinBallast) * ratio, kMaxBallast)) : null;
  setMarks();
}

/** Sets the marks at which `updateBallast` is due: a quarter above and below the watched bytes, at least 32 MiB away. */
function setMarks(): void {
  const step = Math.max(kMinEpochBytes, mark / 4);
  lifetimeStats[kUpperMark] = (mark + step) / kNetUnit;
  lifetimeStats[kLowerMark] = (mark - step) / kNetUnit;
}

/** Returns an ArrayBuffer of `bytes` bytes. Returns null for less than a byte, or if the engine has no room: there is no ballast then. */
function ballastOf(bytes: number): ArrayBuffer | null {
  if (bytes < 1) return null;
  try {
    return new ArrayBuffer(Math.floor(bytes));
  } catch {
    return null;
  }
}
