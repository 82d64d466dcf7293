/**
 * scan-kernel: running sums and products along an axis (tensorflow/core/kernels/scan_ops.cc), as WebAssembly.
 *
 *     [outer, count, inner]    lines of `count` elements that are `inner` apart
 *     lines    one line after the other, its total in a local
 *     rows     vectors of adjacent lines, a row of elements after the other, their totals in a row of scratch memory
 *
 * Floats are accumulated in float64 in the order of the elements and rounded when they are stored; integers wrap around. So the results
 * equal the plain evaluator's, bit for bit. One element is read before it is stored: the operand may be where the result goes.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import { product } from "../../geometry/map-geometry.ts";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { ArrayFunctions } from "./array-kernel.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

/** How elements are loaded, accumulated and stored. */
interface Form {
  readonly type: "i32" | "i64" | "f64";
  readonly load: Access;
  readonly store: Access;
  /** The lanes that accumulate vectors, and whether they have an instruction for products. */
  readonly lanes: "i8x16" | "i16x8" | "i32x4" | "i64x2" | "f64x2";
  readonly multiplies: boolean;
}

/** Of integers only the width matters: sums and products of both signs have the same low bits. */
const kForms: Readonly<Record<string, Form>> = {
  float32: { type: "f64", load: "f32.load", store: "f32.store", lanes: "f64x2", multiplies: true },
  float64: { type: "f64", load: "f64.load", store: "f64.store", lanes: "f64x2", multiplies: true },
  1: { type: "i32", load: "i32.load8_u", store: "i32.store8", lanes: "i8x16", multiplies: false },
  2: { type: "i32", load: "i32.load16_u", store: "i32.store16", lanes: "i16x8", multiplies: true },
  4: { type: "i32", load: "i32.load", store: "i32.store", lanes: "i32x4", multiplies: true },
  8: { type: "i64", load: "i64.load", store: "i64.store", lanes: "i64x2", multiplies: true },
};

/** The bytes of a row that `rows` advances at a time, so that their totals stay in the first-level cache. */
const kRowBytes = 4096;

/** Computes a scan of dense elements at an address. Returns false, with nothing done, if the engine refuses the kernel. */
export function scanLines(node: ExpressionTree, dtype: DType, from: number, to: number): boolean {
  const { axis, exclusive, reverse } = attributesOf(node, "cumsum");
  const dims = node.dimensions;
  const size = dtypeSize(dtype);
  const form = kForms[dtype] ?? kForms[size]!;
  const isSum = node.op === "cumsum";
  const kernel = scanKernel(form, isSum, exclusive);
  if (kernel === null) return false;
  const step = product(dims.slice(axis + 1)) * size;
  const count = dims[axis] as number;
  const outer = product(dims.slice(0, axis));
  const first = from + (reverse ? (count - 1) * step : 0);
  const [delta, signed] = [to - from, reverse ? -step : step];
  const whole = isSum || form.multiplies ? step - (step % 16) : 0;
  const mark = scratchMark();
  try {
    const totals = whole === 0 ? 0 : takeScratch(2 * kRowBytes);
    for (let at = 0; at < whole; at += kRowBytes) {
      kernel["rows"]!(first + at, delta, outer, count, Math.min(kRowBytes, whole - at), signed, count * step, totals);
    }
    for (let at = whole; at < step; at += size) kernel["lines"]!(first + at, delta, outer, count, signed, count * step);
  } finally {
    releaseScratch(mark);
  }
  return true;
}

function scanKernel(form: Form, isSum: boolean, exclusive: boolean): ArrayFunctions | null {
  return arrayKernel(`scan ${form.load} ${isSum} ${exclusive}`, (module) => {
    writeLines(module, form, isSum, exclusive);
    if (isSum || form.multiplies) writeRows(module, form, isSum, exclusive);
  });
}

