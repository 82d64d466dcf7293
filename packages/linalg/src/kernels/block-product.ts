/** block-product: products of blocks that are added to another block, by the kernel of matrix products; divided over a pool's threads if it pays. */
import { Contraction, gebpKernel, runContraction } from "@onebuffer/kernels/internal";
import type { KernelDType } from "../dense/lane-words.ts";

/** The sizes of a product, and the bytes between neighbors in its operands; the elements of a row of B and of the target are adjacent. */
export interface BlockSizes {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
  readonly rowA: number;
  readonly innerA: number;
  readonly innerB: number;
  readonly rowC: number;
}

/** Adds the product of the matrices at a and b to the one at c. */
export type BlockProduct = (a: number, b: number, c: number) => void;

/** Returns the products of some sizes; null if the engine refuses the kernel. */
export function blockProduct(dtype: KernelDType, { rows, inner, columns, rowA, innerA, innerB, rowC }: BlockSizes): BlockProduct | null {
  const kernel = gebpKernel(dtype, null);
  if (kernel === null) return null;
  const size = kernel.sourceBytes;
  const loops = {
    rows: { sizes: [rows], strides: [rowA] },
    columns: { sizes: [columns], strides: [size] },
    innerA: { sizes: [inner], strides: [innerA] },
    innerB: { sizes: [inner], strides: [innerB] },
    rowStride: rowC,
  };
  const program = { batch: 0, contraction: new Contraction(kernel, loops, true) };
  const sizes = [rows, columns, inner];
  const access = (start: number, ...strides: readonly number[]): { start: number; itemBytes: number; strides: readonly number[] } => ({
    start,
    itemBytes: size,
    strides,
  });
  return (a, b, c) =>
    runContraction(program, { sizes, accesses: [access(c, rowC, size, 0), access(a, rowA, 0, innerA), access(b, 0, size, innerB)] });
}
