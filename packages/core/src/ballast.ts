/**
 * Ballast: makes bytes in the arena felt by the engine's collector (no counterpart in TensorFlow).
 *
 *     watched bytes    0 ........ 64 MiB ........ 128 MiB ........
 *     epochs           | none     | A: 64 MiB      | B: 64 MiB       each an ArrayBuffer nobody writes to, referred to by the
 *                                                                   Keepers of the buffers made in it
 *
 * A collector decides by what it sees, and of a buffer in the arena it sees a few hundred bytes. So whenever the net watches
 * 64 MiB more than at the last epoch's start, another ArrayBuffer of as many bytes is made, which dies with the epoch's
 * buffers. It costs address space, not pages: nothing touches it. Systems that charge untouched pages (Windows) count it, so
 * its size can be scaled or set to nothing.
 */

/** Bytes of growth that begin an epoch. */
const kEpochBytes = 64 * 1048576;
/** The most that is asked for at once: an engine that has no room collects several times before it says so. */
const kMaxBallast = 1024 * 1048576;

let mark = 0;
let ratio = 1;
let epoch: ArrayBuffer | null = null;

/** The present epoch's ballast, for the next Keeper; null when there is none. */
export function currentBallast(): ArrayBuffer | null {
  return epoch;
}

/** Bytes of ballast per watched byte; 0 ends it. Takes effect with the next epoch, 0 at once. */
export function setBallastRatio(value: number): void {
  ratio = value;
  if (value === 0) epoch = null;
}

/**
 * Follows the net to `bytes`: a new epoch when it has grown by 64 MiB, as much ballast as the growth; none when it has fallen so
 * far, for it would only weigh what was given up properly.
 */
export function followNet(bytes: number): void {
  const grown = bytes - mark;
  if (grown >= kEpochBytes) {
    mark = bytes;
    epoch = ballastOf(Math.min(grown * ratio, kMaxBallast));
  } else if (grown < -kEpochBytes) {
    mark = bytes;
    epoch = null;
  }
}

/** The bytes at which `followNet` has something to do: at the upper one and above, below the lower one. */
export function ballastMarks(): [lower: number, upper: number] {
  return [mark - kEpochBytes, mark + kEpochBytes];
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
