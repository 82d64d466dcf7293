/**
 * arithmetic: what the decompositions compute with. There are two: kernels over the linear memory, and plain JavaScript over an array of
 * its own, which is the reference and the fallback.
 *
 * Elements are float64 and named by their **place**, the index in `memory`. Matrices are stored by columns.
 */

/** How much memory was taken when the mark was made. */
export type Mark = readonly [taken: number, extra: number];

/** The arithmetic on columns of float64. No function reads elements of a matrix outside those that it names, and none throws. */
export interface Arithmetic {
  /** The elements by place. `take` may replace it. */
  readonly memory: Float64Array<ArrayBufferLike>;
  /** Returns the place of `count` elements, which are zero, valid until an earlier mark is released. Throws RESOURCE_EXHAUSTED. */
  take(count: number): number;
  /** Returns a mark for `release`. */
  mark(): Mark;
  /** Releases everything taken since the mark. */
  release(mark: Mark): void;
  /** Returns the sum of x[i] * y[i]. */
  dot(n: number, x: number, y: number): number;
  /** y += alpha x. */
  axpy(n: number, alpha: number, x: number, y: number): void;
  /** x' = c x + s y and y' = c y - s x. */
  rotate(n: number, x: number, y: number, c: number, s: number): void;
  /** y += alpha A x, for A of m rows and n columns. */
  times(m: number, n: number, alpha: number, a: number, ld: number, x: number, y: number): void;
  /** y += alpha A' x, for A of m rows and n columns. */
  transposed(m: number, n: number, alpha: number, a: number, ld: number, x: number, y: number): void;
  /** y += A x, for a symmetric A of which only the lower triangle is read. */
  symmetric(n: number, a: number, ld: number, x: number, y: number): void;
  /** A += alpha x y', for A of m rows and n columns. */
  rankOne(m: number, n: number, alpha: number, x: number, y: number, a: number, ld: number): void;
  /** Copies A of m rows and n columns to rows that begin `stride` elements apart. They overlap nothing of A. */
  toRows(m: number, n: number, a: number, ld: number, to: number, stride: number): void;
  /** C += A B, for C of m rows and n columns, A and B with k columns and rows. A strided operand may be a transposed matrix. */
  product(m: number, n: number, k: number, a: Strided, b: Strided, c: number, ld: number): void;
}

/** A matrix at any strides. */
export interface Strided {
  readonly at: number;
  /** The distance from one row to the next. */
  readonly row: number;
  /** The distance from one column to the next. */
  readonly column: number;
}
