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
import type { WasmModule } from "@onebuffer/wasm/internal";
import { linearMemory } from "@onebuffer/wasm";
import { checkedRow } from "@onebuffer/evaluator/internal";
import type { ScatterReduction, ScatterSkips } from "@onebuffer/expression";
import { isFloat } from "@onebuffer/expression/internal";
import { takeScratch } from "../calls/scratch.ts";
import type { CombiningOp } from "@onebuffer/expression/internal";
import { arrayKernel, integerAccess, textFunction } from "../calls/array-kernel.ts";
import { combiningWords } from "../scans/combining-words.ts";
import type { CombiningWords } from "../scans/combining-words.ts";

/** How a scatter combines an element with its update; null if the update replaces the element. */
export const scatterCombinations: Readonly<Record<ScatterReduction, CombiningOp | null>> = {
  update: null,
  add: "add",
  mul: "mul",
  min: "minimum",
  max: "maximum",
};

/** The shape of an operand that an axis divides into rows of `run` bytes. */
export interface Rows {
  readonly outer: number;
  readonly size: number;
  readonly run: number;
  readonly count: number;
}

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

/**
 * Returns the function that moves rows between a table and a stream: a scatter with a reduction, or a gather if that is null. Null if the
 * engine refuses it. `dtype` decides how rows combine.
 */
export function rowsKernel(
  reduction: ScatterReduction | null,
  dtype: DType,
  { run }: Rows,
  skips: boolean,
): ((stream: number, table: number, rows: number, by: Rows) => void) | null {
  const combined = reduction === null ? null : scatterCombinations[reduction];
  const words = combined === null ? null : combiningWords(combined, dtype);
  const item = words === null ? ([8, 4, 2].find((bytes) => run % bytes === 0) ?? 1) : dtypeSize(dtype);
  const hasVectors = run >= 16 && words?.vector !== null;
  const [vectorBytes, restBytes] = hasVectors ? [run - (run % 16), run % 16] : [0, run];
  const loops = `${hasVectors} ${restBytes === 0 ? "" : restBytes === item ? "one" : "rest"}`;
  const kernel = arrayKernel(`${reduction ?? "gather"} ${words === null ? item : dtype} ${loops} ${skips}`, (module) => {
    writeRows(module, reduction === null, words, words === null ? "int8" : dtype, item, hasVectors, restBytes / item, skips);
  });
  if (kernel === null) return null;
  const move = kernel["rows"]!;
  return (stream, table, rows, { outer, size, count }) => {
    if (count > 0) move(stream, table, rows, outer, count, size * run, run, vectorBytes, restBytes, size);
  };
}

/** Writes the function that returns 0 if all indices are in [0, size) or skipped. It stores those of 64 bits as 32 bits: -1 for those outside. */
function writeCheck(module: WasmModule, isWide: boolean, skips: ScatterSkips): void {
  const type = isWide ? "i64" : "i32";
  const limit = isWide ? "size i64.extend_i32_u" : "size";
  const isBad = skips === "large" ? `${type}:0 ${type}.lt_s` : `${limit} ${type}.ge_${skips === "none" ? "u" : "s"}`;
  textFunction(
    module,
    "check",
    "at count size to",
    `bad index:${type}`,
    `loop
      at ${type}.load ->index
      bad index ${isBad} | ->bad
      ${isWide ? `to index i64:-1 index ${limit} i64.lt_u select i64.store32 to+=4` : ""}
      at+=${isWide ? 8 : 4}
      count+=-1
    count while
    bad`,
  );
}

/** Writes the walk through the rows: of each first the vectors, then `rest` single elements (any number of them if more than one). */
function writeRows(
  module: WasmModule,
  isGather: boolean,
  words: CombiningWords | null,
  dtype: DType,
  item: number,
  hasVectors: boolean,
  rest: number,
  skips: boolean,
): void {
  const bits = 8 * item;
  const [type, load, store] = isFloat(dtype)
    ? [`f${bits}`, `f${bits}.load`, `f${bits}.store`]
    : integerAccess(item, dtype.startsWith("u") ? "u" : "s");
  const [source, target] = isGather ? ["row", "stream"] : ["stream", "row"];
  const combine =
    words === null ? "" : `row ${load} ${words.chooses === null ? `${type}.${words.name}` : `->x ->y x y x y ${words.chooses} select`}`;
  const one = `${target} ${source} ${load} ${combine} ${store} stream+=${item}`;
  const vector = `${target} ${source} v128.load ${words === null ? "" : `row v128.load ${words.vector}`} v128.store stream+=16`;
  const all = (bytes: string, move: string, step: number): string => `
    row ${bytes} + ->stop
    loop
      ${move}
      row+=${step}
    row stop i32.ne while`;
  textFunction(
    module,
    "rows",
    "stream table rows outer count block run vectors rest size",
    `at left row stop x:${type} y:${type}`,
    `loop
      rows ->at
      count ->left
      loop
        ${skips ? "at i32.load size < if" : ""}
        at i32.load run * table + ->row
        ${hasVectors ? all("vectors", vector, 16) : ""}
        ${rest > 1 ? all("rest", one, item) : rest === 1 ? one : ""}
        ${skips ? "else stream+=run end" : ""}
        at+=4
        left+=-1
      left while
      table+=block
      outer+=-1
    outer while
    0`,
  );
}
