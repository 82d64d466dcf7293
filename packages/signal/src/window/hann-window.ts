/** hann-window: the raised cosine with which frames are multiplied before a Fourier transform. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import type { Expression, FloatDType } from "@onebuffer/expression";
import { constant, iota, opTable } from "@onebuffer/expression";
import { isIndex } from "@onebuffer/storage/internal";

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
  checkOptions("hannWindow", options, ["periodic", "dtype"]);
  const { periodic = true, dtype = "float32" } = options as WindowFunctionOptions;
  if (!isIndex(length, 2 ** 31))
    throw new InvalidArgumentError(`hannWindow: the length is a whole number from 0, got ${shownValue(length)}`);
  if (typeof periodic !== "boolean") throw new InvalidArgumentError(`hannWindow: periodic is a boolean, got ${shownValue(periodic)}`);
  if (!opTable.cos.dtypes.includes(dtype) || !opTable.floor.dtypes.includes(dtype)) {
    throw new InvalidArgumentError(`hannWindow: the dtype is a float, got ${shownValue(dtype)}`);
  }
  if (length === 1) return constant("float64", 1, [1]).cast(dtype) as unknown as Expression<D, 1>;
  const period = periodic && length % 2 === 0 ? length : length - 1;
  const angles = iota("float64", length).mul((2 * Math.PI) / period);
  return angles.cos().mul(-0.5).add(0.5).cast(dtype) as unknown as Expression<D, 1>;
}
