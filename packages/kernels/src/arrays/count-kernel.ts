/**
 * count-kernel: counts how often each number occurs (tensorflow/core/kernels/bincount_op.cc), as WebAssembly.
 *
 *     numbers  5 5 5 2 …        the first, second, third and fourth of each four are counted in tables of their own: a counter that
 *     tables   | | | |          was just stored need not be read again at once
 *
 * Numbers outside the table are counted in a place behind it.
 */
import type { WasmModule } from "@onebuffer/wasm/internal";
import { takeScratch, withScratch } from "../calls/scratch.ts";
import { arrayKernel, inGroups, textFunction } from "../calls/array-kernel.ts";

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
  return withScratch(() => {
    const tables = size <= kLargest && count >= 4 * size ? kTables : 1;
    const bytes = (size + 1) * 4;
    const scratch = takeScratch(tables * bytes);
    kernel["counts"]!(numbers, count, size, scratch, tables === 1 ? 0 : bytes, tables * bytes);
    kernel["add"]!(to, scratch, size, tables === 1 ? 0 : bytes);
    return true;
  });
}

/** Writes the function that counts into the tables, and the one that adds them to the counters. With one table, their distance is 0. */
function writeCounts(module: WasmModule): void {
  const table = (k: number): string => (k === 0 ? "" : `bytes ${k} * +`);
  const one = (k: number): string => `
    from i32.load:${4 * k} ->number
    number size number size < select 2 << tables + ${table(k)} ->place
    place place i32.load 1 + i32.store`;
  textFunction(module, "counts", "from count size tables bytes all", "left number place", `tables 0 all memory.fill ${inGroups(4, one)} 0`);
  const add = (k: number): string => `to to i32.load from ${table(k)} i32.load + i32.store`;
  textFunction(
    module,
    "add",
    "to from size bytes",
    "",
    `loop
      ${add(0)}
      bytes if ${Array.from({ length: kTables - 1 }, (_, k) => add(k + 1)).join(" ")} end
      to+=4
      from+=4
      size+=-1
    size while
    0`,
  );
}
