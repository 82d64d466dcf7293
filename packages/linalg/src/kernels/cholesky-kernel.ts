/**
 * cholesky-kernel: the Cholesky factor in blocks of columns, each computed when all before it are (LAPACK's potrf, in the left-looking form),
 * over the kernel of matrix products.
 *
 *     | L11         |   a block of columns is A's minus L21 L11^H of the columns before it, by one long product
 *     | L21 | panel |   it is copied as the rows of a transposed panel: U is factored on the diagonal and solved with to the right
 */
import { takeScratch } from "@onebuffer/kernels/internal";
import { blockProduct } from "./block-product.ts";
import type { BlockProduct } from "./block-product.ts";
import type { DenseKernels } from "./dense-kernels.ts";
import type { KernelDType } from "../dense/lane-words.ts";
import { distantRow, paddedRow, triangleSolver } from "./triangle-kernel.ts";
import type { TriangleSolver } from "./triangle-kernel.ts";

/** The columns of a panel. Half as many are computed in vain above the diagonal. */
const kPanel = 32;

/** One panel: its first column, its columns, the bytes of its rows, and what subtracts the columns before it and solves below the diagonal. */
interface Panel {
  readonly first: number;
  readonly width: number;
  readonly row: number;
  readonly subtractBefore: BlockProduct | null;
  readonly solveRight: TriangleSolver | null;
}

/**
 * Factors the matrix at an address in place, whose rows are distantRow(n) bytes apart: L is on and below the diagonal, and above it what
 * was there or zeros. Returns the first pivot that is not positive, where the factorization ends, or -1.
 */
export type CholeskyFactorizer = (a: number) => number;

/** Returns the function that factors matrices of n rows; null if the engine refuses a kernel. */
export function choleskyFactorizer(dtype: KernelDType, kernels: DenseKernels, n: number): CholeskyFactorizer | null {
  const { size } = kernels.words;
  const rowBytes = distantRow(n, size);
  const panels: Panel[] = [];
  for (let first = 0; first < n; first += kPanel) {
    const panel = panelOf(dtype, kernels, { n, first });
    if (panel === null) return null;
    panels.push(panel);
  }
  const { transpose, cholesky, negate, clear } = kernels;
  return (a) => {
    const scratch = takeScratch(Math.min(kPanel, n) * distantRow(paddedRow(n, size) / size, size));
    const before = takeScratch(n * paddedRow(kPanel, size));
    for (const { first, width, row, subtractBefore, solveRight } of panels) {
      const rows = n - first;
      const rowsStart = a + first * rowBytes;
      const corner = rowsStart + first * size;
      if (subtractBefore !== null) {
        const beforeRow = paddedRow(width, size);
        transpose!(rowsStart, rowBytes, before, beforeRow, width, first);
        negate!(before, 0, before, 0, 1, first * beforeRow);
        subtractBefore(rowsStart, before, corner);
      }
      transpose!(corner, rowBytes, scratch, row, rows, width);
      const found = cholesky!(scratch, width, row);
      if (found >= 0) return first + found;
      solveRight?.(scratch, scratch + width * size);
      transpose!(scratch, row, corner, rowBytes, width, rows);
    }
    clear!(a, n, rowBytes);
    return -1;
  };
}

function panelOf(dtype: KernelDType, kernels: DenseKernels, { n, first }: { readonly n: number; readonly first: number }): Panel | null {
  const { size } = kernels.words;
  const width = Math.min(kPanel, n - first);
  const row = distantRow(paddedRow(n - first, size) / size, size);
  const rest = n - first - width;
  const panel = { first, width, row };
  const triangle = { lower: false, adjoint: true, isUnit: false };
  const solveRight = rest === 0 ? null : triangleSolver(dtype, kernels, { n: width, columns: rest, rowT: row, rowB: row }, triangle);
  const rowBytes = distantRow(n, size);
  const sizes = {
    rows: n - first,
    inner: first,
    columns: width,
    rowA: rowBytes,
    innerA: size,
    innerB: paddedRow(width, size),
    rowC: rowBytes,
  };
  const subtractBefore = first === 0 ? null : blockProduct(dtype, sizes);
  if ((rest > 0 && solveRight === null) || (first > 0 && subtractBefore === null)) return null;
  return { ...panel, subtractBefore, solveRight };
}
