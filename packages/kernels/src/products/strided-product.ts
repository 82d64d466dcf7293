/**
 * strided-product: a product of two matrices of float64 in the linear memory that is added to a third, for algorithms on matrices that call
 * the kernels of products themselves (BLAS's gemm with beta = 1). The target is stored by columns.
 *
 *     C += A B is computed as C' += B' A': the kernels have rows of adjacent elements in the target
 */
import { Contraction } from "./contract.ts";
import { gebpKernel } from "./gebp-kernel.ts";

/** A matrix at strides, in elements. */
interface StridedMatrix {
  readonly at: number;
  /** The distance from one row to the next. */
  readonly row: number;
  /** The distance from one column to the next. */
  readonly column: number;
}

const kBytes = 8;

/**
 * C += A B, for C of m rows and n columns of adjacent elements, `ld` elements apart. Places and distances are in elements. No size may be 0.
 * Returns false, with nothing done, if the engine refuses the kernel. Throws RESOURCE_EXHAUSTED if there is no scratch memory.
 */
export function addStridedProduct(m: number, n: number, k: number, a: StridedMatrix, b: StridedMatrix, c: number, ld: number): boolean {
  const kernel = gebpKernel("float64", null);
  if (kernel === null) return false;
  const loop = (size: number, stride: number) => ({ sizes: [size], strides: [stride * kBytes] });
  const loops = {
    rows: loop(n, b.column),
    columns: loop(m, a.row),
    innerA: loop(k, b.row),
    innerB: loop(k, a.column),
    rowStride: ld * kBytes,
  };
  const contraction = new Contraction(kernel, loops, true);
  try {
    contraction.take();
    contraction.run(b.at * kBytes, a.at * kBytes, c * kBytes);
  } finally {
    contraction.release();
  }
  return true;
}
