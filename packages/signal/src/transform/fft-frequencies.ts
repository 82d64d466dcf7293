/** fft-frequencies: the frequencies of the elements of spectra. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Expression } from "@onebuffer/expression";
import { iota } from "@onebuffer/expression";
import { joined } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { isIndex } from "@onebuffer/storage/internal";
import type { RealSignalDType } from "./transform-options.ts";

/**
 * The options of `fftFrequencies`.
 *
 * @example
 * const options: FrequencyOptions<"float32"> = { sampleSpacing: 0.25, dtype: "float32" };
 * evaluate(rfftFrequencies(4, options)).toArray(); // => [0, 1, 2]
 */
export interface FrequencyOptions<D extends RealSignalDType = "float64"> {
  /** The time between elements of the signal; the default is 1. */
  readonly sampleSpacing?: number;
  /** The dtype of the result; the default is float64, NumPy's. */
  readonly dtype?: D;
}

/** Returns whole numbers from `first` on, divided by the duration of the signal. */
function frequencies(
  call: string,
  length: number,
  options: FrequencyOptions<RealSignalDType>,
  ranges: (n: number) => number[][],
): GradientValue {
  checkOptions(call, options, ["sampleSpacing", "dtype"]);
  const { sampleSpacing = 1, dtype = "float64" } = options;
  if (!isIndex(length, 2 ** 31) || length === 0) {
    throw new InvalidArgumentError(`${call}: the length is a whole number from 1, got ${shownValue(length)}`);
  }
  if (typeof sampleSpacing !== "number" || sampleSpacing === 0 || !Number.isFinite(sampleSpacing)) {
    throw new InvalidArgumentError(`${call}: sampleSpacing is a number other than 0, got ${shownValue(sampleSpacing)}`);
  }
  if (dtype !== "float32" && dtype !== "float64") {
    throw new InvalidArgumentError(`${call}: the dtype is float32 or float64, got ${shownValue(dtype)}`);
  }
  const parts = ranges(length).map(([first, count]) => (iota("float64", count!) as unknown as GradientValue).add(first!));
  const all = joined(parts, 0).mul(1 / (length * sampleSpacing));
  return dtype === "float64" ? all : all.cast(dtype);
}

/**
 * Returns the frequencies of the elements of `fft` of a signal of `length` elements (`np.fft.fftfreq`): 0, 1, ..., -2, -1, divided by the
 * length and the time between elements.
 *
 * Throws INVALID_ARGUMENT for a length that is not a whole number from 1, and for wrong options. Copies nothing.
 *
 * @example
 * evaluate(fftFrequencies(4)).toArray(); // => [0, 0.25, -0.5, -0.25]
 * fftFrequencies(0); // throws INVALID_ARGUMENT
 */
export function fftFrequencies<D extends RealSignalDType = "float64">(length: number, options: FrequencyOptions<D> = {}): Expression<D, 1> {
  const halves = (n: number): number[][] => [
    [0, Math.ceil(n / 2)],
    [-Math.floor(n / 2), Math.floor(n / 2)],
  ];
  return frequencies("fftFrequencies", length, options, halves) as unknown as Expression<D, 1>;
}

/**
 * Returns the frequencies of the elements of `rfft` (`np.fft.rfftfreq`): 0, 1, ..., n / 2, divided by the length and the time between
 * elements. Throws as `fftFrequencies`.
 *
 * @example
 * evaluate(rfftFrequencies(5, { sampleSpacing: 0.2 })).toArray(); // => [0, 1, 2]
 */
export function rfftFrequencies<D extends RealSignalDType = "float64">(
  length: number,
  options: FrequencyOptions<D> = {},
): Expression<D, 1> {
  return frequencies("rfftFrequencies", length, options, (n) => [[0, Math.floor(n / 2) + 1]]) as unknown as Expression<D, 1>;
}
