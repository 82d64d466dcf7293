/**
 * counting-sort: sorts rows of integers of 8 or 16 bits by counting each value, as WebAssembly. Equal integers have the same bits, so the
 * result is made of the counts alone.
 *
 *     row      5 3 5 5      counts   3: 1, 5: 3      result   3 5 5 5
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import type { CodeWriter, WasmModule } from "@onebuffer/wasm/internal";
import { isInteger } from "../../expression/tree/dtype-groups.ts";
import { arrayFunction, arrayKernel } from "./array-kernel.ts";
import type { RowOrder } from "./sort-kernel.ts";

type Plain = Parameters<CodeWriter["op"]>[0];
type Access = Parameters<CodeWriter["memory"]>[0];

/** For dtypes of 1 and 2 bytes: the least width for which counting is faster than sorting by digits. All counts are read for each row. */
const kLeastWidths: Readonly<Record<number, number>> = { 1: 512, 2: 1 << 15 };
/** The elements that are counted in a step of the loop. */
const kUnrolled = 4;
/**
 * The number of tables: the first, second, third and fourth byte of each four are counted in tables of their own, because equal neighbors
 * would wait for each other's count (a million equal bytes: 2.6 ms in one table, 0.5 in four). Four tables of 65,536 counts are slower
 * than one: they do not fit into the second-level cache.
 */
const tablesOf = (item: number): number => (item === 1 ? kUnrolled : 1);

/** Returns true if counting is expected to be faster than sorting by digits. */
export function suitsCounting(dtype: DType, { width }: RowOrder): boolean {
  return isInteger(dtype) && width >= (kLeastWidths[dtypeSize(dtype)] ?? Number.POSITIVE_INFINITY);
}

/** Returns the bytes of scratch memory that `countedRows` needs. */
export function countingScratch(dtype: DType, { width }: RowOrder): number {
  const item = dtypeSize(dtype);
  return tablesOf(item) * tableBytes(item) + width * item + 16;
}

const tableBytes = (item: number): number => 4 << (8 * item);

/** Sorts rows at address `from`, which may be `to`. Returns false if the engine refuses the kernel. */
export function countedRows(dtype: DType, from: number, to: number, order: RowOrder, scratch: number): boolean {
  const kernel = arrayKernel(`counting sort ${dtype}`, (module) => writeRows(module, dtypeSize(dtype) as 1 | 2, !dtype.startsWith("u")));
  if (kernel === null) return false;
  kernel["rows"]!(from, to, order.rows, order.width, order.kept, order.descending ? -1 : 0, scratch);
  return true;
}

/** Writes the function that sorts rows. Its scratch memory has the table and a sorted row, with room for a vector behind it. */
function writeRows(module: WasmModule, item: 1 | 2, isSigned: boolean): void {
  const params = ["from", "to", "rows", "width", "kept", "flip", "scratch"] as const;
  const { target, at } = arrayFunction(module, "rows", params, ["left", "slot", "number", "value", "next", "end"]);
  const values = target.local("v128", "values");
  const code = target.body;
  const [size, bytes, tables] = [2 ** (8 * item), tableBytes(item), tablesOf(item)];
  const lanes = item === 1 ? "i8x16" : "i16x8";
  const countOne = (k: number): void => {
    code
      .get(at.from)
      .memory(`i32.load${8 * item}_u` as Access, k * item)
      .i32(2)
      .op("i32.shl")
      .get(at.scratch)
      .op("i32.add")
      .tee(at.slot);
    const table = (k % tables) * bytes;
    code.get(at.slot).memory("i32.load", table).i32(1).op("i32.add").memory("i32.store", table);
  };
  // The n-th value of the order has the bits n, with the sign inverted if there is one, all inverted if the order is descending.
  code
    .get(at.flip)
    .i32(size - 1)
    .op("i32.and")
    .i32(isSigned ? size / 2 : 0)
    .op("i32.xor")
    .set(at.flip);
  const nextRow = code.loop();
  code
    .get(at.scratch)
    .i32(0)
    .i32(tables * bytes)
    .op("memory.fill");
  code.get(at.width).i32(Math.log2(kUnrolled)).op("i32.shr_u").set(at.left);
  const nextGroup = code.loop();
  for (let k = 0; k < kUnrolled; k++) countOne(k);
  code.addTo(at.from, kUnrolled * item);
  code.countDown(at.left, nextGroup);
  code
    .get(at.width)
    .i32(kUnrolled - 1)
    .op("i32.and")
    .tee(at.left)
    .if();
  const nextOne = code.loop();
  countOne(0);
  code.addTo(at.from, item);
  code.countDown(at.left, nextOne);
  code.end();
  code
    .get(at.scratch)
    .i32(tables * bytes)
    .op("i32.add")
    .set(at.next)
    .i32(0)
    .set(at.number);
  const nextValue = code.loop();
  code.get(at.number).get(at.flip).op("i32.xor").tee(at.value).i32(2).op("i32.shl").get(at.scratch).op("i32.add").set(at.slot);
  for (let k = 0; k < tables; k++) {
    code.get(at.slot).memory("i32.load", k * bytes);
    if (k > 0) code.op("i32.add");
  }
  code.tee(at.left).if();
  code
    .get(at.value)
    .op(`${lanes}.splat` as Plain)
    .set(values);
  code.get(at.next).get(at.left).i32(item).op("i32.mul").op("i32.add").set(at.end);
  // The last vector may reach beyond the end: the next value is stored over it.
  const nextVector = code.loop();
  code.get(at.next).get(values).memory("v128.store").addTo(at.next, 16);
  code.get(at.next).get(at.end).op("i32.lt_u").brIf(nextVector).end();
  code.get(at.end).set(at.next).end();
  code.addTo(at.number, 1).get(at.number).i32(size).op("i32.lt_u").brIf(nextValue).end();
  code
    .get(at.to)
    .get(at.scratch)
    .i32(tables * bytes)
    .op("i32.add")
    .get(at.kept)
    .i32(item)
    .op("i32.mul")
    .op("memory.copy");
  code.get(at.to).get(at.kept).i32(item).op("i32.mul").op("i32.add").set(at.to);
  code.countDown(at.rows, nextRow);
  code.i32(0);
}
