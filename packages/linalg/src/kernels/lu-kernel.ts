/**
 * lu-kernel: LU with partial pivoting in blocks (LAPACK's getrf), over the panel and the kernel of matrix products.
 *
 *     | panel | U12 |   the panel is copied, factored and stored; rows are exchanged on both sides
 *     |       | A22 |   -U12 by the panel's unit triangle, in scratch memory; A22 += L21 -U12
 */
import { linearMemory } from "@onebuffer/wasm";
import { takeScratch } from "@onebuffer/kernels/internal";
import { blockProduct } from "./block-product.ts";
import type { BlockProduct } from "./block-product.ts";
import type { DenseKernels } from "./dense-kernels.ts";
import type { KernelDType } from "../dense/lane-words.ts";
import { distantRow, paddedRow, triangleSolver } from "./triangle-kernel.ts";
import type { TriangleSolver } from "./triangle-kernel.ts";

/** Matrices of so many rows are one panel. */
const kOnePanel = 64;
/** The columns of the panels of larger ones. */
const kPanel = 32;

/** One panel: its first column, its columns, the bytes of the rows of -U12, and what computes the part to its right. */
interface Panel {
  readonly first: number;
  readonly width: number;
  readonly row: number;
  readonly solveRight: TriangleSolver | null;
  readonly product: BlockProduct | null;
}

/**
 * Factors the matrix at an address in place. Returns the first pivot that is 0 or NaN, or -1; without `keep` the factorization ends there,
 * with that pivot on the diagonal. The places of the pivots are stored as int32 at `pivots` (orderOf).
 */
export type LuFactorizer = (a: number, pivots: number, keep: boolean) => number;

/** Returns the function that factors matrices of n rows; null if the engine refuses a kernel. */
export function luFactorizer(dtype: KernelDType, kernels: DenseKernels, n: number): LuFactorizer | null {
  const { size } = kernels.words;
  const width = panelWidth(n);
  const rowBytes = n * size;
  const panelRow = paddedRow(Math.ceil(width / 4) * 4, size);
  const panels: Panel[] = [];
  for (let first = 0; first < n; first += width) {
    const panelWidth = Math.min(width, n - first);
    const rest = n - first - panelWidth;
    if (rest === 0) {
      panels.push({ first, width: panelWidth, row: 0, solveRight: null, product: null });
      continue;
    }
    const row = distantRow(paddedRow(rest, size) / size, size);
    const unit = { lower: true, adjoint: false, isUnit: true };
    const solveRight = triangleSolver(dtype, kernels, { n: panelWidth, columns: rest, rowT: panelRow, rowB: row }, unit);
    const product = blockProduct(dtype, {
      rows: rest,
      inner: panelWidth,
      columns: rest,
      rowA: panelRow,
      innerA: size,
      innerB: row,
      rowC: rowBytes,
    });
    if (solveRight === null || product === null) return null;
    panels.push({ first, width: panelWidth, row, solveRight, product });
  }
  const { copy, panel: factorPanel, permute, negate } = kernels;
  return (a, pivots, keep) => {
    const scratch = takeScratch(n * panelRow);
    const upper = takeScratch(width * panels[0]!.row);
    let bad = -1;
    for (const { first, width: columns, row, solveRight, product } of panels) {
      const rows = n - first;
      const corner = a + first * (rowBytes + size);
      copy!(corner, rowBytes, scratch, panelRow, rows, columns * size);
      const found = factorPanel!(scratch, rows, columns, panelRow, pivots + 4 * first, keep ? 1 : 0);
      if (found >= 0 && bad < 0) bad = first + found;
      copy!(scratch, panelRow, corner, rowBytes, rows, columns * size);
      if (found >= 0 && !keep) return bad;
      if (first > 0) permute!(a + first * rowBytes, rowBytes, first * size, pivots + 4 * first, columns);
      if (solveRight === null) break;
      const [right, rightBytes] = [corner + columns * size, (rows - columns) * size];
      permute!(right, rowBytes, rightBytes, pivots + 4 * first, columns);
      negate!(right, rowBytes, upper, row, columns, rightBytes);
      solveRight(scratch, upper);
      product!(scratch + columns * panelRow, upper, right + columns * rowBytes);
      negate!(upper, row, right, rowBytes, columns, rightBytes);
    }
    return bad;
  };
}

/** The panels' own numbers of rows count from their first row: returns for each row of L U its row in the matrix, and the permutation's sign. */
export function orderOf(pivots: number, n: number): { readonly order: Int32Array; readonly sign: number } {
  const places = new Int32Array(linearMemory().buffer, pivots, n);
  const width = panelWidth(n);
  const order = new Int32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  let sign = 1;
  for (let j = 0; j < n; j++) {
    const from = places[j]! + j - (j % width);
    if (from === j) continue;
    sign = -sign;
    [order[j], order[from]] = [order[from]!, order[j]!];
  }
  return { order, sign };
}

/** The columns of a panel of matrices of n rows. */
const panelWidth = (n: number): number => (n <= kOnePanel ? n : kPanel);
