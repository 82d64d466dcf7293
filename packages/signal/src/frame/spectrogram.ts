/** spectrogram: the power of frames of a signal by frequency, mel scales, and cepstra. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { tensorMap } from "@onebuffer/eigen";
import type { Expression, OperandLike, RankWith } from "@onebuffer/expression";
import { sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { dct } from "../transform/dct.ts";
import { checkSignal } from "../transform/transform-options.ts";
import type { RealSignalDType } from "../transform/transform-options.ts";
import { kMaxTable } from "../window/window-values.ts";
import { checkCount } from "./frame.ts";
import { stft } from "./stft.ts";
import type { StftOptions } from "./stft.ts";

/**
 * Returns the squared magnitudes of `stft`, whose options it has: [..., frames, fftLength / 2 + 1] (`tf.audio.spectrogram` with
 * `magnitude_squared`). Throws and copies as `stft`.
 *
 * @example
 * const x = constant("float32", 1, [8]);
 * evaluate(spectrogram(x, 4, 4, { window: null })).toArray(); // => [[16, 0, 0], [16, 0, 0]]
 */
export function spectrogram<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  frameLength: number,
  frameStep: number,
  options: StftOptions = {},
): Expression<D, RankWith<R, 1>> {
  checkOptions("spectrogram", options, ["fftLength", "window", "padEnd"]);
  checkSignal("spectrogram", x, ["float32", "float64"], 1);
  const spectra = stft(x, frameLength, frameStep, options) as unknown as GradientValue;
  const [re, im] = [spectra.real(), spectra.imag()];
  return re.mul(re).add(im.mul(im)) as unknown as Expression<D, RankWith<R, 1>>;
}

/**
 * The options of `linearToMelWeightMatrix`, with TensorFlow's defaults.
 *
 * @example
 * const options: MelOptions = { sampleRate: 16000, upperEdgeHertz: 7600 };
 * linearToMelWeightMatrix(40, 257, options).dimensions; // => [257, 40]
 */
export interface MelOptions<D extends RealSignalDType = "float32"> {
  /** Elements of the signal per second; the default is 8000. */
  readonly sampleRate?: number;
  /** The lower edge of the lowest filter; the default is 125. */
  readonly lowerEdgeHertz?: number;
  /** The upper edge of the highest filter; the default is 3800. */
  readonly upperEdgeHertz?: number;
  /** The dtype; the default is float32. */
  readonly dtype?: D;
}

/** Returns a frequency on the mel scale. */
const melOf = (hertz: number): number => 1127 * Math.log1p(hertz / 700);

/**
 * Returns the matrix [numSpectrogramBins, numMelBins] that a spectrogram is multiplied by to get bands of the mel scale
 * (`tf.signal.linear_to_mel_weight_matrix`): triangles between edges that are equally far apart on the scale.
 *
 * Throws INVALID_ARGUMENT for numbers of bins that are no whole numbers from 1, and for edges that are not 0 <= lower < upper <= sampleRate
 * / 2. Copies nothing.
 *
 * @example
 * const mel = linearToMelWeightMatrix(20, 129);
 * spectrogram(constant("float32", 1, [1000]), 256, 128).matMul(mel).dimensions; // => [6, 20]
 * linearToMelWeightMatrix(20, 129, { upperEdgeHertz: 5000 }); // throws INVALID_ARGUMENT
 */
export function linearToMelWeightMatrix<D extends RealSignalDType = "float32">(
  numMelBins: number = 20,
  numSpectrogramBins: number = 129,
  options: MelOptions<D> = {},
): Expression<D, 2> {
  const call = "linearToMelWeightMatrix";
  checkOptions(call, options, ["sampleRate", "lowerEdgeHertz", "upperEdgeHertz", "dtype"]);
  const { sampleRate = 8000, lowerEdgeHertz = 125, upperEdgeHertz = 3800, dtype = "float32" as D } = options;
  checkCount(call, "numMelBins", numMelBins);
  checkCount(call, "numSpectrogramBins", numSpectrogramBins);
  if (numMelBins * numSpectrogramBins > kMaxTable) {
    throw new InvalidArgumentError(`${call}: ${numMelBins} times ${numSpectrogramBins} bins are more than ${kMaxTable}`);
  }
  const areNumbers = [lowerEdgeHertz, upperEdgeHertz, sampleRate].every((each) => Number.isFinite(each));
  if (!(areNumbers && lowerEdgeHertz >= 0 && lowerEdgeHertz < upperEdgeHertz && upperEdgeHertz <= sampleRate / 2)) {
    const shown = [lowerEdgeHertz, upperEdgeHertz, sampleRate].map(shownValue).join(", ");
    throw new InvalidArgumentError(`${call}: 0 <= lowerEdgeHertz < upperEdgeHertz <= sampleRate / 2, got ${shown}`);
  }
  if (dtype !== "float32" && dtype !== "float64") {
    throw new InvalidArgumentError(`${call}: the dtype is float32 or float64, got ${shownValue(dtype)}`);
  }
  const [lowest, highest] = [melOf(lowerEdgeHertz), melOf(upperEdgeHertz)];
  const edge = (k: number): number => lowest + ((highest - lowest) * k) / (numMelBins + 1);
  const weights = Float64Array.from({ length: numSpectrogramBins * numMelBins }, (_, at) => {
    const [bin, band] = [Math.floor(at / numMelBins), at % numMelBins];
    if (bin === 0) return 0;
    const mel = melOf((bin * sampleRate) / 2 / (numSpectrogramBins - 1));
    const [lower, center, upper] = [edge(band), edge(band + 1), edge(band + 2)];
    return Math.max(0, Math.min((mel - lower) / (center - lower), (upper - mel) / (upper - center)));
  });
  return tensorMap("float64", weights, [numSpectrogramBins, numMelBins]).mul(1).cast(dtype) as unknown as Expression<D, 2>;
}

/**
 * Returns the mel-frequency cepstral coefficients of logarithms of mel spectrograms [..., bands]
 * (`tf.signal.mfccs_from_log_mel_spectrograms`): their cosine transforms of type 2, divided by sqrt(2 bands). Throws and copies as `dct`,
 * and throws INVALID_ARGUMENT for no bands.
 *
 * @example
 * const bands = constant("float64", 1, [5, 8]);
 * evaluate(mfccsFromLogMelSpectrograms(bands)).at(0, 0); // => 4
 */
export function mfccsFromLogMelSpectrograms<D extends RealSignalDType, R extends number>(logMel: OperandLike<D, R>): Expression<D, R> {
  const call = "mfccsFromLogMelSpectrograms";
  const tree = checkSignal(call, logMel, ["float32", "float64"], 1);
  const bands = sizesOf(tree).at(-1)!;
  if (bands === 0) throw new InvalidArgumentError(`${call}: num_mel_bins must be positive, got 0`);
  const result = dct(tree as never) as unknown as GradientValue;
  return result.mul((2 * bands) ** -0.5) as unknown as Expression<D, R>;
}
