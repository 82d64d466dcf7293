/** stft: spectra of frames of a signal, and the signal back. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkInteger, checkOptions, shownValue } from "@onebuffer/base/internal";
import { evaluate } from "@onebuffer/eigen";
import type { Expression, OperandLike, RankWith, RankWithout } from "@onebuffer/expression";
import { checkTree, shownCall, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { irfft, rfft } from "../transform/rfft.ts";
import { checkSignal, withSize } from "../transform/transform-options.ts";
import type { RealSignalDType, SpectrumDType, SpectrumPart } from "../transform/transform-options.ts";
import { hannWindow } from "../window/raised-cosines.ts";
import { kMaxTable, windowOf } from "../window/window-values.ts";
import { addedFrames, checkCount, framesOf } from "./frame.ts";

/**
 * A function that makes a window of a length and a dtype, such as `hannWindow`.
 *
 * @example
 * const window: WindowFunction = hammingWindow;
 * stft(constant("float32", 1, [8]), 4, 2, { window }).dimensions; // => [3, 3]
 */
export type WindowFunction = (length: number, options: { readonly dtype: RealSignalDType }) => OperandLike<RealSignalDType, 1>;

/**
 * The options of `stft` and `inverseStft`.
 *
 * @example
 * const options: StftOptions = { fftLength: 8, window: null, padEnd: true };
 * stft(constant("float32", 1, [8]), 4, 2, options).dimensions; // => [4, 5]
 */
export interface StftOptions {
  /** The length of the transform of a frame; the default is the next power of 2. */
  readonly fftLength?: number;
  /** The window that frames are multiplied by; the default is `hannWindow`, and null is none. */
  readonly window?: WindowFunction | null;
  /** True if a frame begins at every step, and the signal goes on with zeros; the default is false. */
  readonly padEnd?: boolean;
}

/** The options that `stft` and its inverse share, checked. */
function checkStft(call: string, frameLength: number, frameStep: number, options: StftOptions, names: readonly string[]) {
  if (typeof frameLength === "object") {
    throw new InvalidArgumentError(`${call}: the lengths are arguments of their own: ${call}(x, frameLength, frameStep, options)`);
  }
  checkOptions(call, options, names);
  const { fftLength, window = hannWindow, padEnd = false } = options;
  checkCount(call, "frameLength", frameLength);
  checkCount(call, "frameStep", frameStep);
  if (typeof padEnd !== "boolean") throw new InvalidArgumentError(`${call}: padEnd is a boolean, got ${shownValue(padEnd)}`);
  if (window !== null && typeof window !== "function") {
    throw new InvalidArgumentError(`${call}: the window is a function or null, got ${shownValue(window)}`);
  }
  const length = fftLength === undefined ? 2 ** Math.ceil(Math.log2(frameLength)) : checkCount(call, "fftLength", fftLength);
  return { length, window, padEnd };
}

/** Returns frames multiplied by the window of their length. Throws INVALID_ARGUMENT if the function makes another one. */
function windowed(call: string, frames: GradientValue, window: WindowFunction | null): GradientValue {
  if (window === null) return frames;
  const length = sizesOf(frames).at(-1)!;
  const dtype = frames.dtype as RealSignalDType;
  return frames.mul(checkWindow(shownCall(call, [frames]), window(length, { dtype }), dtype, length));
}

/** Returns what a function of windows made. Throws INVALID_ARGUMENT if it has another dtype or length. */
function checkWindow(call: string, window: OperandLike<RealSignalDType>, dtype: RealSignalDType, length: number): GradientValue {
  const made = checkTree(call, window);
  if (made.dtype === dtype && sizesOf(made).length === 1 && sizesOf(made)[0] === length) return made as GradientValue;
  throw new InvalidArgumentError(`${call}: the window is ${made.dtype} [${sizesOf(made).join(", ")}], not ${dtype} [${length}]`);
}

/**
 * Returns the short-time Fourier transform along the last axis (`tf.signal.stft`): `rfft` of frames of `frameLength` elements, multiplied by a
 * window, which begin `frameStep` elements apart: [..., frames, fftLength / 2 + 1].
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes, and for lengths, steps and options that are wrong. Copies: the windowed frames, into
 * scratch memory.
 *
 * @example
 * stft(constant("float32", 1, [1000]), 256, 64).dimensions; // => [12, 129]
 * stft(constant("float32", 1, [1000]), 256, 0); // throws INVALID_ARGUMENT
 */
