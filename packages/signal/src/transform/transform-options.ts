/** transform-options: the options of Fourier transforms, checked, and operands brought to the lengths that they ask for. */
import type { DType } from "@onebuffer/base";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, isArray, shownValue } from "@onebuffer/base/internal";
import type { ExpressionTree, OperandLike } from "@onebuffer/expression";
import { checkAxis, checkTree, filled, joined, partAlong, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { isIndex } from "@onebuffer/storage/internal";

/**
 * The dtypes that transforms of complex numbers accept. Real operands are converted.
 *
 * @example
 * const dtype: SignalDType = "complex128";
 */
export type SignalDType = "float32" | "float64" | "complex64" | "complex128";

/**
 * The dtypes of real signals.
 *
 * @example
 * const dtype: RealSignalDType = "float32";
 */
export type RealSignalDType = "float32" | "float64";

/**
 * The complex dtype with the precision of another one.
 *
 * @example
 * const dtype: SpectrumDType<"float32"> = "complex64";
 */
export type SpectrumDType<D extends SignalDType> = D extends "float32" | "complex64" ? "complex64" : "complex128";

/**
 * The dtype of the parts of a complex dtype.
 *
 * @example
 * const dtype: SpectrumPart<"complex64"> = "float32";
 */
export type SpectrumPart<D extends "complex64" | "complex128"> = D extends "complex64" ? "float32" : "float64";

/**
 * Where the divisor of a transform of n elements is: 1 / n in the inverse one (`backward`), in the forward one (`forward`), or the square root of
 * it in both (`ortho`).
 *
 * @example
 * const norm: FftNorm = "ortho";
 * evaluate(fft(constant("float32", 1, [4]), { norm }).real()).toArray(); // => [2, 0, 0, 0]
 */
export type FftNorm = "backward" | "ortho" | "forward";

/**
 * The options of transforms along one axis.
 *
 * @example
 * const options: FftOptions = { fftLength: 4, axis: 0 };
 * evaluate(fft(constant("float32", 1, [2]), options).real()).toArray(); // => [2, 1, 0, 1]
 */
export interface FftOptions {
  /** The number of elements that are transformed: the operand is cropped, or filled up with zeros at its end. The default is the axis's size. */
  readonly fftLength?: number;
  /** The axis; the default is the last one. */
  readonly axis?: number;
  /** The divisor; the default is `backward`. */
  readonly norm?: FftNorm;
}

/**
 * The options of transforms along several axes.
 *
 * @example
 * const options: FftNdOptions = { axes: [0, 1], norm: "forward" };
 * evaluate(fftNd(constant("float32", 1, [2, 2]), options).real()).toArray(); // => [[1, 0], [0, 0]]
 */
export interface FftNdOptions {
  /** The number of elements along each of the axes. */
  readonly fftLength?: readonly number[];
  /** The axes; the default are the last ones, as many as `fftLength` has, or all. */
  readonly axes?: readonly number[];
  /** The divisor; the default is `backward`. */
  readonly norm?: FftNorm;
}

/** A length above this has no array. */
const kMaxLength = 2 ** 31;

/** An operand and its axes, checked. */
export interface CheckedTransform {
  readonly tree: ExpressionTree;
  readonly axes: readonly number[];
  readonly lengths: readonly (number | undefined)[];
  readonly norm: FftNorm;
}

/** Returns the operand of a call if its dtype is one of a list and its rank at least `rank`. Throws INVALID_ARGUMENT. */
export function checkSignal(call: string, x: OperandLike<DType>, dtypes: readonly DType[], rank: number): ExpressionTree {
  const tree = checkTree(call, x);
  if (!dtypes.includes(tree.dtype)) {
    throw new InvalidArgumentError(`${shownCall(call, [tree])}: not defined for ${tree.dtype}, but for ${dtypes.join(", ")}`);
  }
  if (sizesOf(tree).length < rank) {
    throw new InvalidArgumentError(
      `${shownCall(call, [tree])}: Input must have rank of at least ${rank} but got: [${sizesOf(tree).join(",")}]`,
    );
  }
  return tree;
}

/** Returns the length of an `fftLength`. Throws INVALID_ARGUMENT if it is not a whole number from 1. */
export function checkLength(call: string, length: number | undefined, place: string = ""): number {
  if (length !== undefined && isIndex(length, kMaxLength) && length > 0) return length;
  throw new InvalidArgumentError(`${call}: fftLength${place} is a whole number from 1, got ${shownValue(length)}`);
}

const kNorms: readonly unknown[] = ["backward", "ortho", "forward"];

function checkNorm(call: string, norm: unknown): FftNorm {
  if (kNorms.includes(norm)) return norm as FftNorm;
  throw new InvalidArgumentError(`${call}: norm is backward, ortho or forward, got ${shownValue(norm)}`);
}

/** Returns the operand and options of a transform along one axis. Throws INVALID_ARGUMENT. */
export function checkTransform(call: string, x: OperandLike<DType>, dtypes: readonly DType[], options: FftOptions): CheckedTransform {
  checkOptions(call, options, ["fftLength", "axis", "norm"]);
  const { fftLength, axis = -1, norm = "backward" } = options;
  const tree = checkSignal(call, x, dtypes, 1);
  return {
    tree,
    axes: [checkAxis(call, axis, tree)],
    lengths: [fftLength === undefined ? undefined : checkLength(call, fftLength)],
    norm: checkNorm(call, norm),
  };
}

/**
 * Returns the operand and options of a transform along several axes; along the last `count` ones if that is not null. Throws INVALID_ARGUMENT.
 */
export function checkTransformNd(
  call: string,
  x: OperandLike<DType>,
  dtypes: readonly DType[],
  options: FftNdOptions,
  count: number | null,
): CheckedTransform {
  checkOptions(call, options, count === null ? ["fftLength", "axes", "norm"] : ["fftLength", "norm"]);
  const { fftLength, axes, norm = "backward" } = options;
  const tree = checkSignal(call, x, dtypes, count ?? 1);
  const rank = sizesOf(tree).length;
  for (const [name, list] of [
    ["fftLength", fftLength],
    ["axes", axes],
  ] as const) {
    if (list !== undefined && (!isArray(list) || list.length > rank)) {
      throw new InvalidArgumentError(`${call}: ${name} is a list of at most ${rank} numbers, got ${shownValue(list)}`);
    }
  }
  const number = count ?? axes?.length ?? fftLength?.length ?? rank;
  const chosen = axes === undefined ? Array.from({ length: number }, (_, k) => k - number) : [...axes];
  const checked = chosen.map((axis) => checkAxis(call, axis, tree));
  if (new Set(checked).size !== checked.length || checked.length === 0) {
    throw new InvalidArgumentError(`${call}: axes are one or more different axes, got ${shownValue(chosen)}`);
  }
  if (fftLength !== undefined && fftLength.length !== checked.length) {
    throw new InvalidArgumentError(`${call}: fftLength has a length for each of ${checked.length} axes, got ${shownValue(fftLength)}`);
  }
  const lengths = checked.map((_, k) => (fftLength === undefined ? undefined : checkLength(call, fftLength[k], `[${k}]`)));
  return { tree, axes: checked, lengths, norm: checkNorm(call, norm) };
}

/** Returns a value cropped or filled up with zeros at its end to a size along an axis. */
export function withSize(value: ExpressionTree, axis: number, size: number | undefined): GradientValue {
  const sizes = sizesOf(value);
  const present = sizes[axis]!;
  if (size === undefined || size <= present) return partAlong(value, axis, 0, size ?? present);
  return joined([value, filled(value.dtype, 0, sizes.with(axis, size - present))], axis);
}

/** Returns the factor that makes of a forward transform over `count` elements, or of an inverse one divided by them, that of a norm. */
export function normFactor(norm: FftNorm, isInverse: boolean, count: number): number {
  if (norm === "backward") return 1;
  const power = norm === "ortho" ? 0.5 : 1;
  return isInverse ? count ** power : count ** -power;
}

/** Returns a value multiplied by a factor. */
export const scaledBy = (value: GradientValue, factor: number): GradientValue => (factor === 1 ? value : value.mul(factor));
