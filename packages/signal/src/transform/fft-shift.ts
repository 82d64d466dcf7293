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
  const list: readonly unknown[] =
    axes === undefined ? sizesOf(tree).map((_, d) => d) : typeof axes === "number" ? [axes] : [...(axes as [])];
  return list.reduce((value: GradientValue, each): GradientValue => {
    const axis = checkAxis(call, each, tree);
    const size = sizesOf(tree)[axis]!;
    if (size < 2) return value;
    return joined([partAlong(value, axis, middle(size), size), partAlong(value, axis, 0, middle(size))], axis);
  }, tree);
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
