/**
 * cholesky-kernel: the Cholesky factor in blocks (LAPACK's potrf), over the kernel of matrix products.
 *
 *     | U11 U12 |   a block of columns is copied as the rows of a transposed panel: U11 is factored, U12 = U11^-H A12
 *     |     A22 |   stored back as L; the lower triangle of A22 -= L21 L21^H, in blocks of columns
 */
import { takeScratch } from "@onebuffer/compiler/internal";
import { blockProduct } from "./block-product.ts";
import type { BlockProduct } from "./block-product.ts";
import type { DenseKernels } from "./dense-kernels.ts";
import type { KernelDType } from "./lane-words.ts";
import { paddedRow, triangleSolver } from "./triangle-kernel.ts";
import type { TriangleSolver } from "./triangle-kernel.ts";

/** The columns of a panel, and those of a block of A22. */
const kPanel = 32;
const kUpdate = 128;

/** A block of A22: its first column, counted from that of A22, and the product that is subtracted. */
interface Update {
  readonly column: number;
  readonly product: BlockProduct;
}

/** One panel: its first column, its columns, the bytes of its rows, and what computes U12 and A22. */
interface Panel {
  readonly first: number;
  readonly width: number;
  readonly row: number;
  readonly solveRight: TriangleSolver | null;
  readonly updates: readonly Update[];
}

/**
 * Factors the matrix at an address in place: L is on and below the diagonal, and above it what was there or zeros. Returns the first pivot that
 * is not positive, where the factorization ends, or -1.
 */
export type CholeskyFactorizer = (a: number) => number;

/** Returns the function that factors matrices of n rows; null if the engine refuses a kernel. */
export function choleskyFactorizer(dtype: KernelDType, kernels: DenseKernels, n: number): CholeskyFactorizer | null {
  const { size } = kernels.words;
  const rowBytes = n * size;
  const panels: Panel[] = [];
  for (let first = 0; first < n; first += kPanel) {
    const panel = panelOf(dtype, kernels, { n, first });
    if (panel === null) return null;
    panels.push(panel);
  }
  const { transpose, cholesky, negate, clear } = kernels;
  return (a) => {
    const panelBytes = Math.min(kPanel, n) * paddedRow(n, size);
    const scratch = takeScratch(2 * panelBytes);
    for (const { first, width, row, solveRight, updates } of panels) {
      const rows = n - first;
      const corner = a + first * (rowBytes + size);
      transpose!(corner, rowBytes, scratch, row, rows, width);
      const found = cholesky!(scratch, width, row);
      if (found >= 0) return first + found;
      const rest = scratch + width * size;
      solveRight?.(scratch, rest);
      transpose!(scratch, row, corner, rowBytes, width, rows);
      if (updates.length > 0) negate!(scratch, scratch + panelBytes, (width * row) / 16);
      for (const { column, product } of updates) {
        const at = column * size;
        product(rest + at, rest + panelBytes + at, corner + width * (rowBytes + size) + column * (rowBytes + size));
      }
    }
    clear!(a, n);
    return -1;
  };
}

function panelOf(dtype: KernelDType, kernels: DenseKernels, { n, first }: { readonly n: number; readonly first: number }): Panel | null {
  const { size } = kernels.words;
  const width = Math.min(kPanel, n - first);
  const row = paddedRow(n - first, size);
  const rest = n - first - width;
  if (rest === 0) return { first, width, row, solveRight: null, updates: [] };
  const triangle = { lower: false, adjoint: true, isUnit: false };
  const solveRight = triangleSolver(dtype, kernels, { n: width, columns: rest, rowT: row, rowB: row }, triangle);
  const updates: Update[] = [];
  for (let column = 0; column < rest; column += kUpdate) {
    const columns = Math.min(kUpdate, rest - column);
    const sizes = { rows: rest - column, inner: width, columns, rowA: size, innerA: row, innerB: row, rowC: n * size };
    const product = blockProduct(dtype, sizes);
    if (product === null) return null;
    updates.push({ column, product });
  }
  return solveRight === null ? null : { first, width, row, solveRight, updates };
}
