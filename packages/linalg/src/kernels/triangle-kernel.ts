/**
 * triangle-kernel: solutions of T X = B in place of B, in blocks.
 *
 *     | T11     |  X1 = T11 \ B1      a few vectors of each row in registers
 *     | T21 T22 |  B2 -= T21 X1       by the kernel of matrix products; then the same for T22
 *
 * One right-hand side is solved by dot products along the rows of T, or along its columns if those are the rows in memory.
 */
import { takeScratch } from "@onebuffer/kernels/internal";
import type { Triangle } from "../reference/triangle-reference.ts";
import { blockProduct } from "./block-product.ts";
import type { BlockProduct } from "./block-product.ts";
import type { DenseKernels } from "./dense-kernels.ts";
import type { KernelDType } from "../dense/lane-words.ts";

/** The rows of a block, and the fewest right-hand sides for which blocks pay. */
const kBlock = 32;
const kLeastColumns = 8;

/** Solves with the triangle at `t` in place of the right-hand sides at `b`. */
export type TriangleSolver = (t: number, b: number) => void;

/** The sizes of a system, and the bytes from one row to the next of the triangle and of the right-hand sides. */
export interface TriangleSizes {
  readonly n: number;
  readonly columns: number;
  readonly rowT: number;
  readonly rowB: number;
}

/** One block: its first row, its rows, and what it leaves of the other rows. */
interface Block {
  readonly first: number;
  readonly rows: number;
  readonly rest: number;
  readonly product: BlockProduct | null;
}

/** Returns the function that solves systems of some sizes; null if the engine refuses a kernel. */
export function triangleSolver(
  dtype: KernelDType,
  kernels: DenseKernels,
  { n, columns, rowT, rowB }: TriangleSizes,
  { lower, adjoint, isUnit }: Triangle,
): TriangleSolver | null {
  const { size } = kernels.words;
  const isForward = lower !== adjoint;
  const unit = isUnit ? 1 : 0;
  if (columns === 1 && rowB === size) {
    const solve = kernels[adjoint ? "byColumns" : "byRows"]!;
    return (t, b) => solve(t, rowT, b, n, isForward ? 0 : 1, unit);
  }
  const [stepI, stepJ] = adjoint ? [size, rowT] : [rowT, size];
  const width = columns < kLeastColumns ? n : kBlock;
  const blocks: Block[] = [];
  for (let done = 0; done < n; done += width) {
    const rows = Math.min(width, n - done);
    const rest = n - done - rows;
    const sizes = { rows: rest, inner: rows, columns, rowA: stepI, innerA: stepJ, innerB: rowB, rowC: rowB };
    const product = rest === 0 ? null : blockProduct(dtype, { ...sizes, innerB: paddedRow(columns, size) });
    if (rest > 0 && product === null) return null;
    blocks.push({ first: isForward ? done : rest, rows, rest, product });
  }
  const sign = isForward ? 1 : -1;
  const scratchBytes = blocks.length === 1 ? 0 : width * paddedRow(columns, size);
  return (t, b) => {
    const negated = scratchBytes === 0 ? 0 : takeScratch(scratchBytes);
    for (const { first, rows, rest, product } of blocks) {
      const last = isForward ? 0 : rows - 1;
      const corner = t + first * (stepI + stepJ);
      const at = b + first * rowB;
      strips(kernels, [corner + last * (stepI + stepJ), sign * stepI, sign * stepJ, at + last * rowB, sign * rowB, rows], columns, unit);
      if (product === null) continue;
      const row = paddedRow(columns, size);
      kernels["negate"]!(at, rowB, negated, row, rows, columns * size);
      const from = isForward ? first + rows : 0;
      product(t + from * stepI + first * stepJ, negated, b + (isForward ? from : first - rest) * rowB);
    }
  };
}

/** The bytes of a row that ends in whole vectors. */
export const paddedRow = (elements: number, size: number): number => Math.ceil((elements * size) / 16) * 16;

/** Rows that are multiples of so many bytes apart share few places of a cache: so many more are between them. */
const [kSharedPlaces, kApart] = [512, 64];

/** The bytes from one row to the next of a matrix in scratch memory whose columns are read as well. */
export function distantRow(elements: number, size: number): number {
  const bytes = elements * size;
  return bytes % kSharedPlaces === 0 ? bytes + kApart : bytes;
}

/** Solves a block for all columns: strips of four vectors, of one, and the last elements. */
function strips(kernels: DenseKernels, triangle: readonly number[], columns: number, unit: number): void {
  const { size, lanes } = kernels.words;
  const [t, stepI, stepJ, b, rowB, n] = triangle as [number, number, number, number, number, number];
  let done = 0;
  for (const [name, width] of [
    ["forward4", 4 * lanes],
    ["forward1", lanes],
    ["forward0", 1],
  ] as const) {
    const count = Math.floor((columns - done) / width);
    if (count > 0) kernels[name]!(t, stepI, stepJ, b + done * size, rowB, n, count, unit);
    done += count * width;
  }
}
