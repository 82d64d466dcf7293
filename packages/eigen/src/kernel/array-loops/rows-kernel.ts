/**
 * rows-kernel: gather picks rows along an axis; scatter replaces rows or combines them with updates (TensorFlow's gather_op.cc and
 * scatter_nd_op.cc), as WebAssembly. Both walk through a dense *stream* of rows, and for each visit the row of a table that an index names.
 *
 *     gather    table [outer, size, run]   ->  stream [outer, count, run]
 *     scatter   stream [outer, count, run] ->  table [outer, size, run]      one update after the other
 *
 *     a row of 44 bytes     vector | vector | 8 bytes … or 4, 2, 1: the largest that divides the row; a combination takes its own elements
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { linearMemory } from "@onebuffer/wasm";
import { checkedRow } from "../../evaluator/whole-operations.ts";
import type { ScatterReduction, ScatterSkips } from "../../expression/tree/op-attributes.ts";
import { isFloat } from "../../expression/tree/dtype-groups.ts";
import { takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";

/** What happens to a row: it is read, replaced, or combined. */
export type RowsOp = "gather" | ScatterReduction;

/** The shape of an operand that an axis divides into rows of `run` bytes. */
export interface Rows {
  readonly outer: number;
  readonly size: number;
  readonly run: number;
  readonly count: number;
}

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

const kLanes: Readonly<Record<number, string>> = { 1: "i8x16", 2: "i16x8", 4: "i32x4", 8: "i64x2" };

/**
 * Returns the function that gives the address of row numbers of 32 bits, for an array of indices at an address: the array itself or, of
 * int64, scratch memory. Indices that are skipped become numbers outside [0, size). The function throws INVALID_ARGUMENT if another index
 * is outside; `op` is the operation for the message. Returns null if the engine refuses the kernel.
 */
export function rowNumbers(op: "gather" | "scatter", dtype: DType, skips: ScatterSkips): ((indices: number, by: Rows) => number) | null {
  const isWide = dtype === "int64";
  const kernel = arrayKernel(`rows of ${dtype} ${skips}`, (module) => writeCheck(module, isWide, skips));
  if (kernel === null) return null;
  const check = kernel["check"]!;
  return (indices, { count, size }) => {
    const to = isWide ? takeScratch(count * 4) : indices;
    if (count === 0 || check(indices, count, size, to) === 0) return to;
    const view = new DataView(linearMemory().buffer, indices, count * (isWide ? 8 : 4));
    for (let j = 0; ; j++) {
      const index = isWide ? view.getBigInt64(8 * j, true) : view.getInt32(4 * j, true);
      if (skips === "none" || (skips === "negative") === index >= 0) checkedRow(op, index, j, size);
    }
  };
}

/** Returns the function that moves rows between a table and a stream; null if the engine refuses it. `dtype` decides how rows combine. */
export function rowsKernel(
  op: RowsOp,
  dtype: DType,
  { run }: Rows,
  skips: boolean,
): ((stream: number, table: number, rows: number, by: Rows) => void) | null {
  const moves = op === "gather" || op === "update";
  const item = moves ? ([8, 4, 2].find((bytes) => run % bytes === 0) ?? 1) : dtypeSize(dtype);
  const hasInstruction = isFloat(dtype) || !(item === 8 ? op === "min" || op === "max" : item === 1 && op === "mul");
  const hasVectors = run >= 16 && (moves || hasInstruction);
  const [vectorBytes, restBytes] = hasVectors ? [run - (run % 16), run % 16] : [0, run];
  const loops = `${hasVectors} ${restBytes === 0 ? "" : restBytes === item ? "one" : "rest"}`;
  const kernel = arrayKernel(`${op} ${moves ? item : dtype} ${loops} ${skips}`, (module) => {
    writeRows(module, op, moves ? null : dtype, item, hasVectors, restBytes / item, skips);
  });
  if (kernel === null) return null;
  const move = kernel["rows"]!;
  return (stream, table, rows, { outer, size, count }) => {
    if (count > 0) move(stream, table, rows, outer, count, size * run, run, vectorBytes, restBytes, size);
  };
}

