/**
 * scan-kernel: running sums, products, maxima and minima along an axis (tensorflow/core/kernels/scan_ops.cc), as WebAssembly.
 *
 *     [outer, count, inner]    lines of `count` elements that are `inner` apart
 *     lines    one line after the other, its total in a local
 *     rows     vectors of adjacent lines, a row of elements after the other, their totals in a row of scratch memory
 *
 * Sums and products of floats are accumulated in float64 in the order of the elements and rounded when they are stored; integers wrap
 * around. So the results equal the plain evaluator's, bit for bit. One element is read before it is stored: the operand may be where the result goes.
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { integerRange } from "../../expression/inference/constant-value.ts";
import type { ExpressionTree } from "../../expression/tree/op-attributes.ts";
import { attributesOf } from "../../expression/tree/op-attributes.ts";
import type { OpNameOf } from "../../expression/tree/op-table.ts";
import { product } from "../../geometry/map-geometry.ts";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

/** How elements are loaded, accumulated and stored. */
interface Form {
  readonly type: "i32" | "i64" | "f32" | "f64";
  readonly load: Access;
  readonly store: Access;
  /** The lanes that accumulate vectors. */
  readonly lanes: "i8x16" | "i16x8" | "i32x4" | "i64x2" | "f32x4" | "f64x2";
}

/** Of integers that are added or multiplied only the width matters: sums and products of both signs have the same low bits. */
const kForms: Readonly<Record<string, Form>> = {
  float32: { type: "f64", load: "f32.load", store: "f32.store", lanes: "f64x2" },
  float64: { type: "f64", load: "f64.load", store: "f64.store", lanes: "f64x2" },
  1: { type: "i32", load: "i32.load8_u", store: "i32.store8", lanes: "i8x16" },
  2: { type: "i32", load: "i32.load16_u", store: "i32.store16", lanes: "i16x8" },
  4: { type: "i32", load: "i32.load", store: "i32.store", lanes: "i32x4" },
  8: { type: "i64", load: "i64.load", store: "i64.store", lanes: "i64x2" },
};

/** A scan of elements of a dtype: their form, the instructions that combine totals with elements, and the total of no elements. */
interface Scan {
  readonly form: Form;
  /** An instruction, or the comparison by which a total is kept. */
  readonly scalar: Plain;
  readonly isCompared: boolean;
  /** The instruction for vectors; null if there is none. */
  readonly vector: Plain | null;
  readonly neutral: number | bigint;
}

function scanOf(op: OpNameOf<"scan">, dtype: DType): Scan {
  const form = kForms[dtype] ?? kForms[dtypeSize(dtype)]!;
  const { type, lanes } = form;
  if (op === "cumsum" || op === "cumprod") {
    const name = op === "cumsum" ? "add" : "mul";
    const vector = name === "mul" && lanes === "i8x16" ? null : (`${lanes}.${name}` as Plain);
    return { form, scalar: `${type}.${name}`, isCompared: false, vector, neutral: op === "cumsum" ? 0 : 1 };
  }
  const name = op === "cummax" ? "max" : "min";
  const range = integerRange(dtype);
  if (range === null) {
    const held: Form = dtype === "float32" ? { ...form, type: "f32", lanes: "f32x4" } : form;
    const vector = `${held.lanes}.${name}` as Plain;
    return {
      form: held,
      scalar: `${held.type as "f32"}.${name}`,
      isCompared: false,
      vector,
      neutral: name === "max" ? -Infinity : Infinity,
    };
  }
  const sign = dtype.startsWith("u") ? "u" : "s";
  return {
    form: { ...form, load: form.load.replace("_u", `_${sign}`) as Access },
    scalar: `${type}.${name === "max" ? "gt" : "lt"}_${sign}` as Plain,
    isCompared: true,
    vector: lanes === "i64x2" ? null : (`${lanes}.${name}_${sign}` as Plain),
    neutral: range[name === "max" ? 0 : 1],
  };
}

/** The bytes of a row that `rows` advances at a time, so that their totals stay in the first-level cache. */
const kRowBytes = 4096;

