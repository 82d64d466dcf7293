/**
 * @onebuffer/signal: spectra, windows and filters, as functions of signals that return expressions (TensorFlow's tf.signal).
 */
export { fftPlanCounts } from "./fft/plan-cache.ts";
export type { FftPlanCounts } from "./fft/plan-cache.ts";
export { fft, fft2d, fft3d, fftNd, ifft, ifft2d, ifft3d, ifftNd } from "./transform/fft.ts";
export type { FftBlockOptions } from "./transform/fft.ts";
export { fftFrequencies, rfftFrequencies } from "./transform/fft-frequencies.ts";
export type { FrequencyOptions } from "./transform/fft-frequencies.ts";
export { fftShift, ifftShift } from "./transform/fft-shift.ts";
export { irfft, irfft2d, irfft3d, irfftNd, rfft, rfft2d, rfft3d, rfftNd } from "./transform/rfft.ts";
export type {
  FftNdOptions,
  FftNorm,
  FftOptions,
  RealSignalDType,
  SignalDType,
  SpectrumDType,
  SpectrumPart,
} from "./transform/transform-options.ts";
export { hannWindow } from "./window/hann-window.ts";
export type { WindowFunctionOptions } from "./window/hann-window.ts";