/** Writes the scan of lines one after the other. */
function writeLines(module: WasmModule, { type, load, store }: Form, isSum: boolean, exclusive: boolean): void {
  const params = ["from", "delta", "outer", "count", "step", "lineStep"] as const;
  const { target, at: locals } = arrayFunction(module, "lines", params, ["at", "left"]);
  const { from, delta, outer, count, step, lineStep, at, left } = locals;
  const [total, before] = [target.local(type, "total"), target.local(type, "before")];
  const code = target.body;
  const isFloat32 = load === "f32.load";
  const nextLine = code.loop();
  pushNeutral(code, type, isSum).set(total).get(from).set(at).get(count).set(left);
  const next = code.loop();
  code.get(total).set(before);
  code.get(total).get(at).memory(load);
  if (isFloat32) code.op("f64.promote_f32");
  code.op(`${type}.${isSum ? "add" : "mul"}`).set(total);
  code.get(at).get(delta).op("i32.add");
  code.get(exclusive ? before : total);
  if (isFloat32) code.op("f32.demote_f64");
  code.memory(store);
  code.get(at).get(step).op("i32.add").set(at);
  code.countDown(left, next);
  code.get(from).get(lineStep).op("i32.add").set(from);
  code.countDown(outer, nextLine);
  code.i32(0);
}

/** Pushes the total of no elements. */
function pushNeutral(code: CodeWriter, type: Form["type"], isSum: boolean): CodeWriter {
  const value = isSum ? 0 : 1;
  return type === "f64" ? code.f64(value) : type === "i64" ? code.i64(BigInt(value)) : code.i32(value);
}

/** Writes the scan of `width` bytes of adjacent lines, a multiple of 16. A row of floats has totals of twice its bytes. */
function writeRows(module: WasmModule, form: Form, isSum: boolean, exclusive: boolean): void {
  const params = ["from", "delta", "outer", "count", "width", "step", "lineStep", "totals"] as const;
  const { target, at: locals } = arrayFunction(module, "rows", params, ["row", "at", "left", "total", "end"]);
  const { from, delta, outer, count, width, step, lineStep, totals, row, at, left, total, end } = locals;
  const { lanes, type, load } = form;
  const isFloat32 = load === "f32.load";
  const parts = isFloat32 ? 2 : 1;
  const [source, neutral] = [target.local("v128", "source"), target.local("v128", "neutral")];
  const sums = Array.from({ length: parts }, (_, k) => [target.local("v128", `sum${k}`), target.local("v128", `before${k}`)] as const);
  pushNeutral(target.prologue, type, isSum).op(`${lanes}.splat`).set(neutral);
  const code = target.body;
  const nextOuter = code.loop();
  code.get(from).set(row).get(count).set(left);
  // The totals of a new block of lines.
  code.get(totals).tee(total).get(width);
  if (isFloat32) code.i32(1).op("i32.shl");
  code.op("i32.add").set(end);
  const clear = code.loop();
  code.get(total).get(neutral).memory("v128.store").addTo(total, 16);
  code.get(total).get(end).op("i32.lt_u").brIf(clear).end();
  const nextRow = code.loop();
  code.get(row).tee(at).get(width).op("i32.add").set(end).get(totals).set(total);
  const next = code.loop();
  code.get(at).memory("v128.load").set(source);
  sums.forEach(([sum, before], k) => {
    code
      .get(total)
      .memory("v128.load", 16 * k)
      .tee(before)
      .get(source);
    if (k === 1) code.get(source).shuffle([8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15]);
    if (isFloat32) code.op("f64x2.promote_low_f32x4");
    code.op(`${lanes}.${isSum ? "add" : "mul"}` as Plain).set(sum);
    code
      .get(total)
      .get(sum)
      .memory("v128.store", 16 * k);
  });
  code.get(at).get(delta).op("i32.add");
  for (const [sum, before] of sums) {
    code.get(exclusive ? before : sum);
    if (isFloat32) code.op("f32x4.demote_f64x2_zero");
  }
  if (isFloat32) code.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
  code.memory("v128.store");
  code.addTo(total, 16 * parts).addTo(at, 16);
  code.get(at).get(end).op("i32.ne").brIf(next).end();
  code.get(row).get(step).op("i32.add").set(row);
  code.countDown(left, nextRow);
  code.get(from).get(lineStep).op("i32.add").set(from);
  code.countDown(outer, nextOuter);
  code.i32(0);
}
