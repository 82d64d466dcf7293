/**
 * complex-scan: running sums and products of complex numbers along an axis, and products over axes, as WebAssembly.
 *
 *     [outer, count, inner]    lines of `count` numbers that are `inner` apart
 *     lines    one line after the other, its total [re, im] in a register, as float64
 *     rows     a row of adjacent lines after the other, their totals in scratch memory
 *
 * Numbers are accumulated in float64 in the order of the elements and rounded when they are stored, like the real ones of scan-kernel.ts. A
 * product over axes stores each partial product at the same place. One number is read before it is stored: the operand may be where the
 * result goes.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import type { ExpressionTree, ReduceAttributes } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { ArrayFunctions } from "./array-kernel.ts";

/** The numbers of a row that `rows` advances at a time: their totals take 4 KiB. */
const kRowNumbers = 256;

/** The bytes of a pair of float64 with its halves exchanged, and with one of its halves twice. */
const kSwapped = [8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7];
const kFirst = [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7];
const kSecond = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];

/** What a kernel computes. */
interface Form {
  readonly isSingle: boolean;
  readonly isSum: boolean;
  readonly exclusive: boolean;
}

/** The loops over the numbers: sizes, and bytes per step. */
interface Lines {
  readonly outer: number;
  readonly count: number;
  readonly inner: number;
  readonly step: number;
  readonly toStep: number;
  readonly lineStep: number;
  readonly toLineStep: number;
}

/** Computes a scan of dense complex numbers at an address. Returns false, with nothing done, if the engine refuses the kernel. */
export function scanComplex(node: ExpressionTree, dtype: DType, from: number, to: number): boolean {
  const { axis, exclusive, reverse } = attributesOf(node, "cumsum");
  const dims = node.dimensions;
  const inner = product(dims.slice(axis + 1));
  const count = dims[axis] as number;
  const bytes = inner * dtypeSize(dtype);
  const back = reverse ? (count - 1) * bytes : 0;
  const step = reverse ? -bytes : bytes;
  const lines = {
    outer: product(dims.slice(0, axis)),
    count,
    inner,
    step,
    toStep: step,
    lineStep: count * bytes,
    toLineStep: count * bytes,
  };
  return run({ isSingle: dtype === "complex64", isSum: node.op === "cumsum", exclusive }, lines, from + back, to + back);
}

/** Returns the operand of a product over axes in the order in which `multiplyLines` reads it: its reduced axes are neighbors. */
export function withNeighborAxes(node: ExpressionTree): ExpressionTree {
  const operand = node.inputs[0]!;
  const { axes } = node.attributes as ReduceAttributes;
  if (axes.every((axis, k) => axis === axes[0]! + k)) return operand;
  const permutation = [...operand.dimensions.map((_, d) => d).filter((d) => !axes.includes(d)), ...axes];
  const { dtype, depth } = operand;
  const dimensions = permutation.map((d) => operand.dimensions[d]!);
  return { op: "shuffle", inputs: [operand], attributes: { permutation }, dtype, dimensions, depth: depth + 1 };
}

/** Multiplies dense complex numbers over axes. Returns false, with nothing done, if the engine refuses the kernel. */
export function multiplyLines(node: ExpressionTree, from: number, to: number): boolean {
  const { axes } = node.attributes as ReduceAttributes;
  const dims = node.inputs[0]!.dimensions;
  const isNeighbor = axes.every((axis, k) => axis === axes[0]! + k);
  const inner = isNeighbor ? product(dims.slice(axes.at(-1)! + 1)) : 1;
  const count = product(axes.map((axis) => dims[axis]!));
  const size = dtypeSize(node.dtype);
  const bytes = inner * size;
  const outer = product(dims) / (count * inner);
  const lines = { outer, count, inner, step: bytes, toStep: 0, lineStep: count * bytes, toLineStep: bytes };
  return run({ isSingle: node.dtype === "complex64", isSum: false, exclusive: false }, lines, from, to);
}

function run(form: Form, { outer, count, inner, ...steps }: Lines, from: number, to: number): boolean {
  const kernel = kernelOf(form);
  if (kernel === null) return false;
  const size = form.isSingle ? 8 : 16;
  const mark = scratchMark();
  try {
    const totals = inner === 1 ? 0 : takeScratch(16 * kRowNumbers);
    for (let at = 0; at < inner; at += kRowNumbers) {
      const width = Math.min(kRowNumbers, inner - at);
      const { step, toStep, lineStep, toLineStep } = steps;
      const name = inner === 1 ? "lines" : "rows";
      kernel[name]!(from + at * size, to + at * size, outer, count, width, step, toStep, lineStep, toLineStep, totals);
    }
  } finally {
    releaseScratch(mark);
  }
  return true;
}

