/** window-values: the values of windows, computed in float64 when the expression is written, and their options. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, shownValue } from "@onebuffer/base/internal";
import { tensorMap } from "@onebuffer/eigen";
import type { Expression, FloatDType } from "@onebuffer/expression";
import { opTable } from "@onebuffer/expression";
import { isIndex } from "@onebuffer/storage/internal";

/**
 * The options of windows without a period.
 *
 * @example
 * const options: SymmetricWindowOptions<"float64"> = { dtype: "float64" };
 * vorbisWindow(8, options).dtype; // => "float64"
 */
export interface SymmetricWindowOptions<D extends FloatDType = "float32"> {
  /** The dtype of the window; the default is float32. */
  readonly dtype?: D;
}

/** The most numbers of a table that is computed when an expression is written: 128 MB of them. */
export const kMaxTable: number = 2 ** 24;

/** Throws INVALID_ARGUMENT unless the length of a window is a whole number of at most `kMaxTable`. */
function checkWindowLength(call: string, length: unknown): void {
  if (isIndex(length, kMaxTable + 1)) return;
  throw new InvalidArgumentError(`${call}: the length is a whole number from 0 to ${kMaxTable}, got ${shownValue(length)}`);
}

/** Returns a window whose values `valueOf` computes. Throws INVALID_ARGUMENT for a wrong length or dtype. */
export function windowOf<D extends FloatDType>(call: string, length: number, dtype: D, valueOf: (i: number) => number): Expression<D, 1> {
  checkWindowLength(call, length);
  if (!opTable.cos.dtypes.includes(dtype) || !opTable.floor.dtypes.includes(dtype)) {
    throw new InvalidArgumentError(`${call}: the dtype is a float, got ${shownValue(dtype)}`);
  }
  const values = Float64Array.from({ length }, (_, i) => valueOf(i));
  return tensorMap("float64", values, [length]).mul(1).cast(dtype) as unknown as Expression<D, 1>;
}

/** Returns the period of a window: its length if it is even and periodic, and otherwise one less, as in TensorFlow. Throws INVALID_ARGUMENT. */
export function periodOf(call: string, length: number, periodic: unknown): number {
  if (typeof periodic !== "boolean") throw new InvalidArgumentError(`${call}: periodic is a boolean, got ${shownValue(periodic)}`);
  checkWindowLength(call, length);
  return periodic && length % 2 === 0 ? length : length - 1;
}

/** Returns the dtype of options that have nothing else. Throws INVALID_ARGUMENT for other options. */
export function dtypeOf<D extends FloatDType>(call: string, options: SymmetricWindowOptions<D>): D {
  checkOptions(call, options, ["dtype"]);
  return options.dtype ?? ("float32" as D);
}

/** Returns `beta` if it is a finite number. Throws INVALID_ARGUMENT. */
export function checkBeta(call: string, beta: unknown): number {
  if (typeof beta === "number" && Number.isFinite(beta) && Math.abs(beta) <= 700) return beta;
  throw new InvalidArgumentError(`${call}: beta is a number of a magnitude of at most 700, got ${shownValue(beta)}`);
}
