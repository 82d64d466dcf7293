/**
 * contract: multiplies matrices in blocks (Eigen's TensorContraction by GEBP).
 *
 *     for each block of columns of B, for each block of k:    pack B
 *       for each block of rows of A:                          pack A, multiply, store or add in C
 *
 * Operands have any strides: packing takes them in (panels.ts). Rows of the target are dense. Blocks that are not whole are multiplied into scratch
 * memory and then copied. Small operands with adjacent elements are not packed (product-code.ts). Every element is summed in the same order wherever it is in the matrix and however the matrix is divided into
 * blocks of rows and columns.
 */
import { releaseScratch, scratchMark, takeScratch } from "../plan/scratch.ts";
import { noteRun } from "../form/kernel-events.ts";
import { blockColumns, blockDepth, blockRows, rowsByHeight } from "./block-shape.ts";
import type { GebpKernel, PanelKernel } from "./gebp-kernel.ts";
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

/**
 * Rows of A are read where they are, in products of at most so many columns. Packing pays for more: each packed element is then read by more
 * than kDirectColumns / 8 panels of B.
 */
const kDirectColumns = 256;
/** B is read where it is if all of it takes at most so many bytes, which stay in the first-level cache. */
const kDirectBytes = 32 * 1024;

/** The rows of a product that are in panels of one height. */
interface RowPart {
  readonly kernel: PanelKernel;
  readonly first: number;
  readonly end: number;
  /** The rows of one block. */
  readonly block: number;
  readonly panels: Panels;
}

/** Computes products of one size and of one pair of strides, as often as is needed. */
export class Contraction {
  readonly #kernel: GebpKernel;
  readonly #product: Product;
  readonly #rowStride: number;
  readonly #depth: number;
  readonly #parts: readonly RowPart[];
  readonly #columns: number;
  readonly #right: Panels;
  /** The bytes from one row of A to the next, and from one row of B to the next, if they are read where they are; otherwise null. */
  readonly #directA: number | null;
  readonly #directB: number | null;
  /** The addresses of the packed blocks, and of partial blocks of C. */
  #leftBlock: number = 0;
  #rightBlock: number = 0;
  #edge: number = 0;
  #mark: ReturnType<typeof scratchMark> = scratchMark();