function kernelOf(form: Form): ArrayFunctions | null {
  return arrayKernel(`complex scan ${form.isSingle} ${form.isSum} ${form.exclusive}`, (module) => {
    writeLines(module, form);
    writeRows(module, form);
  });
}

const params = ["from", "to", "outer", "count", "width", "step", "toStep", "lineStep", "toLineStep", "totals"] as const;

/** Pushes the total of no numbers. */
function pushNeutral(code: CodeWriter, { isSum }: Form): CodeWriter {
  const bytes = new Uint8Array(16);
  if (!isSum) new DataView(bytes.buffer).setFloat64(0, 1, true);
  return code.v128(bytes);
}

/** Writes code that combines the local `total` with the number at the address in local `at`, and stores it at `out`. */
function writeStep(
  code: CodeWriter,
  { isSingle, isSum, exclusive }: Form,
  local: Record<"total" | "before" | "value", number>,
  at: number,
  out: number,
): void {
  const { total, before, value } = local;
  if (exclusive) code.get(total).set(before);
  code.get(at);
  if (isSingle) code.memory("v128.load64_zero").op("f64x2.promote_low_f32x4");
  else code.memory("v128.load");
  if (isSum) code.get(total).op("f64x2.add").set(total);
  else {
    // [re, im] * re of the value, plus [-im, re] * its imaginary part.
    code.set(value).get(total).get(value).get(value).shuffle(kFirst).op("f64x2.mul");
    code.get(total).get(total).shuffle(kSwapped).get(value).get(value).shuffle(kSecond).op("f64x2.mul");
    const sign = new Uint8Array(16);
    sign[7] = 0x80;
    code.v128(sign).op("v128.xor").op("f64x2.add").set(total);
  }
  code.get(out).get(exclusive ? before : total);
  if (isSingle) code.op("f32x4.demote_f64x2_zero").memoryLane("v128.store64_lane", 0);
  else code.memory("v128.store");
}

/** Writes the scan of lines one after the other. */
function writeLines(module: WasmModule, form: Form): void {
  const { target, at: locals } = arrayFunction(module, "lines", params, ["at", "out", "left"]);
  const { from, to, outer, count, step, toStep, lineStep, toLineStep, at, out, left } = locals;
  const state = { total: target.local("v128", "total"), before: target.local("v128", "before"), value: target.local("v128", "value") };
  const code = target.body;
  const nextLine = code.loop();
  pushNeutral(code, form).set(state.total).get(from).set(at).get(to).set(out).get(count).set(left);
  const next = code.loop();
  writeStep(code, form, state, at, out);
  code.get(at).get(step).op("i32.add").set(at).get(out).get(toStep).op("i32.add").set(out);
  code.countDown(left, next);
  code.get(from).get(lineStep).op("i32.add").set(from).get(to).get(toLineStep).op("i32.add").set(to);
  code.countDown(outer, nextLine);
  code.i32(0);
}

/** Writes the scan of `width` adjacent lines, a row after the other. */
function writeRows(module: WasmModule, form: Form): void {
  const { target, at: locals } = arrayFunction(module, "rows", params, ["row", "toRow", "at", "out", "left", "place", "end"]);
  const { from, to, outer, count, width, step, toStep, lineStep, toLineStep, totals, row, toRow, at, out, left, place, end } = locals;
  const state = { total: target.local("v128", "total"), before: target.local("v128", "before"), value: target.local("v128", "value") };
  const size = form.isSingle ? 8 : 16;
  const code = target.body;
  const nextOuter = code.loop();
  code.get(from).set(row).get(to).set(toRow).get(count).set(left);
  code.get(totals).tee(place).get(width).i32(4).op("i32.shl").op("i32.add").set(end);
  const clear = code.loop();
  pushNeutral(code.get(place), form).memory("v128.store").addTo(place, 16);
  code.get(place).get(end).op("i32.lt_u").brIf(clear).end();
  const nextRow = code.loop();
  code.get(row).set(at).get(toRow).set(out).get(totals).set(place);
  const next = code.loop();
  code.get(place).memory("v128.load").set(state.total);
  writeStep(code, form, state, at, out);
  code.get(place).get(state.total).memory("v128.store");
  code.addTo(at, size).addTo(out, size).addTo(place, 16);
  code.get(place).get(end).op("i32.lt_u").brIf(next).end();
  code.get(row).get(step).op("i32.add").set(row).get(toRow).get(toStep).op("i32.add").set(toRow);
  code.countDown(left, nextRow);
  code.get(from).get(lineStep).op("i32.add").set(from).get(to).get(toLineStep).op("i32.add").set(to);
  code.countDown(outer, nextOuter);
  code.i32(0);
}
