/**
 * stockham: the passes of a transform of small radices, between any two ends (a decimation in frequency whose results are in order).
 *
 *     ends        how the first pass reads and the last one writes: vectors that are some bytes apart along the line
 *     width       the number of vectors side by side, for transforms of columns
 *     between     split vectors, in two buffers by turns
 */
import { kVectorBytes } from "./element-format.ts";
import type { ElementFormat } from "./element-format.ts";
import type { PartDType } from "./fft-module.ts";
import { passFunction } from "./pass-kernel.ts";
import type { Buffer, Step } from "./steps.ts";
import type { Tables } from "./tables.ts";

/** An end of the passes. Distances are in bytes: along the line, between vectors side by side, and between the lines of a vector's lanes. */
export interface End {
  readonly buffer: Buffer;
  readonly format: ElementFormat;
  readonly step: number;
  readonly across: number;
  readonly lane: number;
  readonly swaps: boolean;
}

/** The ends of split vectors in a buffer. */
export const splitEnd = (buffer: Buffer, width: number): End => ({
  buffer,
  format: "split",
  step: width * kVectorBytes,
  across: kVectorBytes,
  lane: 0,
  swaps: false,
});

/** What is to be transformed. */
export interface StockhamShape {
  readonly dtype: PartDType;
  readonly radices: readonly number[];
  readonly width: number;
  readonly load: End;
  readonly store: End;
  /** The buffers between passes: the result of the pass before the last one is in the first, the one before in the second, by turns. */
  readonly between: readonly [Buffer, Buffer];
  /** What the results are multiplied by: a table as the target lies, or one number, each at an address. */
  readonly results: { readonly factors: "none" | "all" | "scale"; readonly table: number };
}

/** Returns the steps of a transform, of at least one radix. */
export function stockhamSteps(shape: StockhamShape, tables: Tables): readonly Step[] {
  const { dtype, radices, width, load, store, between, results } = shape;
  const steps: Step[] = [];
  let length = radices.reduce((product, radix) => product * radix, 1);
  let done = 1;
  radices.forEach((radix, k) => {
    const [isFirst, isLast] = [k === 0, k === radices.length - 1];
    const others = length / radix;
    const kernel = passFunction({
      dtype,
      radix,
      load: isFirst ? load.format : "split",
      store: isLast ? store.format : "split",
      factors: isLast ? results.factors : "each",
      swapsLoad: isFirst && load.swaps,
      swapsStore: isLast && store.swaps,
    });
    const row = done * width * kVectorBytes;
    const table = isLast ? results.table : eachFactor(tables, length, radix);
    // The last pass has one p: its loops are over the places along the line, and over the vectors side by side.
    const isLine = isLast && width === 1;
    const [outer, inner] = isFirst ? [others, width] : isLine ? [1, done] : isLast ? [done, width] : [others, done * width];
    const reads = isFirst
      ? [load.step, load.step * others, load.across]
      : isLast
        ? [width * kVectorBytes, row, kVectorBytes]
        : [row, row * others, kVectorBytes];
    const writes = isLast
      ? [store.step, store.step * done, isLine && !isFirst ? store.step : store.across]
      : [row * radix, row, kVectorBytes];
    const lanes = [isFirst ? load.lane : 0, isLast ? store.lane : 0];
    steps.push({
      kernel,
      from: isFirst ? load.buffer : between[((radices.length - 1 - k) % 2) as 0 | 1],
      fromOffset: 0,
      to: isLast ? store.buffer : between[((radices.length - 2 - k) % 2) as 0 | 1],
      toOffset: 0,
      numbers: [table, outer, inner, ...reads, ...writes, ...lanes],
    });
    length = others;
    done *= radix;
  });
  return steps;
}

/** Adds the factors of a pass: for each p the powers w^p ... w^((r-1) p), with w = exp(-2 pi i / length). */
function eachFactor(tables: Tables, length: number, radix: number): number {
  const roots = tables.roots(length);
  const others = length / radix;
  return tables.add(2 * others * (radix - 1), (parts) => {
    let at = 0;
    for (let p = 0; p < others; p++) {
      for (let j = 1; j < radix; j++) {
        roots.set(p * j);
        parts[at++] = roots.re;
        parts[at++] = roots.im;
      }
    }
  });
}
