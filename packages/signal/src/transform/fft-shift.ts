/** fft-shift: the order of frequencies, from element 0 first to element 0 in the middle and back. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { isArray, shownValue } from "@onebuffer/base/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { checkAxis, checkTree, joined, partAlong, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";

/** Returns the elements along axes, those from `middle` of a size on first. */
function exchanged(call: string, x: OperandLike<DType>, axes: unknown, middle: (size: number) => number): GradientValue {
  const tree = checkTree(call, x) as GradientValue;
  if (axes !== undefined && typeof axes !== "number" && !isArray(axes)) {
    throw new InvalidArgumentError(`${call}: axes are a number or a list, got ${shownValue(axes)}`);
  }
  const sizes = sizesOf(tree);
  const list: readonly unknown[] = axes === undefined ? sizes.map((_, d) => d) : typeof axes === "number" ? [axes] : axes;
  const cuts = sizes.map(() => 0);
  // One at a time, and one cut for an axis that is named often: a list with a billion holes is refused at the first of them.
  for (let k = 0; k < list.length; k++) {
    const axis = checkAxis(call, list[k], tree);
    const size = sizes[axis]!;
    if (size > 1) cuts[axis] = (cuts[axis]! + middle(size)) % size;
  }
  return cuts.reduce(
    (value: GradientValue, cut, axis): GradientValue =>
      cut === 0 ? value : joined([partAlong(value, axis, cut, sizes[axis]!), partAlong(value, axis, 0, cut)], axis),
    tree,
  );
}

/**
 * Returns the elements with element 0 moved to place n / 2, rounded down, along axes, by default all (`tf.signal.fftshift`, `np.fft.fftshift`).
 *
 * Throws INVALID_ARGUMENT for an axis that the operand does not have. Copies nothing.
 *
 * @example
 * evaluate(fftShift(iota("int32", 5))).toArray(); // => [3, 4, 0, 1, 2]
 * fftShift(iota("int32", 5), 1); // throws INVALID_ARGUMENT
 */
export function fftShift<D extends DType, R extends number>(x: OperandLike<D, R>, axes?: number | readonly number[]): Expression<D, R> {
  return exchanged("fftShift", x, axes, (size) => Math.ceil(size / 2)) as unknown as Expression<D, R>;
}

/**
 * Returns the elements with the one at place n / 2, rounded down, moved to place 0: the inverse of `fftShift` (`tf.signal.ifftshift`). Throws as
 * `fftShift`.
 *
 * @example
 * evaluate(ifftShift(iota("int32", 5))).toArray(); // => [2, 3, 4, 0, 1]
 */
export function ifftShift<D extends DType, R extends number>(x: OperandLike<D, R>, axes?: number | readonly number[]): Expression<D, R> {
  return exchanged("ifftShift", x, axes, (size) => Math.floor(size / 2)) as unknown as Expression<D, R>;
}
