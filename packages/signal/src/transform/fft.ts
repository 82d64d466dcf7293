/** fft: discrete Fourier transforms of complex numbers along one axis, the last two or three, or any. */
import type { Expression, OperandLike } from "@onebuffer/expression";
import { sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { complexNode } from "./complex-node.ts";
import { fftRecord, ifftRecord } from "./complex-record.ts";
import { complexOf } from "./real-records.ts";
import { checkTransform, checkTransformNd, normFactor, scaledBy, withSize } from "./transform-options.ts";
import type { CheckedTransform, FftNdOptions, FftOptions, SignalDType, SpectrumDType } from "./transform-options.ts";

const kDTypes = ["float32", "float64", "complex64", "complex128"] as const;

/** Returns the transform along the axes, the last one first. */
function transformed({ tree, axes, lengths, norm }: CheckedTransform, isInverse: boolean): GradientValue {
  const dtype = complexOf(tree.dtype);
  const record = isInverse ? ifftRecord : fftRecord;
  let value = axes.reduce((each, axis, k) => withSize(each, axis, lengths[k]), tree as GradientValue);
  if (value.dtype !== dtype) value = value.cast(dtype);
  const count = axes.reduce((product, axis) => product * sizesOf(value)[axis]!, 1);
  for (const axis of [...axes].sort((a, b) => b - a)) value = complexNode(record, value, axis);
  return scaledBy(value, normFactor(norm, isInverse, count));
}

/**
 * Returns the discrete Fourier transform along an axis, by default the last one (`tf.signal.fft`, `np.fft.fft`): element k is the sum of
 * x[j] exp(-2 pi i j k / n). All lengths take time n log n. float32 and complex64 give complex64, float64 and complex128 complex128.
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes and for wrong options. Copies: nothing; real, cropped and filled up operands are copied
 * once into scratch memory.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(0, 1, 2, 3), [4]);
 * evaluate(fft(x)).toArray(); // => [[6, 0], [-2, 2], [-2, 0], [-2, -2]]
 * fft(constant("float32", 1, [])); // throws INVALID_ARGUMENT
 */
export function fft<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransform("fft", x, kDTypes, options), false) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the inverse of `fft` (`tf.signal.ifft`, `np.fft.ifft`): element j is the sum of X[k] exp(2 pi i j k / n), divided by n. Throws
 * and copies as `fft`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(0, 1, 2, 3), [4]);
 * evaluate(ifft(fft(x)).real()).toArray(); // => [0, 1, 2, 3]
 * ifft(x, { norm: "none" as "ortho" }); // throws INVALID_ARGUMENT
 */
export function ifft<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransform("ifft", x, kDTypes, options), true) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * The options of transforms along the last two or three axes.
 *
 * @example
 * const options: FftBlockOptions = { fftLength: [4, 2] };
 * fft2d(constant("float32", 1, [3, 3]), options).dimensions; // => [4, 2]
 */
export type FftBlockOptions = Omit<FftNdOptions, "axes">;

/**
 * Returns `fft` along the last two axes (`tf.signal.fft2d`, `np.fft.fft2`). Throws INVALID_ARGUMENT for fewer than two dimensions, and as `fft`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(fft2d(x).real()).toArray(); // => [[10, -2], [-4, 0]]
 */
export function fft2d<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransformNd("fft2d", x, kDTypes, options, 2), false) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the inverse of `fft2d` (`tf.signal.ifft2d`, `np.fft.ifft2`). Throws as `fft2d`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(ifft2d(fft2d(x)).real()).toArray(); // => [[1, 2], [3, 4]]
 */
export function ifft2d<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransformNd("ifft2d", x, kDTypes, options, 2), true) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns `fft` along the last three axes (`tf.signal.fft3d`). Throws INVALID_ARGUMENT for fewer than three dimensions, and as `fft`.
 *
 * @example
 * evaluate(fft3d(constant("float32", 1, [2, 2, 2])).real().sum()).toArray(); // => 8
 */
export function fft3d<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransformNd("fft3d", x, kDTypes, options, 3), false) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the inverse of `fft3d` (`tf.signal.ifft3d`). Throws as `fft3d`.
 *
 * @example
 * evaluate(ifft3d(constant("float32", 1, [2, 2, 2])).real().sum()).toArray(); // => 1
 */
export function ifft3d<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftBlockOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransformNd("ifft3d", x, kDTypes, options, 3), true) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns `fft` along any axes, by default all (`np.fft.fftn`, `tf.signal.fftnd`, which has no kernel on CPUs). Throws INVALID_ARGUMENT for axes
 * that are not different, and as `fft`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(fftNd(x, { axes: [0] }).real()).toArray(); // => [[4, 6], [-2, -2]]
 * fftNd(x, { axes: [0, -2] }); // throws INVALID_ARGUMENT
 */
export function fftNd<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftNdOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransformNd("fftNd", x, kDTypes, options, null), false) as unknown as Expression<SpectrumDType<D>, R>;
}

/**
 * Returns the inverse of `fftNd` (`np.fft.ifftn`). Throws as `fftNd`.
 *
 * @example
 * const x = tensorMap("float32", Float32Array.of(1, 2, 3, 4), [2, 2]);
 * evaluate(ifftNd(fftNd(x)).real()).toArray(); // => [[1, 2], [3, 4]]
 */
export function ifftNd<D extends SignalDType, R extends number>(
  x: OperandLike<D, R>,
  options: FftNdOptions = {},
): Expression<SpectrumDType<D>, R> {
  return transformed(checkTransformNd("ifftNd", x, kDTypes, options, null), true) as unknown as Expression<SpectrumDType<D>, R>;
}
