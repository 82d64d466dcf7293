/**
 * Axes as callers give them, brought to numbers from 0 on: the one check of every operation and view that takes an axis. A negative axis
 * counts from the end, as in TensorFlow and NumPy.
 */
import { InvalidArgumentError, shownValue } from "@onebuffer/base";

/** An axis in [0, rank). Throws INVALID_ARGUMENT outside [-rank, rank); `what` says of which call. */
export function resolveAxis(axis: unknown, rank: number, what: () => string): number {
  if (!Number.isInteger(axis) || (axis as number) < -rank || (axis as number) >= rank) {
    throw new InvalidArgumentError(`${what()}: axis ${shownValue(axis)} is not in [${-rank}, ${rank})`);
  }
  return ((axis as number) < 0 ? (axis as number) + rank : (axis as number)) + 0;
}

/** Different axes in their order. Throws INVALID_ARGUMENT for one outside [-rank, rank), one that is named twice, and anything but an array. */
export function resolveAxes(axes: unknown, rank: number, what: () => string): number[] {
  if (!Array.isArray(axes)) throw new InvalidArgumentError(`${what()}: the axes come as an array, got ${shownValue(axes)}`);
  // Of more axes than there are dimensions one is named twice or outside; a sparse list of a billion must not be read to its end.
  const list: readonly unknown[] = axes.length > rank ? axes.slice(0, rank + 1) : axes;
  const resolved = Array.from(list, (axis) => resolveAxis(axis, rank, what));
  const twice = resolved.find((axis, k) => resolved.indexOf(axis) !== k);
  if (twice !== undefined) throw new InvalidArgumentError(`${what()}: axis ${twice} is named twice in [${list}]`);
  return resolved;
}
