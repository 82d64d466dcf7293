/** rfft: discrete Fourier transforms of real numbers, whose spectra are kept by half, and the transforms back. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { filled, shownCall, shuffled, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { complexNode } from "./complex-node.ts";
import { fftRecord, ifftRecord } from "./complex-record.ts";
import type { FftBlockOptions } from "./fft.ts";
import { complexOf, realNode, spectrumNode, spectrumSize } from "./real-records.ts";
import { checkTransform, checkTransformNd, normFactor, scaledBy, withSize } from "./transform-options.ts";
import type { CheckedTransform, FftNdOptions, FftOptions, RealSignalDType, SpectrumDType, SpectrumPart } from "./transform-options.ts";

const kReals = ["float32", "float64"] as const;
const kComplex = ["complex64", "complex128"] as const;

/** Returns a value with one axis moved to the end, computed by `inner`, and moved back. */
function alongLast(value: GradientValue, axis: number, inner: (moved: GradientValue) => GradientValue): GradientValue {
  const order = sizesOf(value).map((_, d, { length }) => (d === axis ? length - 1 : d === length - 1 ? axis : d));
  return shuffled(inner(shuffled(value, order)), order);
}

/** Returns the spectrum along the axes: of real numbers along the last one of them, of complex ones along the others. */
function spectrum({ tree, axes, lengths, norm }: CheckedTransform): GradientValue {
  const real = axes.reduce((each, axis, k) => withSize(each, axis, lengths[k]), tree as GradientValue);
  const count = axes.reduce((product, axis) => product * sizesOf(real)[axis]!, 1);
  const half = axes.at(-1)!;
  const size = sizesOf(real)[half]!;
  let value: GradientValue;
  if (size === 0) value = filled(complexOf(real.dtype), 0, sizesOf(real));
  else value = size === 1 ? real.cast(complexOf(real.dtype)) : alongLast(real, half, spectrumNode);
  for (const axis of axes.slice(0, -1).reverse()) value = complexNode(fftRecord, value, axis);
  return scaledBy(value, normFactor(norm, false, count));
}

/** Returns the real numbers with a spectrum. Without a length, the last of the axes gets an even one. */
function realNumbers(call: string, { tree, axes, lengths, norm }: CheckedTransform): GradientValue {
  const half = axes.at(-1)!;
  const length = lengths.at(-1) ?? 2 * (sizesOf(tree)[half]! - 1);
  if (length < 1) {
    throw new InvalidArgumentError(
      `${shownCall(call, [tree])}: a spectrum of ${sizesOf(tree)[half]} elements along axis ${half} has no length; fftLength gives it one`,
    );
  }
  const sized = axes.slice(0, -1).reduce((each, axis, k) => withSize(each, axis, lengths[k]), tree as GradientValue);
  let value = withSize(sized, half, spectrumSize(length));
  for (const axis of axes.slice(0, -1)) value = complexNode(ifftRecord, value, axis);
  value = length === 1 ? value.real() : alongLast(value, half, (moved) => realNode(moved, length));
  const count = axes.reduce((product, axis) => product * sizesOf(value)[axis]!, 1);
  return scaledBy(value, normFactor(norm, true, count));
}

/**
 * Returns the first n / 2 + 1 elements of the Fourier transform of real numbers along an axis, by default the last one (`tf.signal.rfft`,
 * `np.fft.rfft`); the others are their conjugates. It takes about half of the time of `fft`. float32 gives complex64, float64 complex128.
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes and for wrong options. Copies: nothing; cropped and filled up operands, and those of
 * another axis, are copied once into scratch memory.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(0, 1, 2, 3), [4]);
 * evaluate(rfft(x)).toArray(); // => [[6, 0], [-2, 2], [-2, 0]]
 * rfft(x, { fftLength: -1 }); // throws INVALID_ARGUMENT
 */
