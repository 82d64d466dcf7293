/**
 * Lines along axes of a row-major operand: the flat indices of the elements that one result of a reduction, or one line of a scan, reads.
 */
import { product, rowMajorStrides } from "@onebuffer/storage/internal";
import { indexMap } from "./index-map.ts";
import type { IndexMap } from "./index-map.ts";

/** Result n reads the elements first(n) + along(k) for k from 0 to count - 1. `lines` is the number of results. */
export interface Lines {
  readonly lines: number;
  readonly count: number;
  readonly first: IndexMap;
  readonly along: IndexMap;
}

const identity: IndexMap = (index) => index;

/** Returns the lines along some axes of an operand with sizes `dims`. */
export function linesAlong(dims: readonly number[], axes: readonly number[]): Lines {
  const strides = rowMajorStrides(dims);
  const part = (inside: boolean): { readonly count: number; readonly map: IndexMap } => {
    const list = dims.map((_, d) => d).filter((d) => axes.includes(d) === inside);
    const sizes = list.map((d) => dims[d] as number);
    const map = indexMap({ offset: 0, dims: sizes, strides: list.map((d) => strides[d] as number) });
    return { count: product(sizes), map: map ?? identity };
  };
  const outer = part(false);
  const inner = part(true);
  return { lines: outer.count, count: inner.count, first: outer.map, along: inner.map };
}
