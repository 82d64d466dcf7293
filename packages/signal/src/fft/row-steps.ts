/**
 * row-steps: a transform of one line whose elements are adjacent. The lanes are parts of the line (lanes-kernel.ts).
 */
import { complexBytes, kVectorBytes, lanesOf } from "./element-format.ts";
import type { PartDType } from "./fft-module.ts";
import { lanesFunction } from "./lanes-kernel.ts";
import { radicesOf } from "./radices.ts";
import type { Buffer, Step } from "./steps.ts";
import { splitEnd, stockhamSteps } from "./stockham.ts";
import type { Tables } from "./tables.ts";

/** Returns true if a length can be transformed as a row: it is a multiple of the lanes, and has at least one square of them. */
export function suitsRow(dtype: PartDType, length: number): boolean {
  const lanes = lanesOf(dtype);
  return length % lanes === 0 && length >= lanes * lanes && radicesOf(length) !== null;
}

/** The buffers of a row: all are of the length of the row, and different. */
export interface RowBuffers {
  readonly from: Buffer;
  readonly to: Buffer;
  readonly work: Buffer;
}

/** Returns the steps of a row that `suitsRow`; those of the inverse transform, multiplied by the number at `scale`, if that is not null. */
export function rowSteps(length: number, { from, to, work }: RowBuffers, scale: number | null, tables: Tables): readonly Step[] {
  const { dtype } = tables;
  const lanes = lanesOf(dtype);
  const columns = length / lanes;
  const isInverse = scale !== null;
  const across = stockhamSteps(
    {
      dtype,
      radices: radicesOf(columns)!,
      width: 1,
      load: { ...splitEnd(from, 1), format: "woven", swaps: isInverse },
      store: splitEnd(work, 1),
      between: [to, work],
      results: { factors: "none", table: 0 },
    },
    tables,
  );
  const kernel = lanesFunction(dtype, isInverse);
  const groups = Math.ceil(columns / lanes);
  const startOf = (group: number): number => Math.min(group * lanes, columns - lanes);
  const table = laneFactors(length, groups, startOf, tables);
  const lanesStep = (begin: number, count: number): Step => ({
    kernel,
    from: work,
    fromOffset: startOf(begin) * kVectorBytes,
    to,
    toOffset: startOf(begin) * complexBytes(dtype),
    numbers: [table + begin * (lanes - 1) * kVectorBytes, count, columns * complexBytes(dtype), scale ?? 0],
  });
  const whole = Math.floor(columns / lanes);
  // Columns that are left are computed with some before them a second time.
  return [...across, lanesStep(0, whole), ...(whole < groups ? [lanesStep(whole, 1)] : [])];
}

/** Adds the factors of the last pass: vectors of w^(l k) for l from 1 on, for the groups of adjacent k. */
function laneFactors(length: number, groups: number, startOf: (group: number) => number, tables: Tables): number {
  const lanes = lanesOf(tables.dtype);
  const roots = tables.roots(length);
  return tables.add(2 * lanes * (lanes - 1) * groups, (parts) => {
    let at = 0;
    for (let group = 0; group < groups; group++) {
      for (let l = 1; l < lanes; l++, at += 2 * lanes) {
        for (let lane = 0; lane < lanes; lane++) {
          roots.set(l * (startOf(group) + lane));
          parts[at + lane] = roots.re;
          parts[at + lanes + lane] = roots.im;
        }
      }
    }
  });
}
