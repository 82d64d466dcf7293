/**
 * contract: multiplies matrices in blocks (Eigen's TensorContraction by GEBP).
 *
 *     for each block of columns of B, for each block of k:    pack B
 *       for each block of rows of A:                          pack A, multiply, store or add in C
 *
 * Operands have any strides: packing takes them in. Rows of the target are dense. Blocks that are not whole are multiplied into scratch
 * memory and then copied. Every element is summed in the same order wherever it is in the matrix and however the matrix is divided into
 * blocks of rows and columns.
 */
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { noteRun } from "../form/kernel-events.ts";
import { blockColumns, blockDepth, blockRows } from "./block-shape.ts";
import type { GebpKernel, Packing } from "./gebp-kernel.ts";

/** A matrix in the linear memory: the address of its first element, and the strides in bytes. */
export interface MatrixPlaces {
  readonly start: number;
  readonly rowStride: number;
  readonly columnStride: number;
}

/** A product of a matrix of `rows` x `inner` with one of `inner` x `columns`. The target's elements of a row are adjacent. */
export interface Product {
  readonly rows: number;
  readonly inner: number;
  readonly columns: number;
}

/** Scratch memory for one product: packed blocks, and partial blocks of C. */
interface BlockMemory {
  readonly left: number;
  readonly right: number;
  readonly part: number;
}

/** Computes products of one size. Takes its scratch memory when made; `release` gives it back. */
export class Contraction {
  readonly #kernel: GebpKernel;
  readonly #product: Product;
  readonly #depth: number;
  readonly #rows: number;
  readonly #columns: number;
  readonly #memory: BlockMemory;
  readonly #mark: ReturnType<typeof scratchMark> = scratchMark();

  /** Throws RESOURCE_EXHAUSTED if the linear memory has no room for the blocks. No size may be 0. */
  constructor(kernel: GebpKernel, product: Product) {
    const { shape } = kernel;
    this.#kernel = kernel;
    this.#product = product;
    this.#depth = blockDepth(product.inner);
    this.#rows = blockRows(shape, this.#depth, product.rows);
    this.#columns = blockColumns(shape, this.#depth, product.columns);
    const depthBytes = this.#depth * shape.itemBytes;
    this.#memory = {
      left: takeScratch(this.#rows * depthBytes),
      right: takeScratch(this.#columns * depthBytes),
      part: takeScratch(Math.max(this.#rows * shape.columns, this.#columns * shape.rows) * shape.itemBytes),
    };
  }

  /** Multiplies `a` by `b` into `c`, which must not overlap them. */
  run(a: MatrixPlaces, b: MatrixPlaces, c: MatrixPlaces): void {
    const { rows, inner, columns } = this.#product;
    noteRun();
    for (let column = 0; column < columns; column += this.#columns) {
      const numColumns = Math.min(this.#columns, columns - column);
      for (let k = 0; k < inner; k += this.#depth) {
        const depth = Math.min(this.#depth, inner - k);
        this.#packRight(part(b, k, column), numColumns, depth);
        for (let row = 0; row < rows; row += this.#rows) {
          const numRows = Math.min(this.#rows, rows - row);
          this.#packLeft(part(a, row, k), numRows, depth);
          this.#block(part(c, row, column), numRows, numColumns, depth, k > 0);
        }
      }
    }
  }

  /** Releases the scratch memory. */
  release(): void {
    releaseScratch(this.#mark);
  }

  #packLeft({ start, rowStride, columnStride }: MatrixPlaces, rows: number, depth: number): void {
    const { packLeft, shape } = this.#kernel;
    pack(packLeft, { start, to: this.#memory.left, count: rows, depth, lineStride: rowStride, kStride: columnStride }, shape.rows, shape);
  }

  #packRight({ start, rowStride, columnStride }: MatrixPlaces, columns: number, depth: number): void {
    const { packRight, shape } = this.#kernel;
    const lines = { start, to: this.#memory.right, count: columns, depth, lineStride: columnStride, kStride: rowStride };
    pack(packRight, lines, shape.columns, shape);
  }

  /** Multiplies the packed blocks into a block of C: whole panels directly, the right and the lower edge through scratch memory. */
  #block({ start, rowStride }: MatrixPlaces, rows: number, columns: number, depth: number, adds: boolean): void {
    const { shape, store, add, copyPart, addPart } = this.#kernel;
    const { left, right, part: edge } = this.#memory;
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

/** Returns the part of a matrix from a row and a column on. */
function part({ start, rowStride, columnStride }: MatrixPlaces, row: number, column: number): MatrixPlaces {
  return { start: start + row * rowStride + column * columnStride, rowStride, columnStride };
}

/** Lines to be packed: rows of A or columns of B. */
interface Lines {
  readonly start: number;
  readonly to: number;
  readonly count: number;
  readonly depth: number;
  readonly lineStride: number;
  readonly kStride: number;
}

/** Packs lines into panels: whole panels by the function that suits the strides, a last partial panel element by element. */
function pack({ along, across, any }: Packing, lines: Lines, perPanel: number, { itemBytes }: { readonly itemBytes: number }): void {
  const { start, to, count, depth, lineStride, kStride } = lines;
  const panels = Math.floor(count / perPanel);
  const panelBytes = perPanel * depth * itemBytes;
  const whole = lineStride === itemBytes ? along : kStride === itemBytes ? across : null;
  if (whole !== null && panels > 0) whole(start, to, panels, depth, lineStride, kStride);
  const rest = whole === null ? 0 : panels;
  for (let panel = rest; panel * perPanel < count; panel++) {
    const first = panel * perPanel;
    any(start + first * lineStride, to + panel * panelBytes, Math.min(perPanel, count - first), depth, lineStride, kStride);
  }
}