export function rfft<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftOptions = {},
): Expression<SpectrumDType<D>, R> {
  return spectrum(checkTransform("rfft", x, kReals, options)) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the real numbers of which `rfft` gives a spectrum (`tf.signal.irfft`, `np.fft.irfft`). The default length is 2 (n - 1); odd
 * lengths need `fftLength`. The spectrum is cropped or filled up to fftLength / 2 + 1 elements; the imaginary parts of element 0, and of
 * the last one of even lengths, are ignored.
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes, for wrong options, and for a spectrum of one element without `fftLength`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(0, 1, 2, 3), [4]);
 * evaluate(irfft(rfft(x))).toArray(); // => [0, 1, 2, 3]
 * irfft(rfft(x, { fftLength: 1 })); // throws INVALID_ARGUMENT
 */
export function irfft<D extends "complex64" | "complex128", R extends number>(
  x: OperandLike<D, R>,
  options: FftOptions = {},
): Expression<SpectrumPart<D>, R> {
  return realNumbers("irfft", checkTransform("irfft", x, kComplex, options)) as unknown as Expression<SpectrumPart<D>, R>;
}

/**
 * Returns `rfft` along the last axis, and `fft` along the one before (`tf.signal.rfft2d`, `np.fft.rfft2`). Throws as `rfft`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(rfft2d(x).real()).toArray(); // => [[10, -2], [-4, 0]]
 */
export function rfft2d<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumDType<D>, R> {
  return spectrum(checkTransformNd("rfft2d", x, kReals, options, 2)) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the inverse of `rfft2d` (`tf.signal.irfft2d`, `np.fft.irfft2`). Throws as `irfft`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(irfft2d(rfft2d(x))).toArray(); // => [[1, 2], [3, 4]]
 */
export function irfft2d<D extends "complex64" | "complex128", R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumPart<D>, R> {
  return realNumbers("irfft2d", checkTransformNd("irfft2d", x, kComplex, options, 2)) as unknown as Expression<SpectrumPart<D>, R>;
}

/**
 * Returns `rfft` along the last axis, and `fft` along the two before (`tf.signal.rfft3d`). Throws as `rfft`.
 *
 * @example
 * rfft3d(constant("float32", 1, [4, 4, 4])).dimensions; // => [4, 4, 3]
 */
export function rfft3d<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumDType<D>, R> {
  return spectrum(checkTransformNd("rfft3d", x, kReals, options, 3)) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the inverse of `rfft3d` (`tf.signal.irfft3d`). Throws as `irfft`.
 *
 * @example
 * irfft3d(rfft3d(constant("float32", 1, [4, 4, 4]))).dimensions; // => [4, 4, 4]
 */
export function irfft3d<D extends "complex64" | "complex128", R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumPart<D>, R> {
  return realNumbers("irfft3d", checkTransformNd("irfft3d", x, kComplex, options, 3)) as unknown as Expression<SpectrumPart<D>, R>;
}

/**
 * Returns `rfft` along the last of any axes, and `fft` along the others (`np.fft.rfftn`). Throws as `rfft` and `fftNd`.
 *
 * @example
 * rfftNd(constant("float32", 1, [4, 6]), { axes: [1, 0] }).dimensions; // => [3, 6]
 */
export function rfftNd<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftNdOptions = {},
): Expression<SpectrumDType<D>, R> {
  return spectrum(checkTransformNd("rfftNd", x, kReals, options, null)) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the inverse of `rfftNd` (`np.fft.irfftn`). Throws as `irfft` and `fftNd`.
 *
 * @example
 * irfftNd(constant("complex64", 1, [3, 6]), { axes: [1, 0] }).dimensions; // => [4, 6]
 */
export function irfftNd<D extends "complex64" | "complex128", R extends number>(
  x: OperandLike<D, R>,
  options: FftNdOptions = {},
): Expression<SpectrumPart<D>, R> {
  return realNumbers("irfftNd", checkTransformNd("irfftNd", x, kComplex, options, null)) as unknown as Expression<SpectrumPart<D>, R>;
}
