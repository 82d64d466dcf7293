/** resample-poly: signals at another rate, by a filter between more and fewer elements. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { tensorMap } from "@onebuffer/eigen";
import type { Expression, OperandLike } from "@onebuffer/expression";
import { filled, joined, made, placedAlong, sizesOf, sliceFields } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { checkCount } from "../frame/frame.ts";
import { checkSignal, withSize } from "../transform/transform-options.ts";
import type { RealSignalDType } from "../transform/transform-options.ts";
import { kaiserValue } from "../window/kaiser-windows.ts";
import { checkBeta } from "../window/window-values.ts";
import { firNode } from "./fir-record.ts";

/**
 * The options of `resamplePoly`.
 *
 * @example
 * const options: ResampleOptions = { beta: 8 };
 * resamplePoly(constant("float32", 1, [10]), 3, 2, options).dimensions; // => [15]
 */
export interface ResampleOptions {
  /** The parameter of the Kaiser window of the filter; the default is 5. */
  readonly beta?: number;
}

/** The most taps of a filter. */
const kMostTaps = 2 ** 20;

const divisorOf = (a: number, b: number): number => (b === 0 ? a : divisorOf(b, a % b));

/** Returns the low-pass filter between two rates: a sinc of 10 periods on either side, in a Kaiser window, whose sum is `gain`. */
function lowPass(rate: number, beta: number, gain: number): Float64Array {
  const half = 10 * rate;
  const taps = Float64Array.from({ length: 2 * half + 1 }, (_, k) => {
    const x = (Math.PI * (k - half)) / rate;
    return (x === 0 ? 1 : Math.sin(x) / x) * kaiserValue(k, 2 * half + 1, beta);
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => (gain * tap) / sum);
}

/**
 * Returns a signal at `up / down` of its rate along the last axis (`scipy.signal.resample_poly`): filled up with `up` - 1 zeros between elements,
 * filtered by a low-pass filter without a delay, of which every `down`-th element is kept. The result has n up / down elements, rounded up.
 *
 * Throws INVALID_ARGUMENT for a scalar, for other dtypes, for rates that are no whole numbers from 1 or whose filter is too long, and for
 * wrong options. Copies: the signal with its zeros, into scratch memory.
 *
 * @example
 * const x = constant("float64", 1, [100]);
 * const y = evaluate(resamplePoly(x, 3, 2)).toArray();
 * [y.length, Math.round(100 * y[75]!) / 100]; // => [150, 1]
 * resamplePoly(x, 3, 0); // throws INVALID_ARGUMENT
 */
export function resamplePoly<D extends RealSignalDType, R extends number>(
  x: OperandLike<D, R>,
  up: number,
  down: number,
  options: ResampleOptions = {},
): Expression<D, R> {
  const call = "resamplePoly";
  checkOptions(call, options, ["beta"]);
  const beta = checkBeta(call, options.beta ?? 5);
  const tree = checkSignal(call, x, ["float32", "float64"], 1) as GradientValue;
  const divisor = divisorOf(checkCount(call, "up", up), checkCount(call, "down", down));
  const [more, fewer] = [up / divisor, down / divisor];
  const axis = sizesOf(tree).length - 1;
  const size = sizesOf(tree)[axis]!;
  const half = 10 * Math.max(more, fewer);
  if (2 * half + 1 > kMostTaps) {
    throw new InvalidArgumentError(`${call}: a filter between rates of ${shownValue(more)} and ${shownValue(fewer)} is too long`);
  }
  if (size === 0 || more === fewer) return tree as unknown as Expression<D, R>;
  const count = Math.ceil((size * more) / fewer);
  const results = (count - 1) * fewer + 1;
  const spread = placedAlong(tree, axis, 0, more, (size - 1) * more + 1);
  const extended = withSize(joined([filled(tree.dtype, 0, sizesOf(tree).with(axis, half)), spread], axis), axis, results + 2 * half);
  const values = lowPass(Math.max(more, fewer), beta, more);
  const taps = tensorMap("float64", values as Float64Array<ArrayBuffer>, [values.length])
    .mul(1)
    .cast(tree.dtype as "float64");
  const filtered = firNode(extended, taps as unknown as GradientValue);
  return made(
    sliceFields(filtered, [
      ...sizesOf(tree)
        .slice(0, -1)
        .map(() => null),
      [0, results, fewer],
    ]),
  ) as unknown as Expression<D, R>;
}
