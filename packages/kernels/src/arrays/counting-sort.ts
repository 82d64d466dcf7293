/**
 * counting-sort: sorts rows of integers of 8 or 16 bits by counting each value, as WebAssembly. Equal integers have the same bits, so the
 * result is made of the counts alone.
 *
 *     row      5 3 5 5      counts   3: 1, 5: 3      result   3 5 5 5
 */
import type { DType } from "@onebuffer/base";
import { dtypeSize } from "@onebuffer/base";
import { isInteger } from "@onebuffer/expression/internal";
import { arrayKernel, inGroups, integerAccess, textFunction } from "../calls/array-kernel.ts";
import type { RowOrder } from "./sort-kernel.ts";

/** For dtypes of 1 and 2 bytes: the least width for which counting is faster than sorting by digits. All counts are read for each row. */
const kLeastWidths: Readonly<Record<number, number>> = { 1: 512, 2: 1 << 15 };
/**
 * The number of tables: the first, second, third and fourth byte of each four are counted in tables of their own, because equal neighbors
 * would wait for each other's count (a million equal bytes: 2.6 ms in one table, 0.5 in four). Four tables of 65,536 counts are slower
 * than one: they do not fit into the second-level cache.
 */
const tablesOf = (item: number): number => (item === 1 ? 4 : 1);

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
  const kernel = arrayKernel(`counting sort ${dtype}`, (module) => {
    const locals = "left count slot number value next stop values:v128";
    textFunction(module, "rows", "from to rows width kept flip scratch", locals, rowsText(dtypeSize(dtype), !dtype.startsWith("u")));
  });
  if (kernel === null) return false;
  kernel["rows"]!(from, to, order.rows, order.width, order.kept, order.descending ? -1 : 0, scratch);
  return true;
}

/** Returns the function that sorts rows. Its scratch memory has the tables and a sorted row, with room for a vector behind it. */
function rowsText(item: number, isSigned: boolean): string {
  const [size, bytes, tables] = [2 ** (8 * item), tableBytes(item), tablesOf(item)];
  const [, load] = integerAccess(item, "u");
  const one = (k: number): string => `
    from ${load}:${k * item} 2 << scratch + ->slot
    slot slot i32.load:${(k % tables) * bytes} 1 + i32.store:${(k % tables) * bytes}`;
  const counts = Array.from({ length: tables }, (_, k) => `slot i32.load:${k * bytes} ${k > 0 ? "+" : ""}`).join(" ");
  // The n-th value of the order has the bits n, with the sign inverted if there is one, all inverted if the order is descending.
  // The last vector of equal values may reach beyond their end: the next value is stored over it.
  return `
    flip ${size - 1} & ${isSigned ? size / 2 : 0} ^ ->flip
    loop
      scratch 0 ${tables * bytes} memory.fill
      width ->count
      ${inGroups(item, one)}
      scratch ${tables * bytes} + ->next
      0 ->number
      loop
        number flip ^ ->value
        value 2 << scratch + ->slot
        ${counts} ->left
        left if
          value i${8 * item}x${16 / item}.splat ->values
          next left ${item} * + ->stop
          loop
            next values v128.store
            next+=16
          next stop < while
          stop ->next
        end
        number+=1
      number ${size} < while
      kept ${item} * ->count
      to scratch ${tables * bytes} + count memory.copy
      to+=count
      rows+=-1
    rows while
    0`;
}
