/**
 * scan-kernel: running sums, products, maxima and minima along an axis (tensorflow/core/kernels/scan_ops.cc), running sums of three
 * operands, and products of complex numbers over axes, as WebAssembly.
 *
 *     [outer, count, inner]    lines of `count` elements that are `inner` apart
 *     lines    one line after the other, its total in a local
 *     rows     vectors of adjacent lines, a row of elements after the other, their totals in a row of scratch memory
 *
 * Elements are accumulated in their order and rounded when they are stored (scan-cells.ts), so the results equal the plain evaluator's, bit for
 * bit. A product over axes stores each partial product at the same place. One element is read before it is stored: the operand may be where
 * the result goes.
 */
import type { DType } from "@onebuffer/base";
import type { OpNameOf } from "@onebuffer/expression/internal";
import { takeScratch, withScratch } from "../calls/scratch.ts";
import { arrayKernel, textFunction } from "../calls/array-kernel.ts";
import type { Cell, Scan } from "./scan-cells.ts";
import { ofParts, scanOf } from "./scan-cells.ts";
import { markedCumsum, scaledCumsum } from "./scan-of-three.ts";

/** The bytes of a row that `rows` advances at a time, so that their totals, of up to twice the bytes, stay in the first-level cache. */
const kRowBytes = 4096;

/** The loops over the elements: sizes, the elements between those of a line, and the direction. */
export interface Lines {
  readonly outer: number;
  readonly count: number;
  readonly inner: number;
  readonly reverse: boolean;
  /** True if a line has one result, not one for each element. */
  readonly isTotal: boolean;
}

/** A scan of dense elements from one address to another; `others` are the addresses of its further operands. */
export type AddressScan = (from: number, to: number, others?: readonly number[]) => void;

/** Returns the function that computes a scan of lines; null if the engine refuses the kernel. */
export function scanOfLines(op: OpNameOf<"scan">, dtype: DType, exclusive: boolean, lines: Lines): AddressScan | null {
  const { line, row } = scansOfThree[op]?.(dtype) ?? scanOf(op, dtype);
  const kernel = arrayKernel(`${op} ${dtype} ${exclusive} ${lines.isTotal}`, (module) => {
    textFunction(module, "lines", kParams, `at distance left ${totalsOf(line)}`, linesText(line, exclusive, lines.isTotal));
    if (row === null) return;
    textFunction(module, "rows", `${kParams} width totals`, `row toRow at out left place stop ${totalsOf(row)}`, rowsText(row, exclusive));
  });
  if (kernel === null) return null;
  const [alongLines, alongRows] = [kernel["lines"]!, kernel["rows"]!];
  const { outer, count, inner, reverse, isTotal } = lines;
  const bytes = inner * line.bytes;
  const back = reverse ? (count - 1) * bytes : 0;
  const step = reverse ? -bytes : bytes;
  const steps = [step, isTotal ? 0 : step, count * bytes, isTotal ? bytes : count * bytes] as const;
  const whole = row === null || inner === 1 ? 0 : bytes - (bytes % row.bytes);
  return (from, to, [second = 0, third = 0] = []) =>
    withScratch(() => {
      const totals = whole === 0 ? 0 : takeScratch(2 * kRowBytes);
      for (let at = back; at < back + whole; at += kRowBytes) {
        alongRows(from + at, to + at, outer, count, ...steps, second - from, third - from, Math.min(kRowBytes, back + whole - at), totals);
      }
      for (let at = back + whole; at < back + bytes; at += line.bytes)
        alongLines(from + at, to + at, outer, count, ...steps, second - from, third - from);
    });
}

/** The last two are the distances from an element to those of the second and the third operand. */
const kParams = "from to outer count step toStep lineStep toLineStep second third";

/** The scans that scanOf has. */
type ScanOfOne = "cumsum" | "cumprod" | "cummax" | "cummin";

/** How scans of three operands are computed. A new scan does not compile until it has a row here or is one of scanOf's. */
const scansOfThree: Readonly<Record<Exclude<OpNameOf<"scan">, ScanOfOne>, (dtype: DType) => Scan> & Partial<Record<ScanOfOne, never>>> = {
  scaledCumsum,
  markedCumsum,
};

/** Returns the locals of a step: the elements of one part, the totals, what is given of them, and a mark. */
const totalsOf = ({ type, parts }: Cell): string =>
  [...["value", ...parts.flatMap((_, k) => [`total${k}`, `given${k}`])].map((name) => `${name}:${type}`), `mark:${markType(type)}`].join(
    " ",
  );

const markType = (type: string): string => (type === "v128" ? "v128" : "i32");

/** Returns the words that combine the totals with the elements at the address in local `at`, and store them at the address that `to` pushes. */
function stepText(cell: Cell, exclusive: boolean, to: string): string {
  const { parts, combine, follows, narrow, store } = cell;
  const add = ofParts(cell, "at", (k) => `${combine(`total${k}`)} ->total${k}`);
  const given = parts.map((_, k) => `given${k} ${narrow}`).join(" ");
  const gives = follows?.gives(cell) ?? parts.map((_, k) => `total${k} ->given${k}`).join(" ");
  const after = follows?.after(cell) ?? "";
  // The result may be where the elements are: it is stored when everything has been read.
  return `${exclusive ? `${gives} ${after} ${add}` : `${add} ${gives} ${after}`} ${to} ${given} ${store}`;
}

/** The words that go on to the next of the `outer` lines or groups of lines, and end the function. */
const kNextOuter = `
  from+=lineStep
  to+=toLineStep
  outer+=-1
  outer while
  0`;

/** Returns the scan of lines one after the other. The distance from an element to its result is the same everywhere, unless a line has one result. */
function linesText(cell: Cell, exclusive: boolean, isTotal: boolean): string {
  return `
    to from - ->distance
    loop
      ${cell.neutral} ->total0
      from ->at
      count ->left
      loop
        ${stepText(cell, exclusive, isTotal ? "to" : "at distance +")}
        at+=step
        left+=-1
      left while
    ${kNextOuter}`;
}

/** Returns the scan of `width` bytes of adjacent lines, a row after the other. */
function rowsText(cell: Cell, exclusive: boolean): string {
  const parts = cell.parts.length;
  const forParts = (words: (k: number) => string): string => cell.parts.map((_, k) => words(k)).join(" ");
  return `
    loop
      from ->row
      to ->toRow
      count ->left
      totals width ${Math.log2((16 * parts) / cell.bytes)} << + ->stop
      totals ->place
      loop
        place ${cell.neutral} v128.store
        place+=16
      place stop < while
      loop
        row ->at
        toRow ->out
        totals ->place
        loop
          ${forParts((k) => `place v128.load:${16 * k} ->total${k}`)}
          ${stepText(cell, exclusive, "out")}
          ${forParts((k) => `place total${k} v128.store:${16 * k}`)}
          at+=${cell.bytes}
          out+=${cell.bytes}
          place+=${16 * parts}
        place stop < while
        row+=step
        toRow+=toStep
        left+=-1
      left while
    ${kNextOuter}`;
}