export function stft<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  frameLength: number,
  frameStep: number,
  options: StftOptions = {},
): Expression<SpectrumDType<D>, RankWith<R, 1>> {
  const tree = checkSignal("stft", x, ["float32", "float64"], 1) as GradientValue;
  const { length, window, padEnd } = checkStft("stft", frameLength, frameStep, options, ["fftLength", "window", "padEnd"]);
  const frames = windowed("stft", framesOf(tree, frameLength, frameStep, padEnd, 0), window);
  return rfft(frames as never, { fftLength: length }) as never;
}

/**
 * Returns signals of which `stft` gives spectra (`tf.signal.inverse_stft`): the frames of `irfft`, multiplied by a window and added up. With
 * `inverseStftWindow` as the window the signal is the original one, except near its ends, where fewer frames overlap.
 *
 * Throws INVALID_ARGUMENT for fewer than two dimensions, for other dtypes, and for lengths, steps and options that are wrong. Copies: the
 * frames, into scratch memory.
 *
 * @example
 * const x = iota("float32", 64);
 * const window = inverseStftWindow(4);
 * const y = evaluate(inverseStft(stft(x, 16, 4), 16, 4, { window })).toArray();
 * y.slice(16, 20).map((each) => Math.round(each)); // => [16, 17, 18, 19]
 */
export function inverseStft<D extends "complex64" | "complex128", R extends number>(
  spectra: OperandLike<D, R>,
  frameLength: number,
  frameStep: number,
  options: Omit<StftOptions, "padEnd"> = {},
): Expression<SpectrumPart<D>, RankWithout<R, 1>> {
  const tree = checkSignal("inverseStft", spectra, ["complex64", "complex128"], 2);
  const { length, window } = checkStft("inverseStft", frameLength, frameStep, options, ["fftLength", "window"]);
  const real = irfft(tree as never, { fftLength: length }) as unknown as GradientValue;
  const frames = withSize(real, sizesOf(real).length - 1, frameLength);
  return addedFrames("inverseStft", windowed("inverseStft", frames, window), frameStep) as unknown as Expression<
    SpectrumPart<D>,
    RankWithout<R, 1>
  >;
}

/**
 * Returns the function of the window of `inverseStft` that undoes the window of `stft` (`tf.signal.inverse_stft_window_fn`): the window
 * divided by the sum of the squares of all windows that overlap. The default is the inverse of `hannWindow`.
 *
 * Throws INVALID_ARGUMENT for a step that is not a whole number from 1, and if `forwardWindow` is not a function. The window is computed when the
 * function that is returned is called.
 *
 * @example
 * const window = inverseStftWindow(2, hannWindow);
 * evaluate(window(4, { dtype: "float64" })).toArray().map((x) => Math.round(100 * x) / 100); // => [0, 1, 1, 1]
 */
export function inverseStftWindow(
  frameStep: number,
  forwardWindow: WindowFunction = hannWindow,
): <D extends RealSignalDType>(length: number, options: { readonly dtype: D }) => Expression<D, 1> {
  const call = "inverseStftWindow";
  checkCount(call, "frameStep", frameStep);
  if (typeof forwardWindow !== "function") {
    throw new InvalidArgumentError(`${call}: the window is a function, got ${shownValue(forwardWindow)}`);
  }
  return (length, options) => {
    checkInteger(length, `${call}: a length`, 1, kMaxTable);
    checkOptions(call, options, ["dtype"]);
    const made = checkWindow(call, forwardWindow(length, { dtype: "float64" }), "float64", length);
    const forward = evaluate(made as unknown as OperandLike<"float64", 1>).toArray() as readonly number[];
    const sums = new Float64Array(Math.min(frameStep, length));
    forward.forEach((value, i) => (sums[i % frameStep]! += value * value));
    return windowOf(call, length, options.dtype, (i) => forward[i]! / sums[i % frameStep]!);
  };
}
