/**
 * few-rows: products with few rows of A and a large B, which is then read once, where it is.
 *
 *     for each block of columns of B                so many that a few rows of B stay in the first-level cache
 *       for each block of k:                        pack A, unless its elements of one k are adjacent and the next ones near
 *         for every few rows of B                   read from end to end
 *           for each panel of A                     continue its sums in scratch memory
 *         store the sums in C, or add them to C
 *
 * Packing a large B takes as long as multiplying it by eight rows. The order in which an element is summed is that of all products: blocks of
 * k are summed by themselves (contract.ts).
 */
import type { GebpKernel, PanelKernel } from "./gebp-kernel.ts";
import type { Panels } from "./panels.ts";

/** Products with at most so many rows are computed here. Each element of a packed B would be read by no more than a few panels of A. */
export const kFewRows = 16;
/** The bytes of B that are read at a time, and the rows of a wide B. */
const kBlockBytes = 16 * 1024;
const kLeastRows = 8;
/** Keeps the rows of sums in scratch memory from being a power of two of bytes apart, which few places of a cache are for. */
const kSpareBytes = 64;

/** Returns how many whole columns of B one block has. */
export const fewRowsColumns = (itemBytes: number, columns: number): number => Math.min(columns, kBlockBytes / (kLeastRows * itemBytes));

/** Returns the bytes of the sums of so many rows and columns. */
export const fewRowsBytes = (rows: number, columns: number, itemBytes: number): number => rows * (columns * itemBytes + kSpareBytes);

/** Panels of A of one height: their first row, and how many rows of them are in A. */
export interface FewPanels {
  readonly kernel: PanelKernel;
  readonly panels: Panels;
  readonly row: number;
  readonly rows: number;
}

/** A product of few rows: A, B, C and their strides in bytes; columns from the beginning of B and C on; the sizes of blocks. */
export interface FewRowsProduct {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  /** The bytes from one k to the next in A, if its elements of one k are adjacent; otherwise null. */
  readonly stepA: number | null;
  readonly rowB: number;
  readonly rowC: number;
  readonly columns: number;
  readonly inner: number;
  readonly depth: number;
  readonly adds: boolean;
}

/** Computes a product whose columns are whole panels. `leftBlock` and `sums` are the addresses of scratch memory. */
export function multiplyFewRows(
  { shape, copyPart, addPart }: GebpKernel,
  left: readonly FewPanels[],
  { a, b, c, stepA, rowB, rowC, columns, inner, depth, adds }: FewRowsProduct,
  leftBlock: number,
  sums: number,
): void {
  const { itemBytes, columns: perPanel } = shape;
  const most = fewRowsColumns(itemBytes, columns);
  for (let column = 0; column < columns; column += most) {
    const count = Math.min(most, columns - column);
    const sumsRow = count * itemBytes + kSpareBytes;
    const rowsAtOnce = Math.floor(kBlockBytes / (count * itemBytes));
    // What is read of A at a time stays in the first-level cache, too.
    const isNear = stepA !== null && Math.abs(stepA) * rowsAtOnce <= kBlockBytes;
    for (let k = 0; k < inner; k += depth) {
      const steps = Math.min(depth, inner - k);
      const copy = adds || k > 0 ? addPart : copyPart;
      for (const { kernel, panels, row, rows } of left) {
        const { height, onward } = kernel;
        // An incomplete panel would be read beyond A.
        const isDirect = isNear && rows % height === 0;
        if (!isDirect) panels.pack(a, row, rows, k, steps);
        for (let done = 0; done < steps; done += rowsAtOnce) {
          const some = Math.min(rowsAtOnce, steps - done);
          const from = b + (k + done) * rowB + column * itemBytes;
          for (let first = 0; first < rows; first += height) {
            const panel = isDirect
              ? a + (row + first) * itemBytes + (k + done) * stepA!
              : leftBlock + (first * steps + done * height) * itemBytes;
            onward!(
              panel,
              isDirect ? stepA! : height * itemBytes,
              from,
              rowB,
              perPanel * itemBytes,
              sums + first * sumsRow,
              sumsRow,
              1,
              count / perPanel,
              some,
              done === 0 ? 0 : 1,
            );
          }
        }
        copy(sums, sumsRow, c + row * rowC + column * itemBytes, rowC, rows, count);
      }
    }
  }
}
