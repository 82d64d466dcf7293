/**
 * count-kernel: counts how often each number occurs (tensorflow/core/kernels/bincount_op.cc), as WebAssembly.
 *
 *     numbers  5 5 5 2 …        the first, second, third and fourth of each four are counted in tables of their own: a counter that
 *     tables   | | | |          was just stored need not be read again at once
 *
 * Numbers outside the table are counted in a place behind it.
 */
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";

/** The number of tables, and the largest that has copies: they stay in the second-level cache. */
const kTables = 4;
const kLargest = 1 << 14;

/**
 * Adds the numbers of occurrences of 0 to `size` - 1 among `count` numbers of 32 bits to the counters at `to`. Returns false, with
 * nothing done, if the engine refuses the kernel.
 */
export function countRows(numbers: number, count: number, size: number, to: number): boolean {
  const kernel = arrayKernel("counts", writeCounts);
  if (kernel === null) return false;
  const mark = scratchMark();
  try {
    const tables = size <= kLargest && count >= 4 * size ? kTables : 1;
    const bytes = (size + 1) * 4;
    const scratch = takeScratch(kTables * bytes);
    kernel["counts"]!(numbers, count, size, scratch, tables === 1 ? 0 : bytes, tables * bytes);
    kernel["add"]!(to, scratch, size, tables === 1 ? 0 : bytes);
    return true;
  } finally {
    releaseScratch(mark);
  }
}

function writeCounts(module: WasmModule): void {
  const { target, at } = arrayFunction(module, "counts", ["from", "count", "size", "tables", "bytes", "all"], ["left", "number", "place"]);
  const code = target.body;
  code.get(at.tables).i32(0).get(at.all).op("memory.fill");
  const step = (offset: number, table: () => CodeWriter): void => {
    code.get(at.from).memory("i32.load", offset).tee(at.number).get(at.size).get(at.number).get(at.size).op("i32.lt_u").op("select");
    code.i32(2).op("i32.shl").get(at.tables).op("i32.add");
    table().tee(at.place).get(at.place).memory("i32.load").i32(1).op("i32.add").memory("i32.store");
  };
  code.get(at.count).i32(2).op("i32.shr_u").tee(at.left).if();
  const next = code.loop();
  for (let k = 0; k < kTables; k++) {
    step(4 * k, () => (k === 0 ? code : code.get(at.bytes).i32(k).op("i32.mul").op("i32.add")));
  }
  code.addTo(at.from, 16);
  code.countDown(at.left, next);
  code.end().get(at.count).i32(3).op("i32.and").tee(at.left).if();
  const last = code.loop();
  step(0, () => code);
  code.addTo(at.from, 4);
  code.countDown(at.left, last);
  code.end().i32(0);
  writeAdd(module);
}

/** Writes the function that adds the tables to the counters. Without copies of the table, their distance is 0. */
function writeAdd(module: WasmModule): void {
  const { target, at } = arrayFunction(module, "add", ["to", "from", "size", "bytes"], []);
  const code = target.body;
  const next = code.loop();
  code.get(at.to).get(at.to).memory("i32.load").get(at.from).memory("i32.load").op("i32.add");
  code.get(at.bytes).if("i32");
  for (let k = 1; k < kTables; k++) {
    code.get(at.from).get(at.bytes).i32(k).op("i32.mul").op("i32.add").memory("i32.load");
    if (k > 1) code.op("i32.add");
  }
  code.else().i32(0).end().op("i32.add").memory("i32.store").addTo(at.to, 4).addTo(at.from, 4);
  code.countDown(at.size, next);
  code.i32(0);
}
