/** kaiser-windows: windows of Bessel functions, and the windows of Vorbis. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { Expression, FloatDType } from "@onebuffer/expression";
import { isIndex } from "@onebuffer/storage/internal";
import { shownValue } from "@onebuffer/base/internal";
import { checkBeta, dtypeOf, kMaxTable, windowOf } from "./window-values.ts";
import type { SymmetricWindowOptions } from "./window-values.ts";

/** Returns the modified Bessel function of order 0: the sum of (x / 2)^2k / k!^2, all of whose terms are positive. */
export function besselI0(x: number): number {
  const quarter = (x / 2) ** 2;
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 2 ** -54; k++) {
    term *= quarter / (k * k);
    sum += term;
  }
  return sum;
}

/** Returns element `i` of a Kaiser window of a length. */
export function kaiserValue(i: number, length: number, beta: number): number {
  const place = length === 1 ? 0 : (2 * i) / (length - 1) - 1;
  return besselI0(beta * Math.sqrt(Math.max(0, 1 - place * place))) / besselI0(beta);
}

/**
 * Returns a Kaiser window of `length` elements (`tf.signal.kaiser_window`, `np.kaiser`), which is symmetric. The default of `beta` is 12,
 * TensorFlow's.
 *
 * Throws INVALID_ARGUMENT for a wrong length, a `beta` of a magnitude above 700, and for wrong options. Copies nothing.
 *
 * @example
 * evaluate(kaiserWindow(3, 0)).toArray(); // => [1, 1, 1]
 * kaiserWindow(3, Infinity); // throws INVALID_ARGUMENT
 */
export function kaiserWindow<D extends FloatDType = "float32">(
  length: number,
  beta: number = 12,
  options: SymmetricWindowOptions<D> = {},
): Expression<D, 1> {
  checkBeta("kaiserWindow", beta);
  return windowOf("kaiserWindow", length, dtypeOf("kaiserWindow", options), (i) => kaiserValue(i, length, beta));
}

/**
 * Returns a Kaiser-Bessel-derived window of `length` elements, an even number (`tf.signal.kaiser_bessel_derived_window`). The squares of the two
 * halves add up to 1. The default of `beta` is 12.
 *
 * Throws INVALID_ARGUMENT for an odd length, and as `kaiserWindow`.
 *
 * @example
 * const [a, b] = evaluate(kaiserBesselDerivedWindow(4, 3, { dtype: "float64" })).toArray() as [number, number];
 * Math.abs(a * a + b * b - 1) < 1e-15; // => true
 */
export function kaiserBesselDerivedWindow<D extends FloatDType = "float32">(
  length: number,
  beta: number = 12,
  options: SymmetricWindowOptions<D> = {},
): Expression<D, 1> {
  const call = "kaiserBesselDerivedWindow";
  checkBeta(call, beta);
  if (!isIndex(length, kMaxTable + 1) || length % 2 !== 0) {
    throw new InvalidArgumentError(`${call}: the length is an even number up to ${kMaxTable}, got ${shownValue(length)}`);
  }
  const half = length / 2;
  let total = 0;
  const sums = Array.from({ length: half + 1 }, (_, i) => (total += kaiserValue(i, half + 1, beta)));
  return windowOf(call, length, dtypeOf(call, options), (i) => Math.sqrt(sums[Math.min(i, length - 1 - i)]! / total));
}

/**
 * Returns a Vorbis window of `length` elements (`tf.signal.vorbis_window`): sin(pi / 2 sin^2(pi (i + 1/2) / n)). Throws as `kaiserWindow`.
 *
 * @example
 * const [a, b] = evaluate(vorbisWindow(4, { dtype: "float64" })).toArray() as [number, number];
 * Math.abs(a * a + b * b - 1) < 1e-15; // => true
 */
export function vorbisWindow<D extends FloatDType = "float32">(length: number, options: SymmetricWindowOptions<D> = {}): Expression<D, 1> {
  const sine = (i: number): number => Math.sin((Math.PI * (i + 0.5)) / length);
  return windowOf("vorbisWindow", length, dtypeOf("vorbisWindow", options), (i) => Math.sin((Math.PI / 2) * sine(i) ** 2));
}
