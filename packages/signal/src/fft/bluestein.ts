/**
 * bluestein: the transform of one line of any length as a convolution, which two transforms of a fast length compute.
 *
 *     jk = (j^2 + k^2 - (k - j)^2) / 2, so X[k] = c[k] sum over j of (x[j] c[j]) conj(c[k - j])       c[k] = exp(-pi i k^2 / n)
 *
 * The exponent k^2 is reduced modulo 2 n in integers, so the factors are correctly rounded for all k.
 */
import { releaseScratch, scratchMark, takeScratch } from "@onebuffer/kernels/internal";
import { complexBytes, lanesOf } from "./element-format.ts";
import { copyFunction } from "./element-kernels.ts";
import { multiplyFunction } from "./multiply-kernel.ts";
import { fastLength } from "./radices.ts";
import { rowSteps } from "./row-steps.ts";
import { kFrom, kOther, kSpare, kTo, kWork, runSteps } from "./steps.ts";
import type { Step } from "./steps.ts";
import { partsAt } from "./tables.ts";
import type { Tables } from "./tables.ts";

/** Returns the length of the convolution, in which the line and all distances fit. */
export const bluesteinLength = (dtype: Tables["dtype"], length: number): number =>
  fastLength(Math.max(2 * length - 1, lanesOf(dtype) ** 2), lanesOf(dtype) ** 2);

/**
 * Returns the steps of a line of `length` whose elements are `inner` apart, of the inverse transform divided by the length if `isInverse`. The
 * three work buffers have the length of the convolution.
 */
export function bluesteinSteps(length: number, inner: number, isInverse: boolean, tables: Tables): readonly Step[] {
  const { dtype } = tables;
  const long = bluesteinLength(dtype, length);
  const lanes = lanesOf(dtype);
  const bytes = complexBytes(dtype);
  const scale = tables.add(1, (parts) => {
    parts[0] = isInverse ? 1 / length : 1;
  });
  const forward = rowSteps(long, { from: kWork, to: kOther, work: kSpare }, null, tables);
  const back = rowSteps(long, { from: kWork, to: kOther, work: kSpare }, scale, tables);
  const chirp = chirpTable(length, tables);
  const spectrum = spectrumTable(length, long, forward, tables);
  const multiply = (table: number, count: number, zeros: number, swapsLoad: boolean, swapsStore: boolean) => ({
    kernel: multiplyFunction(dtype, swapsLoad, swapsStore),
    fromOffset: 0,
    toOffset: 0,
    numbers: [table, Math.floor(count / lanes), count % lanes, zeros],
  });
  const isDense = inner === 1;
  const copy = (fromStep: number, toStep: number) => ({
    kernel: copyFunction(),
    fromOffset: 0,
    toOffset: 0,
    numbers: [fromStep, toStep, bytes, length],
  });
  return [
    ...(isDense ? [] : [{ ...copy(inner * bytes, bytes), from: kFrom, to: kOther } as const]),
    { ...multiply(chirp, length, (long - length) * bytes, isInverse, false), from: isDense ? kFrom : kOther, to: kWork },
    ...forward,
    { ...multiply(spectrum, long, 0, false, false), from: kOther, to: kWork },
    ...back,
    { ...multiply(chirp, length, 0, false, isInverse), from: kOther, to: isDense ? kTo : kWork },
    ...(isDense ? [] : [{ ...copy(bytes, inner * bytes), from: kWork, to: kTo } as const]),
  ];
}

/** Calls `visit` with c[k] for each k of a line. */
function eachChirp(length: number, tables: Tables, visit: (k: number, re: number, im: number) => void): void {
  const roots = tables.roots(2 * length);
  for (let k = 0, square = 0; k < length; square = (square + 2 * k + 1) % (2 * length), k++) {
    roots.set(square);
    visit(k, roots.re, roots.im);
  }
}

/** Adds the table of c[k]. */
function chirpTable(length: number, tables: Tables): number {
  const lanes = lanesOf(tables.dtype);
  return tables.add(2 * lanes * Math.ceil(length / lanes), (parts) => {
    parts.fill(0);
    eachChirp(length, tables, (k, re, im) => {
      const at = 2 * lanes * Math.floor(k / lanes) + (k % lanes);
      parts[at] = re;
      parts[at + lanes] = im;
    });
  });
}

/**
 * Adds the table of the transform of conj(c[k]), for distances k from -length to length, divided by the length of the convolution: a division
 * behind it would come after numbers that are that many times larger than the result, and may be infinite.
 */
function spectrumTable(length: number, long: number, forward: readonly Step[], tables: Tables): number {
  const { dtype } = tables;
  const lanes = lanesOf(dtype);
  const mark = scratchMark();
  try {
    const [work, other, spare] = [0, 0, 0].map(() => takeScratch(long * complexBytes(dtype))) as [number, number, number];
    const line = partsAt(dtype, work, 2 * long).fill(0);
    eachChirp(length, tables, (k, re, im) => {
      line[2 * k] = re;
      line[2 * k + 1] = -im;
      if (k > 0) line.set([re, -im], 2 * (long - k));
    });
    runSteps(forward, [0, 0, work, other, spare], null);
    const results = partsAt(dtype, other, 2 * long);
    return tables.add(2 * long, (parts) => {
      for (let k = 0; k < long; k++) {
        const at = 2 * lanes * Math.floor(k / lanes) + (k % lanes);
        parts[at] = results[2 * k]! / long;
        parts[at + lanes] = results[2 * k + 1]! / long;
      }
    });
  } finally {
    releaseScratch(mark);
  }
}
