/** raised-cosines: windows that are sums of cosines. */
import { checkOptions } from "@onebuffer/base/internal";
import type { Expression, FloatDType } from "@onebuffer/expression";
import { periodOf, windowOf } from "./window-values.ts";

/**
 * The options of `hannWindow`.
 *
 * @example
 * const options: WindowFunctionOptions<"float64"> = { periodic: false, dtype: "float64" };
 * evaluate(hannWindow(3, options)).toArray(); // => [0, 1, 0]
 */
export interface WindowFunctionOptions<D extends FloatDType = "float32"> {
  /** True, the default, for a window of an even length that begins again behind its end; odd lengths are symmetric, as in TensorFlow. */
  readonly periodic?: boolean;
  /** The dtype of the window; the default is float32. */
  readonly dtype?: D;
}

/** Returns the window a0 - a1 cos(2 pi i / n) + a2 cos(4 pi i / n). A window of one element is 1. */
function cosines<D extends FloatDType>(
  call: string,
  length: number,
  options: WindowFunctionOptions<D>,
  [a0, a1, a2]: readonly [number, number, number],
): Expression<D, 1> {
  checkOptions(call, options, ["periodic", "dtype"]);
  const { periodic = true, dtype = "float32" as D } = options;
  const period = periodOf(call, length, periodic);
  return windowOf(call, length, dtype, (i) => {
    const angle = (2 * Math.PI * i) / period;
    return length === 1 ? 1 : a0 - a1 * Math.cos(angle) + a2 * Math.cos(2 * angle);
  });
}

/**
 * Returns a Hann window of `length` elements (`tf.signal.hann_window`): 0.5 - 0.5 cos(2 pi i / n), where n is the length if the window is
 * periodic and the length is even, and otherwise one less. A window of one element is 1.
 *
 * Throws INVALID_ARGUMENT for a length that is not a whole number from 0, and for a dtype that is not a float. Copies nothing.
 *
 * @example
 * evaluate(hannWindow(4)).toArray(); // => [0, 0.5, 1, 0.5]
 * hannWindow(-1); // throws INVALID_ARGUMENT
 */
export function hannWindow<D extends FloatDType = "float32">(length: number, options: WindowFunctionOptions<D> = {}): Expression<D, 1> {
  return cosines("hannWindow", length, options, [0.5, 0.5, 0]);
}

/**
 * Returns a Hamming window of `length` elements (`tf.signal.hamming_window`): 0.54 - 0.46 cos(2 pi i / n). The period n and the errors are
 * those of `hannWindow`.
 *
 * @example
 * evaluate(hammingWindow(4, { dtype: "float64" })).toArray().map((x) => Math.round(100 * x)); // => [8, 54, 100, 54]
 */
export function hammingWindow<D extends FloatDType = "float32">(length: number, options: WindowFunctionOptions<D> = {}): Expression<D, 1> {
  return cosines("hammingWindow", length, options, [0.54, 0.46, 0]);
}

/**
 * Returns a Blackman window of `length` elements (`scipy.signal.windows.blackman`): 0.42 - 0.5 cos(2 pi i / n) + 0.08 cos(4 pi i / n). The
 * period n and the errors are those of `hannWindow`.
 *
 * @example
 * evaluate(blackmanWindow(4, { dtype: "float64" })).toArray().slice(1).map((x) => Math.round(100 * x)); // => [34, 100, 34]
 */
export function blackmanWindow<D extends FloatDType = "float32">(length: number, options: WindowFunctionOptions<D> = {}): Expression<D, 1> {
  return cosines("blackmanWindow", length, options, [0.42, 0.5, 0.08]);
}
