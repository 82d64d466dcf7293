/**
 * @onebuffer/signal: spectra, windows and filters, as functions of signals that return expressions (TensorFlow's tf.signal).
 */
export { fftPlanCounts } from "./fft/plan-counts.ts";
export type { FftPlanCounts } from "./fft/plan-counts.ts";
export { correlate, fftConvolve } from "./filter/fft-convolve.ts";
export type { ConvolveMode, FftConvolveOptions } from "./filter/fft-convolve.ts";
export { firFilter, sosFilter } from "./filter/filters.ts";
export type { FilterOptions, Filtered } from "./filter/filters.ts";
export { resamplePoly } from "./filter/resample-poly.ts";
export type { ResampleOptions } from "./filter/resample-poly.ts";
export { frame, overlapAndAdd } from "./frame/frame.ts";
export type { FrameOptions } from "./frame/frame.ts";
export { linearToMelWeightMatrix, mfccsFromLogMelSpectrograms, spectrogram } from "./frame/spectrogram.ts";
export type { MelOptions } from "./frame/spectrogram.ts";
export { inverseStft, inverseStftWindow, stft } from "./frame/stft.ts";
export type { StftOptions, WindowFunction } from "./frame/stft.ts";
export { dct, idct } from "./transform/dct.ts";
export type { DctOptions } from "./transform/dct.ts";
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
export { kaiserBesselDerivedWindow, kaiserWindow, vorbisWindow } from "./window/kaiser-windows.ts";
export { blackmanWindow, hammingWindow, hannWindow } from "./window/raised-cosines.ts";
export type { WindowFunctionOptions } from "./window/raised-cosines.ts";
export type { SymmetricWindowOptions } from "./window/window-values.ts";