/** Writes the function that returns 0 if all indices are in [0, size) or skipped. It stores those of 64 bits as 32 bits: -1 for those outside. */
function writeCheck(module: WasmModule, isWide: boolean, skips: ScatterSkips): void {
  const { target, at: locals } = arrayFunction(module, "check", ["at", "count", "size", "to"], ["bad"]);
  const { at, count, size, to, bad } = locals;
  const wide = target.local("i64", "wide");
  const code = target.body;
  const next = code.loop();
  code.get(bad).get(at);
  if (isWide) code.memory("i64.load").tee(wide);
  else code.memory("i32.load");
  const type = isWide ? "i64" : "i32";
  if (skips === "large") (isWide ? code.i64(0n) : code.i32(0)).op(`${type}.lt_s`);
  else {
    code.get(size);
    if (isWide) code.op("i64.extend_i32_u");
    code.op(`${type}.ge_${skips === "none" ? "u" : "s"}`);
  }
  code
    .op("i32.or")
    .set(bad)
    .addTo(at, isWide ? 8 : 4);
  if (isWide) {
    code.get(to).get(wide).i64(-1n);
    code.get(wide).get(size).op("i64.extend_i32_u").op("i64.lt_u").op("select").memory("i64.store32").addTo(to, 4);
  }
  code.countDown(count, next);
  code.get(bad);
}

/** Writes the walk through the rows: of each first the vectors, then `rest` single elements (any number of them if more than one). */
function writeRows(
  module: WasmModule,
  op: RowsOp,
  dtype: DType | null,
  item: number,
  hasVectors: boolean,
  rest: number,
  skips: boolean,
): void {
  const params = ["stream", "table", "rows", "outer", "count", "block", "run", "vectors", "restBytes", "size"] as const;
  const { target, at: locals } = arrayFunction(module, "rows", params, ["at", "left", "row", "end"]);
  const { stream, table, rows, outer, count, block, run, vectors, restBytes, size, at, left, row, end } = locals;
  const code = target.body;
  const [type, load, store] = accessOf(dtype, item);
  const [x, y] = [target.local(type, "x"), target.local(type, "y")];
  const move = (isVector: boolean): void => {
    const [read, write]: readonly [Access, Access] = isVector ? ["v128.load", "v128.store"] : [load, store];
    code
      .get(op === "gather" ? stream : row)
      .get(op === "gather" ? row : stream)
      .memory(read);
    if (dtype !== null) {
      code.get(row).memory(read);
      if (isVector) code.op(vectorOp(op, dtype, item) as Plain);
      else if (op === "add" || op === "mul" || isFloat(dtype)) code.op(`${type}.${op}` as Plain);
      else {
        code
          .set(x)
          .set(y)
          .get(x)
          .get(y)
          .get(x)
          .get(y)
          .op(`${type}.${op === "min" ? "lt" : "gt"}_${dtype.startsWith("u") ? "u" : "s"}` as Plain)
          .op("select");
      }
    }
    code.memory(write);
  };
  const moveAll = (bytes: number, isVector: boolean): void => {
    const step = isVector ? 16 : item;
    code.get(row).get(bytes).op("i32.add").set(end);
    const next = code.loop();
    move(isVector);
    code.addTo(stream, step).addTo(row, step);
    code.get(row).get(end).op("i32.ne").brIf(next).end();
  };
  const nextOuter = code.loop();
  code.get(rows).set(at).get(count).set(left);
  const nextRow = code.loop();
  if (skips) code.get(at).memory("i32.load").get(size).op("i32.lt_u").if();
  code.get(at).memory("i32.load").get(run).op("i32.mul").get(table).op("i32.add").set(row);
  if (hasVectors) moveAll(vectors, true);
  if (rest > 1) moveAll(restBytes, false);
  if (rest === 1) {
    move(false);
    code.addTo(stream, item);
  }
  if (skips) code.else().get(stream).get(run).op("i32.add").set(stream).end();
  code.addTo(at, 4);
  code.countDown(left, nextRow);
  code.get(table).get(block).op("i32.add").set(table);
  code.countDown(outer, nextOuter);
  code.i32(0);
}

/** Returns the type of an element on the stack, and how it is loaded and stored; of elements that are only moved (null) just the width counts. */
function accessOf(dtype: DType | null, item: number): readonly ["i32" | "i64" | "f32" | "f64", Access, Access] {
  if (dtype !== null && isFloat(dtype)) return item === 8 ? ["f64", "f64.load", "f64.store"] : ["f32", "f32.load", "f32.store"];
  if (item === 8) return ["i64", "i64.load", "i64.store"];
  if (item === 4) return ["i32", "i32.load", "i32.store"];
  const bits = item === 2 ? 16 : 8;
  return ["i32", `i32.load${bits}_${dtype?.startsWith("u") === true ? "u" : "s"}`, `i32.store${bits}`];
}

function vectorOp(op: RowsOp, dtype: DType, item: number): string {
  if (isFloat(dtype)) return `${item === 8 ? "f64x2" : "f32x4"}.${op}`;
  return `${kLanes[item]}.${op}${op === "add" || op === "mul" ? "" : dtype.startsWith("u") ? "_u" : "_s"}`;
}
