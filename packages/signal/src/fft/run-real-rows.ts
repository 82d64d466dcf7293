/**
 * run-real-rows: transforms between rows of real numbers and the first n / 2 + 1 elements of their spectra.
 *
 *     even lengths    the row as n / 2 complex numbers, transformed, and the spectrum taken apart (mirror-kernel.ts); backwards likewise
 *     others          the row as n complex numbers
 *
 * Rows are computed in blocks, whose complex numbers are in scratch memory.
 */
import type { WorkSplitter } from "@onebuffer/kernels/internal";
import { callKernel, runUnits } from "./divided-work.ts";
import { completeFunction, halveFunction, narrowFunction, widenFunction } from "./element-kernels.ts";
import { complexBytes, lanesOf } from "./element-format.ts";
import type { PartDType } from "./fft-module.ts";
import { makePlan } from "./fft-plan.ts";
import type { FftPlan, Lines } from "./fft-plan.ts";
import { mirrorFunction, mirrorGroups, mirrorTable, suitsMirror } from "./mirror-kernel.ts";
import { keptPlan } from "./plan-cache.ts";
import { offsetsOf, runGroup, workBytes } from "./run-lines.ts";
import type { Tables } from "./tables.ts";

/** Rows of real numbers. */
export interface RealRows {
  readonly dtype: PartDType;
  readonly rows: number;
  /** The number of real elements of a row, at least 2. */
  readonly length: number;
  readonly isForward: boolean;
}

/** Rows with their lines of complex numbers and the key of their plan. The object is kept as long as such rows are expected. */
export interface KeyedRows extends RealRows {
  readonly lines: Lines;
  readonly key: string;
}

/** The complex numbers of a block stay in the second-level cache. */
const kBlockBytes = 1 << 16;

/** How a block of rows is transformed. */
interface RealPlan {
  readonly tables: Tables;
  readonly lines: Lines;
  readonly complex: FftPlan;
  /** The table of the mirror kernel; 0 for lines that it does not suit. */
  readonly table: number;
  readonly isForward: boolean;
}

/** Returns rows with their complex lines and the key of their plan. */
export function keyedRows(rows: RealRows): KeyedRows {
  const { dtype, length, isForward } = rows;
  const complexLength = suitsMirror(dtype, length) ? length / 2 : length;
  const fitting = Math.max(lanesOf(dtype), Math.floor(kBlockBytes / (complexLength * complexBytes(dtype))));
  const lines: Lines = { dtype, outer: Math.min(rows.rows, fitting), length: complexLength, inner: 1, isInverse: !isForward };
  return { ...rows, lines, key: `real ${dtype} ${length} ${isForward} ${lines.outer}` };
}

function planOf({ dtype, length, isForward, lines, key }: KeyedRows): RealPlan {
  return keptPlan(key, dtype, (tables) => ({
    tables,
    lines,
    complex: makePlan(lines, tables),
    table: suitsMirror(dtype, length) ? mirrorTable(length, isForward, tables) : 0,
    isForward,
  }));
}

/**
 * Transforms rows from one address to another: real numbers to spectra, or back, divided by the length. Throws RESOURCE_EXHAUSTED if there is no
 * memory.
 */
export function transformReal(rows: KeyedRows, from: number, to: number): void {
  const { dtype, length, isForward } = rows;
  const plan = planOf(rows);
  const { outer: height, length: width } = plan.lines;
  const [realBytes, spectrumBytes] = [(length * complexBytes(dtype)) / 2, (Math.floor(length / 2) + 1) * complexBytes(dtype)];
  const [fromBytes, toBytes] = isForward ? [realBytes, spectrumBytes] : [spectrumBytes, realBytes];
  const blockBytes = height * width * complexBytes(dtype);
  // Lines that are not mirrored have a block before the complex transform, and one behind it.
  const blocks = plan.table === 0 ? 2 : 1;
  const offsets = offsetsOf(plan.lines, plan.complex);
  const scratchBytes = blocks * blockBytes + workBytes(plan.complex);
  const nanoseconds = plan.complex.nanoseconds * offsets.length;
  const numBlocks = Math.ceil(rows.rows / height);
  runUnits(rows, nanoseconds, numBlocks, scratchBytes, (begin, end, scratch, splitter) => {
    const [work, group] = [scratch, scratch + blocks * blockBytes];
    const complexLines = (source: number, target: number): void => {
      for (const offset of offsets) runGroup(plan.complex, source + offset, target + offset, group, splitter);
    };
    for (let block = begin; block < end; block++) {
      // The last block begins earlier if there are fewer rows left.
      const row = Math.min(block * height, rows.rows - height);
      const [source, target] = [from + row * fromBytes, to + row * toBytes];
      const rowBlock = { length, from: source, to: target, work, complexLines, splitter };
      if (plan.table !== 0) mirrored(plan, rowBlock);
      else widened(plan, rowBlock);
    }
  });
}

/** A block of rows of a length, from one address to another, with memory for complex lines, and what transforms those. */
interface RowBlock {
  readonly length: number;
  readonly from: number;
  readonly to: number;
  readonly work: number;
  readonly complexLines: (source: number, target: number) => void;
  readonly splitter: WorkSplitter | null;
}

/** Transforms a block of rows of an even length. */
function mirrored(
  { lines: { dtype, outer, length: half }, table, isForward }: RealPlan,
  { length, from, to, work, complexLines, splitter }: RowBlock,
): void {
  const kernel = mirrorFunction(dtype, isForward);
  const bytes = half * complexBytes(dtype);
  const spectrum = bytes + complexBytes(dtype);
  const groups = mirrorGroups(dtype, length);
  if (isForward) complexLines(from, work);
  for (let row = 0; row < outer; row++) {
    const [source, target] = isForward ? [work + row * bytes, to + row * spectrum] : [from + row * spectrum, work + row * bytes];
    callKernel(splitter, kernel, source, target, table, groups, bytes);
  }
  if (!isForward) complexLines(work, to);
}

/** Transforms a block of rows as complex numbers of the same length. */
function widened(
  { lines: { dtype, outer, length: width }, isForward }: RealPlan,
  { length, from, to, work, complexLines, splitter }: RowBlock,
): void {
  const bytes = complexBytes(dtype);
  const row = width * bytes;
  const results = work + outer * row;
  const spectrum = (Math.floor(length / 2) + 1) * bytes;
  if (isForward) {
    callKernel(splitter, widenFunction(dtype), from, work, outer * width);
    complexLines(work, results);
    callKernel(splitter, halveFunction(dtype), results, to, row, spectrum, spectrum, outer, length % 2 === 0 ? 1 : 0);
    return;
  }
  const kernel = completeFunction(dtype);
  for (let k = 0; k < outer; k++) {
    const pairs = Math.ceil(length / 2) - 1;
    callKernel(splitter, kernel, from + k * spectrum, work + k * row, pairs, work + (k + 1) * row - bytes, length % 2 === 0 ? 1 : 0);
  }
  complexLines(work, results);
  callKernel(splitter, narrowFunction(dtype), results, to, outer * width);
}
