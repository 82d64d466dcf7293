/**
 * contract: multiplies matrices in blocks (Eigen's TensorContraction by GEBP).
 *
 *     for each block of columns of B, for each block of k:    pack B
 *       for each block of rows of A:                          pack A, multiply, store or add in C
 *
 * Operands have any strides: packing takes them in (panels.ts). Rows of the target are dense. Blocks that are not whole are multiplied into scratch
 * memory and then copied. Every element is summed in the same order wherever it is in the matrix and however the matrix is divided into
 * blocks of rows and columns.
 */
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { noteRun } from "../form/kernel-events.ts";
import { blockColumns, blockDepth, blockRows } from "./block-shape.ts";
import type { GebpKernel } from "./gebp-kernel.ts";
import { Panels, tablesAt } from "./panels.ts";
import type { StridedLoops } from "./panels.ts";

/** A product of a matrix of `rows` x `inner` with one of `inner` x `columns`. */
export interface Product {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

/** The loops over rows, k and columns: for A over rows and k, for B over columns and k. The target's elements of a row are adjacent. */
export interface ProductLoops {
  readonly rows: StridedLoops;
  readonly columns: StridedLoops;
  readonly innerA: StridedLoops;
  readonly innerB: StridedLoops;
  /** The bytes from one row of the target to the next. */
  readonly rowStride: number;
}

const countOf = ({ sizes }: StridedLoops): number => sizes.reduce((a, b) => a * b, 1);

/** Computes products of one size and of one pair of strides, as often as is needed. */
export class Contraction {
  readonly #kernel: GebpKernel;
  readonly #product: Product;
  readonly #rowStride: number;
  readonly #depth: number;
  readonly #rows: number;
  readonly #columns: number;
  readonly #left: Panels;
  readonly #right: Panels;
  /** The addresses of the packed blocks, and of partial blocks of C. */
  #leftBlock: number = 0;
  #rightBlock: number = 0;
  #edge: number = 0;
  #mark: ReturnType<typeof scratchMark> = scratchMark();

  /** No size may be 0. */
  constructor(kernel: GebpKernel, { rows, columns, innerA, innerB, rowStride }: ProductLoops) {
    const { shape } = kernel;
    const product = { rows: countOf(rows), inner: Math.ceil(countOf(innerA) / kernel.perElement), columns: countOf(columns) };
    this.#kernel = kernel;
    this.#product = product;
    this.#rowStride = rowStride;
    this.#depth = blockDepth(product.inner);
    this.#rows = blockRows(shape, this.#depth, product.rows);
    this.#columns = blockColumns(shape, this.#depth, product.columns);
    this.#left = new Panels(kernel, kernel.packLeft, shape.rows, rows, innerA);
    this.#right = new Panels(kernel, kernel.packRight, shape.columns, columns, innerB);
  }

  /** Takes scratch memory, for any number of products. Throws RESOURCE_EXHAUSTED if the linear memory has no room for it. */
  take(): void {
    const { rows, columns, itemBytes } = this.#kernel.shape;
    const depthBytes = this.#depth * itemBytes;
    this.#mark = scratchMark();
    this.#leftBlock = takeScratch(this.#rows * depthBytes);
    this.#rightBlock = takeScratch(this.#columns * depthBytes);
    this.#edge = takeScratch(Math.max(this.#rows * columns, this.#columns * rows) * itemBytes);
    const tables = tablesAt(takeScratch((this.#rows + this.#columns) * 4), this.#rows + this.#columns);
    this.#left.moveTo(this.#leftBlock, tables, 0);
    this.#right.moveTo(this.#rightBlock, tables, this.#rows);
  }

  /** Multiplies the matrix at `a` by the one at `b` into `c`, which must not overlap them. */
  run(a: number, b: number, c: number): void {
    const { rows, inner, columns } = this.#product;
    const { itemBytes } = this.#kernel.shape;
    noteRun();
    for (let column = 0; column < columns; column += this.#columns) {
      const numColumns = Math.min(this.#columns, columns - column);
      for (let k = 0; k < inner; k += this.#depth) {
        const depth = Math.min(this.#depth, inner - k);
        this.#right.pack(b, column, numColumns, k, depth);
        for (let row = 0; row < rows; row += this.#rows) {
          const numRows = Math.min(this.#rows, rows - row);
          this.#left.pack(a, row, numRows, k, depth);
          this.#block(c + row * this.#rowStride + column * itemBytes, numRows, numColumns, depth, k > 0);
        }
      }
    }
  }

  /** Gives the scratch memory back. */
  release(): void {
    releaseScratch(this.#mark);
  }

  /** Multiplies the packed blocks into a block of C: whole panels directly, the right and the lower edge through scratch memory. */
  #block(start: number, rows: number, columns: number, depth: number, adds: boolean): void {
    const { shape, store, add, copyPart, addPart } = this.#kernel;
    const [left, right, edge, rowStride] = [this.#leftBlock, this.#rightBlock, this.#edge, this.#rowStride];
    const { itemBytes } = shape;
    const [leftPanels, rightPanels] = [Math.floor(rows / shape.rows), Math.floor(columns / shape.columns)];
    const [restRows, restColumns] = [rows - leftPanels * shape.rows, columns - rightPanels * shape.columns];
    const wholeColumns = rightPanels * shape.columns;
    const product = adds ? add : store;
    const copy = adds ? addPart : copyPart;
    if (leftPanels > 0 && rightPanels > 0) product(left, right, start, rowStride, leftPanels, rightPanels, depth);
    if (restRows > 0 && rightPanels > 0) {
      const panel = left + leftPanels * shape.rows * depth * itemBytes;
      store(panel, right, edge, wholeColumns * itemBytes, 1, rightPanels, depth);
      copy(edge, wholeColumns * itemBytes, start + leftPanels * shape.rows * rowStride, rowStride, restRows, wholeColumns);
    }
    if (restColumns > 0) {
      const panel = right + wholeColumns * depth * itemBytes;
      const numBytes = shape.columns * itemBytes;
      store(left, panel, edge, numBytes, leftPanels + (restRows > 0 ? 1 : 0), 1, depth);
      copy(edge, numBytes, start + wholeColumns * itemBytes, rowStride, rows, restColumns);
    }
  }
}
