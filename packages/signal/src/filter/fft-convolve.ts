/** fft-convolve: convolutions and correlations of signals, by Fourier transforms. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { conjugate, filled, isComplexDType, made, partAlong, shownCall, sizesOf, sliceFields } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { fastLength } from "../fft/radices.ts";
import { fft, ifft } from "../transform/fft.ts";
import { irfft, rfft } from "../transform/rfft.ts";
import { checkSignal } from "../transform/transform-options.ts";
import type { SignalDType } from "../transform/transform-options.ts";

/**
 * Which part of a convolution of n with m elements is the result: all n + m - 1 (`full`), the middle n (`same`), or those that need no elements
 * outside (`valid`).
 *
 * @example
 * const mode: ConvolveMode = "same";
 * fftConvolve(constant("float32", 1, [5]), constant("float32", 1, [3]), { mode }).dimensions; // => [5]
 */
export type ConvolveMode = "full" | "same" | "valid";

/**
 * The options of `fftConvolve` and `correlate`.
 *
 * @example
 * const options: FftConvolveOptions = { mode: "valid" };
 * fftConvolve(constant("float32", 1, [5]), constant("float32", 1, [3]), options).dimensions; // => [3]
 */
export interface FftConvolveOptions {
  /** The part that is the result; the default is `full`. */
  readonly mode?: ConvolveMode;
}

const kDTypes = ["float32", "float64", "complex64", "complex128"] as const;

/** Returns the elements of the last axis in the opposite order. */
export function backwards(value: GradientValue): GradientValue {
  const sizes = sizesOf(value);
  return made(sliceFields(value, sizes.map((size, d) => (d === sizes.length - 1 && size > 0 ? [size - 1, null, -1] : null)) as never));
}

function convolved(
  call: string,
  first: OperandLike<SignalDType>,
  second: OperandLike<SignalDType>,
  options: FftConvolveOptions,
  prepare: (second: GradientValue) => GradientValue,
): GradientValue {
  checkOptions(call, options, ["mode"]);
  const { mode = "full" } = options;
  const operands = [checkSignal(call, first, kDTypes, 1), checkSignal(call, second, kDTypes, 1)] as const;
  const [a, b] = [operands[0] as GradientValue, prepare(operands[1] as GradientValue)];
  if (a.dtype !== b.dtype) throw new InvalidArgumentError(`${shownCall(call, operands)}: operands of the same dtype`);
  if (!["full", "same", "valid"].includes(mode)) {
    throw new InvalidArgumentError(`${call}: the mode is full, same or valid, got ${shownValue(mode)}`);
  }
  const [n, m] = [sizesOf(a).at(-1)!, sizesOf(b).at(-1)!];
  const size = n + m - 1;
  const batch = sizesOf(partAlong(a, sizesOf(a).length - 1, 0, 0).add(partAlong(b, sizesOf(b).length - 1, 0, 0))).slice(0, -1);
  if (n === 0 || m === 0) return filled(a.dtype, 0, [...batch, 0]);
  const fftLength = fastLength(size, 1);
  const isComplex = isComplexDType(a.dtype);
  const [forward, back] = (isComplex ? [fft, ifft] : [rfft, irfft]) as unknown as readonly ((x: unknown, o: object) => GradientValue)[];
  const product = forward!(a, { fftLength }).mul(forward!(b, { fftLength }));
  const result = back!(product, { fftLength });
  const axis = sizesOf(result).length - 1;
  if (mode === "full") return partAlong(result, axis, 0, size);
  if (mode === "same") return partAlong(result, axis, Math.floor((m - 1) / 2), Math.floor((m - 1) / 2) + n);
  return partAlong(result, axis, Math.min(n, m) - 1, Math.max(n, m));
}

/**
 * Returns the convolution along the last axis by Fourier transforms (`scipy.signal.fftconvolve`): element k is the sum of a[j] b[k - j].
 * The other axes are broadcast. Its error is relative to the largest elements of the result.
 *
 * Throws INVALID_ARGUMENT for scalars, for different or other dtypes, for batches that do not fit, and for another mode. Copies: the
 * operands, filled up with zeros, into scratch memory.
 *
 * @example
 * const [a, b] = [tensorMap("float32", Float32Array.of(1, 2), [2]), tensorMap("float32", Float32Array.of(1, 3), [2])];
 * evaluate(fftConvolve(a, b)).toArray().map((x) => Math.round(x)); // => [1, 5, 6]
 * fftConvolve(a, b, { mode: "all" as "full" }); // throws INVALID_ARGUMENT
 */
export function fftConvolve<D extends SignalDType, R extends number>(
  a: OperandLike<D, R>,
  b: OperandLike<NoInfer<D>, R>,
  options: FftConvolveOptions = {},
): Expression<D, R> {
  return convolved("fftConvolve", a, b, options, (each) => each) as unknown as Expression<D, R>;
}

/**
 * Returns the correlation along the last axis by Fourier transforms (`scipy.signal.correlate`): the convolution of `a` with the conjugate
 * of `b` in the opposite order. Element m - 1 of `full` is the sum of a[j] conj(b[j]). Throws and copies as `fftConvolve`.
 *
 * @example
 * const [a, b] = [tensorMap("float32", Float32Array.of(1, 2), [2]), tensorMap("float32", Float32Array.of(1, 3), [2])];
 * evaluate(correlate(a, b)).toArray().map((x) => Math.round(x)); // => [3, 7, 2]
 */
export function correlate<D extends SignalDType, R extends number>(
  a: OperandLike<D, R>,
  b: OperandLike<NoInfer<D>, R>,
  options: FftConvolveOptions = {},
): Expression<D, R> {
  return convolved("correlate", a, b, options, (each) => backwards(conjugate(each))) as unknown as Expression<D, R>;
}
