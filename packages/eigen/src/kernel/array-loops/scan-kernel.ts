/**
 * scan-kernel: running sums, products, maxima and minima along an axis (tensorflow/core/kernels/scan_ops.cc), and products of complex numbers
 * over axes, as WebAssembly.
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
import type { CodeWriter, WasmFunction, WasmModule } from "@onebuffer/wasm/internal";
import type { ExpressionTree, ReduceAttributes } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { OpNameOf } from "../../expression/tree/op-table.ts";
import { product } from "../../geometry/map-geometry.ts";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { Cell } from "./scan-cells.ts";
import { scanOf } from "./scan-cells.ts";
import { inputsOf, sizesOf } from "../../expression/tree/node-lists.ts";

/** The bytes of a row that `rows` advances at a time, so that their totals, of up to twice the bytes, stay in the first-level cache. */
const kRowBytes = 4096;

/** The loops over the elements: sizes, the elements between those of a line, and the direction. */
interface Lines {
  readonly outer: number;
  readonly count: number;
  readonly inner: number;
  readonly reverse: boolean;
  /** True if a line has one result, not one for each element. */
  readonly isTotal: boolean;
}

/** A scan of dense elements from one address to another. */
export type AddressScan = (from: number, to: number) => void;

/** Returns the function that computes a scan; null if the engine refuses the kernel. */
export function lineScan(node: ExpressionTree, dtype: DType): AddressScan | null {
  const { axis, exclusive, reverse } = attributesOf(node, "cumsum");
  const dims = sizesOf(node);
  const [outer, inner] = [product(dims.slice(0, axis)), product(dims.slice(axis + 1))];
  return scanOfLines(node.op as OpNameOf<"scan">, dtype, exclusive, { outer, count: dims[axis]!, inner, reverse, isTotal: false });
}

/** Returns true if the reduced axes of a product are neighbors. */
const areNeighbors = (axes: readonly number[]): boolean => axes.every((axis, k) => axis === axes[0]! + k);

/** Returns the operand of a product over axes in the order in which `multiplyLines` reads it: its reduced axes are neighbors. */
export function withNeighborAxes(node: ExpressionTree): ExpressionTree {
  const operand = node.inputs[0]!;
  const { axes } = node.attributes as ReduceAttributes;
  if (areNeighbors(axes)) return operand;
  const permutation = [...operand.dimensions.map((_, d) => d).filter((d) => !axes.includes(d)), ...axes];
  const { dtype, depth } = operand;
  const dimensions = permutation.map((d) => operand.dimensions[d]!);
  return { op: "shuffle", inputs: [operand], attributes: { permutation }, dtype, dimensions, depth: depth + 1 };
}

/** Multiplies dense complex numbers over axes. Returns false, with nothing done, if the engine refuses the kernel. */
export function multiplyLines(node: ExpressionTree, from: number, to: number): boolean {
  const { axes } = node.attributes as ReduceAttributes;
  const dims = sizesOf(inputsOf(node)[0]!);
  const inner = areNeighbors(axes) ? product(dims.slice(axes.at(-1)! + 1)) : 1;
  const count = product(axes.map((axis) => dims[axis]!));
  const outer = product(dims) / (count * inner);
  const scan = scanOfLines("cumprod", node.dtype, false, { outer, count, inner, reverse: false, isTotal: true });
  scan?.(from, to);
  return scan !== null;
}

function scanOfLines(op: OpNameOf<"scan">, dtype: DType, exclusive: boolean, lines: Lines): AddressScan | null {
  const { line, row } = scanOf(op, dtype);
  const kernel = arrayKernel(`${op} ${dtype} ${exclusive} ${lines.isTotal}`, (module) => {
    writeLines(module, line, exclusive, lines.isTotal);
    if (row !== null) writeRows(module, row, exclusive);
  });
  if (kernel === null) return null;
  const [alongLines, alongRows] = [kernel["lines"]!, kernel["rows"]!];
  const { outer, count, inner, reverse, isTotal } = lines;
  const bytes = inner * line.bytes;
  const back = reverse ? (count - 1) * bytes : 0;
  const step = reverse ? -bytes : bytes;
  const steps = [step, isTotal ? 0 : step, count * bytes, isTotal ? bytes : count * bytes] as const;
  const whole = row === null || inner === 1 ? 0 : bytes - (bytes % row.bytes);
  return (from, to) => {
    const mark = scratchMark();
    try {
      const totals = whole === 0 ? 0 : takeScratch(2 * kRowBytes);
      for (let at = back; at < back + whole; at += kRowBytes) {
        alongRows(from + at, to + at, outer, count, ...steps, Math.min(kRowBytes, back + whole - at), totals);
      }
      for (let at = back + whole; at < back + bytes; at += line.bytes) alongLines(from + at, to + at, outer, count, ...steps);
    } finally {
      releaseScratch(mark);
    }
  };
}

