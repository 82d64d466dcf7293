/**
 * Checks the axes a caller passes and resolves negative ones: an axis of -1 is the last dimension, as in TensorFlow and NumPy. Every
 * operation and every view that takes an axis uses these two functions.
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";

/**
 * Returns `axis` as a number in [0, rank). Throws INVALID_ARGUMENT unless it is an integer in [-rank, rank). `what` returns the call's
 * name for the error message.
 */
export function resolveAxis(axis: unknown, rank: number, what: () => string): number {
  if (!Number.isInteger(axis) || (axis as number) < -rank || (axis as number) >= rank) {
    const wrong =
      typeof axis === "number"
        ? `axis ${axis} is not in [${-rank}, ${rank})`
        : `an axis is a number in [${-rank}, ${rank}), got ${shownValue(axis)}`;
    throw new InvalidArgumentError(`${what()}: ${wrong}`);
  }
  return ((axis as number) < 0 ? (axis as number) + rank : (axis as number)) + 0;
}

/**
 * Returns `axes` as numbers in [0, rank), in the order given. Throws INVALID_ARGUMENT if `axes` is not an array, if an axis is not in
 * [-rank, rank), or if two name the same dimension.
 */
export function resolveAxes(axes: unknown, rank: number, what: () => string): number[] {
  if (!isArray(axes)) throw new InvalidArgumentError(`${what()}: the axes must be an array such as [1, 0], got ${shownValue(axes)}`);
  // A list longer than the rank has an invalid or repeated axis among its first rank + 1, so a sparse list of a billion is not read to
  // its end.
  const list: readonly unknown[] = axes.length > rank ? axes.slice(0, rank + 1) : axes;
  // A list of one needs no room to grow, which an empty one would get at its first axis: 17 elements.
  if (list.length === 1) return [resolveAxis(list[0], rank, what)];
  const resolved: number[] = [];
  // Array.from takes a microsecond for three axes.
  for (let k = 0; k < list.length; k++) {
    const axis = resolveAxis(list[k], rank, what);
    if (resolved.includes(axis)) throw new InvalidArgumentError(`${what()}: axis ${axis} is named twice in [${list}]`);
    resolved.push(axis);
  }
  return resolved;
}
