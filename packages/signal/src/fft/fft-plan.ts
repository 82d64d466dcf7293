/**
 * fft-plan: how lines of one length are transformed, by the strides of their elements.
 *
 *     [outer, length, inner]     lines of `length` elements that are `inner` apart
 *     row         one line of adjacent elements: its lanes are parts of the line
 *     lines       one line in each lane: short rows, and lengths that are no multiple of the lanes
 *     columns     vectors of adjacent lines
 *     any other   lengths with a large prime factor, by Bluestein's algorithm
 */
import { bluesteinLength, bluesteinSteps } from "./bluestein.ts";
import { complexBytes, kVectorBytes, lanesOf } from "./element-format.ts";
import type { PartDType } from "./fft-module.ts";
import { costOf, radicesOf } from "./radices.ts";
import { rowSteps, suitsRow } from "./row-steps.ts";
import { kFrom, kOther, kTo, kWork } from "./steps.ts";
import type { Step } from "./steps.ts";
import { splitEnd, stockhamSteps } from "./stockham.ts";
import type { End } from "./stockham.ts";
import type { Tables } from "./tables.ts";

/** Lines of complex numbers, dense in memory. */
export interface Lines {
  readonly dtype: PartDType;
  readonly outer: number;
  readonly length: number;
  readonly inner: number;
  readonly isInverse: boolean;
}

/** The steps that transform a group of lines, and the distances of the groups. */
export interface FftPlan {
  readonly tables: Tables;
  /** The steps of a group. */
  readonly steps: readonly Step[];
  /** The bytes of the work buffers. */
  readonly work: readonly [number, number, number];
  /** The number of adjacent lines in a group, counted along the axis where lanes and vectors lie. */
  readonly group: number;
  /** True if the lines of a group are neighbors of the inner axis, false if of the outer one. */
  readonly isInner: boolean;
  /** An estimate of the nanoseconds for one group. */
  readonly nanoseconds: number;
}

/** The longest rows that are transformed as lines, one in each lane, if there are enough of them. */
const kShortRow = 64;
/** The bytes of a block of columns, which stays in the second-level cache with its copy. */
const kColumnBytes = 1 << 17;
/** Nanoseconds for a pass of radix 4 over one complex number of float32. */
const kElementNs = 0.35;

/** Returns the key of the plan of lines: lines with equal keys have one plan. */
export const planKey = ({ dtype, outer, length, inner, isInverse }: Lines): string =>
  `${dtype} ${length} ${inner} ${isInverse} ${outer < lanesOf(dtype)}`;

/** Makes the plan of lines of at least two elements. Throws RESOURCE_EXHAUSTED if there is no memory for its tables. */
export function makePlan({ dtype, outer, length, inner, isInverse }: Lines, tables: Tables): FftPlan {
  const lanes = lanesOf(dtype);
  const bytes = complexBytes(dtype);
  const radices = radicesOf(length);
  const scaleOf = (): number | null => (isInverse ? tables.add(1, (parts) => void (parts[0] = 1 / length)) : null);
  const timeOf = (count: number): number => (kElementNs * costOf(length, radices ?? [13, 13]) * count * bytes) / 8;
  if (radices === null) {
    const long = bluesteinLength(dtype, length) * bytes;
    const steps = bluesteinSteps(length, inner, isInverse, tables);
    return { tables, steps, work: [long, long, long], group: 1, isInner: false, nanoseconds: timeOf(2) };
  }
  if (inner === 1 && suitsRow(dtype, length) && (length > kShortRow || outer < lanes)) {
    const steps = rowSteps(length, { from: kFrom, to: kTo, work: kWork }, scaleOf(), tables);
    return { tables, steps, work: [length * bytes, 0, 0], group: 1, isInner: false, nanoseconds: timeOf(1) };
  }
  const scale = scaleOf();
  const isInner = inner >= lanes;
  const width = isInner ? widthOf(length, Math.floor(inner / lanes)) : 1;
  const lane = outer < lanes ? 0 : length * inner * bytes;
  const end: Omit<End, "buffer"> = isInner
    ? { ...splitEnd(kFrom, width), format: "woven", step: inner * bytes, across: kVectorBytes, swaps: isInverse }
    : { ...splitEnd(kFrom, width), format: "lines", step: inner * bytes, lane, swaps: isInverse };
  const steps = stockhamSteps(
    {
      dtype,
      radices,
      width,
      load: { ...end, buffer: kFrom },
      store: { ...end, buffer: kTo },
      between: [kWork, kOther],
      results: { factors: isInverse ? "scale" : "none", table: scale ?? 0 },
    },
    tables,
  );
  const block = length * width * kVectorBytes;
  const group = isInner ? lanes * width : outer < lanes ? 1 : lanes;
  return { tables, steps, work: [block, block, 0], group, isInner, nanoseconds: timeOf(lanes * width) };
}

/** Returns the number of vectors side by side: as many as fit in the cache, at least one, at most `most`. */
function widthOf(length: number, most: number): number {
  const fitting = Math.floor(kColumnBytes / (length * kVectorBytes));
  return Math.max(1, Math.min(most, fitting, 8));
}
