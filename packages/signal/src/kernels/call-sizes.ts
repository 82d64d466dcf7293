/** call-sizes: the attributes of the nodes of transforms and filters, the sizes of their lines and rows, and the check of sections. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import type { CustomCall } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import type { PartDType } from "../fft/fft-module.ts";

/** The axis of a transform, counted from 0. */
export interface AxisAttributes {
  readonly axis: number;
}

/** The number of real elements of a row. */
export interface LengthAttributes {
  readonly length: number;
}

/** Returns the dtype of the parts of a complex or real dtype. */
export const partsOf = (dtype: DType): PartDType => (dtype === "complex64" || dtype === "float32" ? "float32" : "float64");

/** The sizes of lines along an axis. */
export interface LineSizes {
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
}

/** The sizes of a call of a filter: rows, elements of a row of the result, and taps or sections. */
export interface FilterSizes {
  readonly rows: number;
  readonly count: number;
  readonly order: number;
}

/** Returns the sizes of lines along an axis. */
export function linesOf({ dimensions, attributes: { axis } }: CustomCall<AxisAttributes>): LineSizes {
  const length = dimensions[axis]!;
  return { outer: product(dimensions.slice(0, axis)), length, inner: product(dimensions.slice(axis + 1)) };
}

/** Returns the sizes of a call of a filter with taps. */
export function firSizes({ dimensions, inputs: [, taps] }: CustomCall): FilterSizes {
  const count = dimensions.at(-1)!;
  return { rows: count === 0 ? 0 : product(dimensions) / count, count, order: taps!.dimensions[0]! };
}

/** Returns the sizes of a call of a filter of sections. */
export function sosSizes({ inputs: [x, sections] }: CustomCall): FilterSizes {
  const count = x!.dimensions.at(-1)!;
  return { rows: product(x!.dimensions.slice(0, -1)), count, order: sections!.dimensions[0]! };
}

/** Throws INVALID_ARGUMENT unless coefficient a0 of each section is 1. */
export function checkSections(order: number, coefficient: (index: number) => number): void {
  for (let section = 0; section < order; section++) {
    const a0 = coefficient(6 * section + 3);
    if (a0 !== 1) throw new InvalidArgumentError(`sosFilter: coefficient a0 of a section is 1, got ${a0} in section ${section}`);
  }
}
