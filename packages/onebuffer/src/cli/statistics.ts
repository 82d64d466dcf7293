/** Statistics of a tensor's elements, for `inspect --stats`. */
import type { DType } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import { item, select } from "@onebuffer/eigen";

/** The statistics of numbers. NaN and infinities are counted and left out of the others. */
export interface Statistics {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  readonly std: number;
  readonly zeros: number;
  readonly nans: number;
  readonly infinities: number;
}

/** Returns the statistics of a tensor of real numbers, or null for other dtypes and for a tensor without elements. Computed in float64. */
export function statisticsOf(tensor: Tensor): Statistics | null {
  const { dtype, numElements } = tensor;
  if (numElements === 0 || isNotReal(dtype)) return null;
  const x = (tensor as Tensor<"float32">).flat().cast("float64");
  const finite = x.isFinite();
  const count = item(finite.cast("float64").sum());
  const sumOf = (values: typeof x): number => item(select(finite, values, 0).sum());
  const mean = sumOf(x) / count;
  const nans = item(x.isNan().cast("float64").sum());
  return {
    min: item(select(finite, x, Number.POSITIVE_INFINITY).min()),
    max: item(select(finite, x, Number.NEGATIVE_INFINITY).max()),
    mean,
    std: Math.sqrt(item(select(finite, x.sub(mean).square(), 0).sum()) / count),
    zeros: item(x.equal(0).cast("float64").sum()),
    nans,
    infinities: numElements - count - nans,
  };
}

function isNotReal(dtype: DType): boolean {
  return dtype === "string" || dtype === "variant" || dtype === "resource" || dtype.startsWith("complex");
}

/** Returns a number with at most six digits. */
export function shortNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e15 ? String(value) : String(Number(value.toPrecision(6)));
}