const params = ["from", "to", "outer", "count", "step", "toStep", "lineStep", "toLineStep"] as const;

/** The locals of a step: the totals and what they were before, what was loaded, and the elements of one part. */
interface State {
  readonly totals: readonly number[];
  readonly before: readonly number[];
  readonly source: number;
  readonly value: number;
}

function stateOf(target: WasmFunction, { type, parts }: Cell): State {
  const locals = (name: string): number[] => Array.from({ length: parts }, (_, k) => target.local(type, `${name}${k}`));
  return { totals: locals("total"), before: locals("before"), source: target.local(type, "source"), value: target.local(type, "value") };
}

/** Writes code that combines the totals with the elements at the address in local `at`, and stores them at the address that `pushOut` pushes. */
function writeStep(
  code: CodeWriter,
  cell: Cell,
  exclusive: boolean,
  { totals, before, source, value }: State,
  at: number,
  pushOut: () => void,
): void {
  const load = (): void => cell.load(code.get(at));
  const isShared = cell.parts > 1;
  if (isShared) {
    load();
    code.set(source);
  }
  totals.forEach((total, k) => {
    code.get(total).set(before[k]!);
    code.get(total);
    if (isShared) code.get(source);
    else load();
    cell.widen(code, k, source);
    cell.combine(code, total, value);
    code.set(total);
  });
  pushOut();
  for (const each of exclusive ? before : totals) cell.narrow(code.get(each));
  cell.store(code);
}

/** Writes the scan of lines one after the other. The distance from an element to its result is the same everywhere, unless a line has one result. */
function writeLines(module: WasmModule, cell: Cell, exclusive: boolean, isTotal: boolean): void {
  const { target, at: locals } = arrayFunction(module, "lines", params, ["at", "distance", "left"]);
  const { from, to, outer, count, step, lineStep, toLineStep, at, distance, left } = locals;
  const state = stateOf(target, cell);
  const code = target.body;
  code.get(to).get(from).op("i32.sub").set(distance);
  const nextLine = code.loop();
  cell.neutral(code);
  code.set(state.totals[0]!).get(from).set(at).get(count).set(left);
  const next = code.loop();
  writeStep(code, cell, exclusive, state, at, () => {
    if (isTotal) code.get(to);
    else code.get(at).get(distance).op("i32.add");
  });
  code.get(at).get(step).op("i32.add").set(at);
  code.countDown(left, next);
  code.get(from).get(lineStep).op("i32.add").set(from).get(to).get(toLineStep).op("i32.add").set(to);
  code.countDown(outer, nextLine);
  code.i32(0);
}

/** Writes the scan of `width` bytes of adjacent lines, a row after the other. */
function writeRows(module: WasmModule, cell: Cell, exclusive: boolean): void {
  const names = ["row", "toRow", "at", "out", "left", "place", "end"] as const;
  const { target, at: locals } = arrayFunction(module, "rows", [...params, "width", "totals"] as const, names);
  const { from, to, outer, count, width, step, toStep, lineStep, toLineStep, totals, row, toRow, at, out, left, place, end } = locals;
  const state = stateOf(target, cell);
  const numBytes = 16 * cell.parts;
  const code = target.body;
  const nextOuter = code.loop();
  code.get(from).set(row).get(to).set(toRow).get(count).set(left);
  code
    .get(totals)
    .tee(place)
    .get(width)
    .i32(Math.log2(numBytes / cell.bytes))
    .op("i32.shl")
    .op("i32.add")
    .set(end);
  const clear = code.loop();
  cell.neutral(code.get(place));
  code.memory("v128.store").addTo(place, 16);
  code.get(place).get(end).op("i32.lt_u").brIf(clear).end();
  const nextRow = code.loop();
  code.get(row).set(at).get(toRow).set(out).get(totals).set(place);
  const next = code.loop();
  for (const [k, total] of state.totals.entries()) {
    code
      .get(place)
      .memory("v128.load", 16 * k)
      .set(total);
  }
  writeStep(code, cell, exclusive, state, at, () => void code.get(out));
  for (const [k, total] of state.totals.entries()) {
    code
      .get(place)
      .get(total)
      .memory("v128.store", 16 * k);
  }
  code.addTo(at, cell.bytes).addTo(out, cell.bytes).addTo(place, numBytes);
  code.get(place).get(end).op("i32.lt_u").brIf(next).end();
  code.get(row).get(step).op("i32.add").set(row).get(toRow).get(toStep).op("i32.add").set(toRow);
  code.countDown(left, nextRow);
  code.get(from).get(lineStep).op("i32.add").set(from).get(to).get(toLineStep).op("i32.add").set(to);
  code.countDown(outer, nextOuter);
  code.i32(0);
}