  /** No size may be 0. */
  constructor(kernel: GebpKernel, { rows, columns, innerA, innerB, rowStride }: ProductLoops) {
    const { shape } = kernel;
    const { itemBytes } = shape;
    const product = { rows: countOf(rows), inner: Math.ceil(countOf(innerA) / kernel.perElement), columns: countOf(columns) };
    this.#kernel = kernel;
    this.#product = product;
    this.#rowStride = rowStride;
    this.#depth = blockDepth(product.inner);
    this.#columns = blockColumns(shape, this.#depth, product.columns);
    this.#right = new Panels(kernel, kernel.packRight, shape.columns, columns, innerB);
    const isFew = product.columns <= kDirectColumns && kernel.perElement === 1;
    this.#directA = isFew && isAlong(innerA, itemBytes) ? strideOf(rows) : null;
    const isSmall = kernel.perElement === 1 && product.inner * product.columns * itemBytes <= kDirectBytes;
    const stride = isSmall && isAlong(columns, itemBytes) ? strideOf(innerB) : null;
    this.#directB = stride !== null && Math.abs(stride) * product.inner <= kDirectBytes ? stride : null;
    const parts: RowPart[] = [];
    let first = 0;
    rowsByHeight(shape, product.rows).forEach((count, h) => {
      const part = kernel.left[h]!;
      const end = first + count;
      const panels = new Panels(kernel, part.pack, part.height, rows, innerA);
      if (count > 0) parts.push({ kernel: part, first, end, block: blockRows(itemBytes, part.height, this.#depth, count), panels });
      first = end;
    });
    this.#parts = parts;
  }

  /** Takes scratch memory, for any number of products. Throws RESOURCE_EXHAUSTED if the linear memory has no room for it. */
  take(): void {
    this.#mark = scratchMark();
    const { columns, itemBytes } = this.#kernel.shape;
    const { inner, columns: all } = this.#product;
    const isWhole = this.#parts.every(({ kernel: { height }, first, end }) => (end - first) % height === 0);
    // Nothing is packed, and no block is partial.
    if (this.#directA !== null && this.#directB !== null && isWhole && all % columns === 0) return;
    const depthBytes = Math.min(this.#depth, inner) * itemBytes;
    const rows = Math.max(...this.#parts.map(({ block }) => block));
    this.#leftBlock = takeScratch(rows * depthBytes);
    this.#rightBlock = takeScratch(this.#columns * depthBytes);
    this.#edge = takeScratch(Math.max(rows * columns, this.#columns * (this.#kernel.shape.heights[0] as number)) * itemBytes);
    const tableLength = this.#columns + rows * this.#parts.length;
    const tables = tablesAt(takeScratch(tableLength * 4), tableLength);
    this.#right.moveTo(this.#rightBlock, tables, 0);
    this.#parts.forEach(({ panels }, p) => panels.moveTo(this.#leftBlock, tables, this.#columns + p * rows));
  }

  /** Multiplies the matrix at `a` by the one at `b` into `c`, which must not overlap them; adds the product to `c` if `adds` is true. */
  run(a: number, b: number, c: number, adds: boolean = false): void {
    const { inner, columns } = this.#product;
    const { shape } = this.#kernel;
    noteRun();
    for (let column = 0; column < columns; column += this.#columns) {
      const numColumns = Math.min(this.#columns, columns - column);
      for (let k = 0; k < inner; k += this.#depth) {
        const depth = Math.min(this.#depth, inner - k);
        const right = this.#packRight(b, column, numColumns, k, depth);
        for (const part of this.#parts) {
          for (let row = part.first; row < part.end; row += part.block) {
            const numRows = Math.min(part.block, part.end - row);
            const left = this.#packLeft(part, a, row, numRows, k, depth);
            const target = c + row * this.#rowStride + column * shape.itemBytes;
            this.#block(part.kernel, left, numRows, right, numColumns, target, depth, adds || k > 0 ? 1 : 0);
          }
        }
      }
    }
  }

  /** Gives the scratch memory back. */
  release(): void {
    releaseScratch(this.#mark);
  }

  /** Packs a block of B, or only its last panel if the others are read where they are. Returns the address of the first panel. */
  #packRight(b: number, column: number, count: number, k: number, depth: number): number {
    const { columns, itemBytes } = this.#kernel.shape;
    if (this.#directB === null) {
      this.#right.pack(b, column, count, k, depth);
      return this.#rightBlock;
    }
    const rest = count % columns;
    if (rest > 0) this.#right.pack(b, column + count - rest, rest, k, depth);
    return b + column * itemBytes + k * this.#directB;
  }

  /** Packs a block of A, or only its last panel if that is incomplete and the others are read where they are. Returns the address of the first panel. */
  #packLeft({ kernel, panels }: RowPart, a: number, row: number, count: number, k: number, depth: number): number {
    if (this.#directA === null) {
      panels.pack(a, row, count, k, depth);
      return this.#leftBlock;
    }
    const rest = count % kernel.height;
    if (rest > 0) panels.pack(a, row + count - rest, rest, k, depth);
    return a + row * this.#directA + k * this.#kernel.shape.itemBytes;
  }

  /** Multiplies blocks into a block of C: whole panels directly, the right and the lower edge through scratch memory. */
  #block(kernel: PanelKernel, left: number, rows: number, right: number, columns: number, start: number, depth: number, adds: 0 | 1): void {
    const { shape, copyPart, addPart } = this.#kernel;
    const { itemBytes, columns: perPanel } = shape;
    const { height, product } = kernel;
    const [directA, directB, edge, rowStride] = [this.#directA, this.#directB, this.#edge, this.#rowStride];
    const packedStep = perPanel * itemBytes;
    const [step, nextPanel] = directB === null ? [packedStep, packedStep * depth] : [directB, packedStep];
    const [leftPanels, rightPanels] = [Math.floor(rows / height), Math.floor(columns / perPanel)];
    const [wholeRows, wholeColumns] = [leftPanels * height, rightPanels * perPanel];
    const [restRows, restColumns] = [rows - wholeRows, columns - wholeColumns];
    const multiply = directA === null ? product : kernel.direct!;
    const aRow = directA ?? 0;
    const copy = adds === 1 ? addPart : copyPart;
    // The incomplete panels: behind the others, or alone in the packed blocks.
    const lastLeft = directA === null ? left + wholeRows * depth * itemBytes : this.#leftBlock;
    const lastRight = directB === null ? right + rightPanels * nextPanel : this.#rightBlock;
    if (leftPanels > 0 && rightPanels > 0)
      multiply(left, aRow, right, step, nextPanel, start, rowStride, leftPanels, rightPanels, depth, adds);
    if (restRows > 0 && rightPanels > 0) {
      const numBytes = wholeColumns * itemBytes;
      product(lastLeft, 0, right, step, nextPanel, edge, numBytes, 1, rightPanels, depth, 0);
      copy(edge, numBytes, start + wholeRows * rowStride, rowStride, restRows, wholeColumns);
    }
    if (restColumns > 0) {
      const to = edge + wholeRows * packedStep;
      if (leftPanels > 0) multiply(left, aRow, lastRight, packedStep, 0, edge, packedStep, leftPanels, 1, depth, 0);
      if (restRows > 0) product(lastLeft, 0, lastRight, packedStep, 0, to, packedStep, 1, 1, depth, 0);
      copy(edge, packedStep, start + wholeColumns * itemBytes, rowStride, rows, restColumns);
    }
  }
}

/** Returns true if loops are one loop over adjacent elements. */
const isAlong = ({ sizes, strides }: StridedLoops, itemBytes: number): boolean => sizes.length === 1 && strides[0] === itemBytes;

/** Returns the stride of a single loop; null if there are several. */
const strideOf = ({ sizes, strides }: StridedLoops): number | null => (sizes.length === 1 ? (strides[0] as number) : null);