/** Computes a scan of dense elements at an address. Returns false, with nothing done, if the engine refuses the kernel. */
export function scanLines(node: ExpressionTree, dtype: DType, from: number, to: number): boolean {
  const { axis, exclusive, reverse } = attributesOf(node, "cumsum");
  const dims = node.dimensions;
  const size = dtypeSize(dtype);
  const op = node.op as OpNameOf<"scan">;
  const scan = scanOf(op, dtype);
  const kernel = arrayKernel(`${op} ${dtype} ${exclusive}`, (module) => {
    writeLines(module, scan, exclusive);
    if (scan.vector !== null) writeRows(module, scan, scan.vector, exclusive);
  });
  if (kernel === null) return false;
  const step = product(dims.slice(axis + 1)) * size;
  const count = dims[axis] as number;
  const outer = product(dims.slice(0, axis));
  const first = from + (reverse ? (count - 1) * step : 0);
  const [delta, signed] = [to - from, reverse ? -step : step];
  const whole = scan.vector === null ? 0 : step - (step % 16);
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

/** Writes the scan of lines one after the other. */
function writeLines(module: WasmModule, scan: Scan, exclusive: boolean): void {
  const { type, load, store } = scan.form;
  const params = ["from", "delta", "outer", "count", "step", "lineStep"] as const;
  const { target, at: locals } = arrayFunction(module, "lines", params, ["at", "left"]);
  const { from, delta, outer, count, step, lineStep, at, left } = locals;
  const [total, before, value] = ["total", "before", "value"].map((each) => target.local(type, each)) as [number, number, number];
  const code = target.body;
  const isRounded = load === "f32.load" && type === "f64";
  const nextLine = code.loop();
  pushNeutral(code, scan).set(total).get(from).set(at).get(count).set(left);
  const next = code.loop();
  code.get(total).set(before);
  code.get(total).get(at).memory(load);
  if (isRounded) code.op("f64.promote_f32");
  if (scan.isCompared) code.tee(value).get(total).get(value).op(scan.scalar).op("select").set(total);
  else code.op(scan.scalar).set(total);
  code.get(at).get(delta).op("i32.add");
  code.get(exclusive ? before : total);
  if (isRounded) code.op("f32.demote_f64");
  code.memory(store);
  code.get(at).get(step).op("i32.add").set(at);
  code.countDown(left, next);
  code.get(from).get(lineStep).op("i32.add").set(from);
  code.countDown(outer, nextLine);
  code.i32(0);
}

/** Pushes the total of no elements. */
function pushNeutral(code: CodeWriter, { form: { type }, neutral }: Scan): CodeWriter {
  if (type === "f64") return code.f64(Number(neutral));
  if (type === "f32") return code.f32(Number(neutral));
  return type === "i64" ? code.i64(BigInt.asIntN(64, BigInt(neutral))) : code.i32(Number(neutral) | 0);
}

/** Writes the scan of `width` bytes of adjacent lines, a multiple of 16. A row of floats has totals of twice its bytes. */
function writeRows(module: WasmModule, scan: Scan, combine: Plain, exclusive: boolean): void {
  const params = ["from", "delta", "outer", "count", "width", "step", "lineStep", "totals"] as const;
  const { target, at: locals } = arrayFunction(module, "rows", params, ["row", "at", "left", "total", "end"]);
  const { from, delta, outer, count, width, step, lineStep, totals, row, at, left, total, end } = locals;
  const { lanes, type, load } = scan.form;
  const isRounded = load === "f32.load" && type === "f64";
  const parts = isRounded ? 2 : 1;
  const [source, neutral] = [target.local("v128", "source"), target.local("v128", "neutral")];
  const sums = Array.from({ length: parts }, (_, k) => [target.local("v128", `sum${k}`), target.local("v128", `before${k}`)] as const);
  pushNeutral(target.prologue, scan).op(`${lanes}.splat`).set(neutral);
  const code = target.body;
  const nextOuter = code.loop();
  code.get(from).set(row).get(count).set(left);
  // The totals of a new block of lines.
  code.get(totals).tee(total).get(width);
  if (isRounded) code.i32(1).op("i32.shl");
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
    if (isRounded) code.op("f64x2.promote_low_f32x4");
    code.op(combine).set(sum);
    code
      .get(total)
      .get(sum)
      .memory("v128.store", 16 * k);
  });
  code.get(at).get(delta).op("i32.add");
  for (const [sum, before] of sums) {
    code.get(exclusive ? before : sum);
    if (isRounded) code.op("f32x4.demote_f64x2_zero");
  }
  if (isRounded) code.shuffle([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);
  code.memory("v128.store");
  code.addTo(total, 16 * parts).addTo(at, 16);
  code.get(at).get(end).op("i32.ne").brIf(next).end();
  code.get(row).get(step).op("i32.add").set(row);
  code.countDown(left, nextRow);
  code.get(from).get(lineStep).op("i32.add").set(from);
  code.countDown(outer, nextOuter);
  code.i32(0);
}
