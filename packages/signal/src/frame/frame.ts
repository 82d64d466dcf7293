/** frame: signals as frames that may overlap, and frames added up to signals. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { extractPatches } from "@onebuffer/expression";
import type { Expression, NumericDType, OperandLike, RankWith, RankWithout } from "@onebuffer/expression";
import { checkTree, filled, joined, partAlong, reshaped, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { isIndex } from "@onebuffer/storage/internal";

/**
 * The options of `frame`.
 *
 * @example
 * const options: FrameOptions = { padEnd: true, padValue: -1 };
 * evaluate(frame(iota("float32", 3), 2, 2, options)).toArray(); // => [[0, 1], [2, -1]]
 */
export interface FrameOptions {
  /** True if a frame begins at every step, and the signal goes on with `padValue`; the default is false. */
  readonly padEnd?: boolean;
  /** The elements behind the end; the default is 0. */
  readonly padValue?: number;
}

/** Returns a length or step if it is a whole number from 1. Throws INVALID_ARGUMENT. */
export function checkCount(call: string, name: string, value: number): number {
  if (isIndex(value, 2 ** 31) && value > 0) return value;
  throw new InvalidArgumentError(`${call}: ${name} is a whole number from 1, got ${shownValue(value)}`);
}

/** The most steps in a frame of `overlapAndAdd`: each is an operation of the expression. */
const kMaxPieces = 2 ** 13;

/** Returns the frames along the last axis: [..., frames, length]. */
export function framesOf(value: GradientValue, length: number, step: number, padEnd: boolean, padValue: number): GradientValue {
  const axis = sizesOf(value).length - 1;
  const size = sizesOf(value)[axis]!;
  const count = padEnd ? Math.ceil(size / step) : Math.max(0, 1 + Math.floor((size - length) / step));
  if (count === 0) return filled(value.dtype, 0, [...sizesOf(value).slice(0, -1), 0, length]);
  const missing = Math.max(0, (count - 1) * step + length - size);
  const padding = filled(value.dtype, padValue, sizesOf(value).with(axis, missing));
  const padded = missing === 0 ? value : joined([value, padding], axis);
  const frames = extractPatches(padded as never, [length], { axes: [axis], strides: step }) as unknown as GradientValue;
  return partAlong(frames, axis, 0, count);
}

/**
 * Returns frames of `frameLength` elements, which begin `frameStep` elements apart along the last axis (`tf.signal.frame`): [..., frames,
 * frameLength]. Without `padEnd` there are 1 + (n - frameLength) / frameStep frames, none if the signal is shorter than a frame.
 *
 * Throws INVALID_ARGUMENT for a scalar, and for lengths, steps and options that are wrong. Copies: nothing; the frames are read by strides.
 *
 * @example
 * evaluate(frame(iota("float32", 5), 3, 2)).toArray(); // => [[0, 1, 2], [2, 3, 4]]
 * frame(iota("float32", 5), 0, 1); // throws INVALID_ARGUMENT
 */
export function frame<D extends DType, R extends number>(
  x: OperandLike<D, R>,
  frameLength: number,
  frameStep: number,
  options: FrameOptions = {},
): Expression<D, RankWith<R, 1>> {
  checkOptions("frame", options, ["padEnd", "padValue"]);
  const { padEnd = false, padValue = 0 } = options;
  const tree = checkRank("frame", x, 1);
  if (typeof padEnd !== "boolean") throw new InvalidArgumentError(`frame: padEnd is a boolean, got ${shownValue(padEnd)}`);
  checkCount("frame", "frameLength", frameLength);
  checkCount("frame", "frameStep", frameStep);
  return framesOf(tree, frameLength, frameStep, padEnd, padValue) as unknown as Expression<D, RankWith<R, 1>>;
}

/** Returns an operand of at least some dimensions. Throws INVALID_ARGUMENT. */
function checkRank(call: string, x: OperandLike<DType>, rank: number): GradientValue {
  const tree = checkTree(call, x);
  if (sizesOf(tree).length >= rank) return tree as GradientValue;
  throw new InvalidArgumentError(`${shownCall(call, [tree])}: at least ${rank} dimensions`);
}

/** Returns the sums of frames that begin `step` elements apart. Throws INVALID_ARGUMENT for frames of more than 8192 steps. */
export function addedFrames(call: string, frames: GradientValue, step: number): GradientValue {
  const sizes = sizesOf(frames);
  const axis = sizes.length - 2;
  const [count, length] = sizes.slice(-2) as [number, number];
  const batch = sizes.slice(0, -2);
  const size = count === 0 ? 0 : (count - 1) * step + length;
  if (size === 0 || length === 0) return filled(frames.dtype, 0, [...batch, size]);
  // Pieces of a step: piece j of frame f is added to piece f + j of the result. Pieces j of all frames make a row that is moved by j pieces.
  const pieces = Math.ceil(length / step);
  if (pieces > kMaxPieces) {
    throw new InvalidArgumentError(`${shownCall(call, [frames])}: a frame is of ${pieces} steps of ${step}, more than ${kMaxPieces}`);
  }
  const padded = joined([frames, filled(frames.dtype, 0, [...batch, count, pieces * step - length])], axis + 1);
  const rows = Array.from({ length: pieces }, (_, j): GradientValue => {
    const piece = partAlong(padded, axis + 1, j * step, (j + 1) * step);
    const zeros = (number: number): GradientValue => filled(frames.dtype, 0, [...batch, number, step]);
    return joined([zeros(j), piece, zeros(pieces - 1 - j)], axis);
  });
  const total = rows.reduce((sum, row) => sum.add(row));
  return partAlong(reshaped(total, [...batch, (count + pieces - 1) * step]), axis, 0, size);
}

/**
 * Returns signals that are the sums of frames, which begin `frameStep` elements apart (`tf.signal.overlap_and_add`): from [..., frames,
 * length] to [..., (frames - 1) frameStep + length].
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions, for a wrong step, and for frames of more than 8192 steps. Copies: the frames, into
 * scratch memory.
 *
 * @example
 * evaluate(overlapAndAdd(constant("float32", 1, [3, 2]), 1)).toArray(); // => [1, 2, 2, 1]
 * overlapAndAdd(constant("float32", 1, [3]), 1); // throws INVALID_ARGUMENT
 */
export function overlapAndAdd<D extends NumericDType, R extends number>(
  frames: OperandLike<D, R>,
  frameStep: number,
): Expression<D, RankWithout<R, 1>> {
  const tree = checkRank("overlapAndAdd", frames, 2);
  checkCount("overlapAndAdd", "frameStep", frameStep);
  return addedFrames("overlapAndAdd", tree, frameStep) as unknown as Expression<D, RankWithout<R, 1>>;
}
