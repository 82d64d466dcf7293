/**
 * pieces-kernel: copies blocks of memory by one call, however many there are (tensorflow/core/kernels/concat_lib_cpu.h).
 *
 *     [64, 64] into the middle of [66, 66]     64 rows of 256 bytes, 256 bytes apart in one and 264 in the other
 *     a border of zeros around it              rows of 264 bytes and of 4, all read from the same few bytes
 *
 * The blocks are a table of 32-bit words, nine for each (see kBlockWords).
 */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { elementAccess } from "../form/lane-memory.ts";
import { arrayFunction, arrayKernel } from "../array-loops/array-kernel.ts";

/** The words of a block: from, to; size, step in both of the outer loop; the same of the inner loop; the bytes of a run. */
export const kBlockWords = 9;

/** How the bytes of a run are copied: a vector at a time, 8 to 1 bytes at a time, or by one instruction: 0. */
export type RunUnit = 0 | 16 | 8 | 4 | 2 | 1;

/** The bytes from which a run is copied by one instruction, which costs as much as a few dozen others. */
const kLongRun = 512;

/** Returns how runs of so many bytes are copied. */
export function runUnit(run: number): RunUnit {
  if (run >= kLongRun) return 0;
  return run >= 16 ? 16 : (([8, 4, 2] as const).find((bytes) => run % bytes === 0) ?? 1);
}

/** Returns the function that copies `count` blocks, whose words are at an address; null if the engine refuses it. */
export function piecesKernel(unit: RunUnit): ((table: number, count: number) => number) | null {
  return (
    (arrayKernel(`pieces of ${unit}`, (module) => writePieces(module, unit))?.["pieces"] as (table: number, count: number) => number) ??
    null
  );
}

/** Writes the loops over blocks, their two loops and the runs. The last, shorter vector of a run is a whole one that overlaps the one before. */
function writePieces(module: WasmModule, unit: RunUnit): void {
  const locals = ["from", "to", "size", "source", "target", "inner", "run", "k", "end"] as const;
  const { target: made, at } = arrayFunction(module, "pieces", ["table", "count"], locals);
  const { table, count, from, to, size, source, target, inner, run, k, end } = at;
  const [load, store] = elementAccess[unit || 16]!;
  const code = made.body;
  const word = (index: number): typeof code => code.get(table).memory("i32.load", 4 * index);
  const advance = (local: number, index: number): void => {
    code.get(local);
    word(index).op("i32.add").set(local);
  };
  const move = (): void => {
    code.get(target).get(k).op("i32.add").get(source).get(k).op("i32.add").memory(load).memory(store);
  };
  const nextBlock = code.loop();
  word(0).set(from);
  word(1).set(to);
  word(2).set(size);
  word(8).tee(run).i32(unit).op("i32.sub").set(end);
  const nextOuter = code.loop();
  code.get(from).set(source).get(to).set(target);
  word(5).set(inner);
  const nextRun = code.loop();
  if (unit === 0) code.get(target).get(source).get(run).op("memory.copy");
  else {
    code.i32(0).set(k);
    const next = code.loop();
    move();
    code.addTo(k, unit).get(k).get(end).op("i32.le_s").brIf(next).end();
  }
  if (unit === 16) {
    code.get(end).set(k);
    move();
  }
  advance(source, 6);
  advance(target, 7);
  code.countDown(inner, nextRun);
  advance(from, 3);
  advance(to, 4);
  code.countDown(size, nextOuter);
  code.addTo(table, 4 * kBlockWords).countDown(count, nextBlock);
  code.i32(0);
}
