/**
 * contract: multiplies matrices in blocks (Eigen's TensorContraction by GEBP).
 *
 *     for each block of columns of B, for each block of k:    pack B
 *       for each block of rows of A:                          pack A, multiply, store or add in C
 *
 * Operands have any strides: packing takes them in (panels.ts). Rows of the target are dense. Blocks that are not whole are multiplied into
 * scratch memory and then copied. Small operands with adjacent elements are not packed (product-code.ts). Every element is summed in the
 * same order wherever it is in the matrix and however the matrix is divided into blocks of rows and columns.
 */
import { linearMemory } from "@onebuffer/wasm";
import { releaseScratch, scratchMark, takeScratch } from "../calls/scratch.ts";
import { noteRun } from "../calls/kernel-events.ts";
import { blockColumns, blockDepth, blockRows, rowsByHeight } from "./block-shape.ts";
import type { GebpKernel, PanelKernel } from "./gebp-kernel.ts";
import { fewRowsBytes, fewRowsColumns, kFewRows, multiplyFewRows } from "./few-rows.ts";
import { countOf, Panels, tablesAt } from "./panels.ts";
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

const padded = (count: number, unit: number): number => Math.ceil(count / unit) * unit;

/**
 * Rows of A are read where they are, in products of at most so many columns. Packing pays for more: each packed element is then read by more
 * than kDirectColumns / 8 panels of B.
 */
export const kDirectColumns = 256;
/** B is read where it is if it lies within so many bytes, which stay in the first-level cache. */
export const kDirectBytes: number = 32 * 1024;

/** Blocks begin at multiples of this many bytes. */
const kAlignment = 256;

/** Panels of A of one height. */
interface LeftPanels {
  readonly kernel: PanelKernel;
  readonly panels: Panels;
  /** The rows of one block. */
  readonly block: number;
}

/** The part of a product that is computed: rows from `row` on and columns from `column` on. */
export interface ProductPart {
  readonly row: number;
  readonly rows: number;
  readonly column: number;
  readonly columns: number;
}

/** Computes products of one size and of one pair of strides, as often as is needed. */
export class Contraction {
  readonly #kernel: GebpKernel;
  readonly #loops: ProductLoops;
  readonly #product: Product;
  readonly #rowStride: number;
  readonly #adds: boolean;
  readonly #depth: number;
  readonly #columns: number;
  /** One per height of panels. */
  readonly #left: readonly LeftPanels[];
  readonly #right: Panels;
  /** The bytes from one row of A to the next, and from one row of B to the next, if they are read where they are; otherwise null. */
  readonly #directA: number | null;
  readonly #directB: number | null;
  /** The bytes from one row of B to the next if A has few rows and whole panels of B are read where they are; otherwise null. */
  readonly #fewRows: number | null;
  /** The bytes from one k to the next in A if few rows of A are read where they are; otherwise null. */
  readonly #fewSteps: number | null;
  /** True if nothing is packed, and no block is partial. */
  readonly #isInPlace: boolean;
  /** The most rows of a block. */
  readonly #rows: number;
  /** The addresses of the packed blocks, and of partial blocks of C. */
  #leftBlock: number = 0;
  #rightBlock: number = 0;
  #edge: number = 0;
  #mark: ReturnType<typeof scratchMark> = scratchMark();

  /** The products are added to their targets if `adds` is true. No size may be 0. */
  constructor(kernel: GebpKernel, loops: ProductLoops, adds: boolean = false) {
    const { rows, columns, innerA, innerB, rowStride } = loops;
    this.#loops = loops;
    const { shape, perElement } = kernel;
    const { itemBytes } = shape;
    const product = { rows: countOf(rows), inner: Math.ceil(countOf(innerA) / perElement), columns: countOf(columns) };
    this.#kernel = kernel;
    this.#product = product;
    this.#rowStride = rowStride;
    this.#adds = adds;
    this.#depth = blockDepth(product.inner);
    this.#columns = blockColumns(shape, this.#depth, product.columns);
    this.#right = new Panels(kernel, kernel.packRight, shape.columns, columns, innerB);
    const stride = perElement === 1 && isAlong(columns, itemBytes) ? strideOf(innerB) : null;
    const reach = product.columns * itemBytes + Math.abs(stride ?? 0) * product.inner;
    this.#directB = reach <= kDirectBytes ? stride : null;
    this.#fewRows = product.rows <= kFewRows && this.#directB === null ? stride : null;
    this.#fewSteps = this.#fewRows !== null && isAlong(rows, itemBytes) ? strideOf(innerA) : null;
    // Few rows are packed once, for the whole panels of B and for an incomplete one.
    const isDirect = this.#fewRows === null && product.columns <= kDirectColumns && perElement === 1;
    this.#directA = isDirect && isAlong(innerA, itemBytes) ? strideOf(rows) : null;
    const blockOf = (height: number): number =>
      this.#fewRows === null ? blockRows(itemBytes, height, this.#depth, product.rows, rowStride) : padded(product.rows, height);
    this.#left = kernel.left.map((left) => ({
      kernel: left,
      panels: new Panels(kernel, left.pack, left.height, rows, innerA),
      block: blockOf(left.height),
    }));
    this.#rows = Math.max(...this.#left.map(({ block }) => block));
    const isWhole =
      product.columns % shape.columns === 0 && rowsByHeight(shape, product.rows).every((count, h) => count % kernel.left[h]!.height === 0);
    this.#isInPlace = isWhole && this.#directA !== null && this.#directB !== null;
  }

  /** The sizes of a product, and the kernel that computes it. */
  get product(): Product {
    return this.#product;
  }

  /** The kernel that computes the products. */
  get kernel(): GebpKernel {
    return this.#kernel;
  }

  /** Returns the same products, computed by another kernel of the same shape. */
  by(kernel: GebpKernel): Contraction {
    return new Contraction(kernel, this.#loops, this.#adds);
  }

  /**
   * Takes scratch memory for one part, which keeps the tables of all its blocks: its calls may be made later, and until then tables must
   * not be written again. Throws RESOURCE_EXHAUSTED if the linear memory has no room for it.
   */
  takeFor(part: ProductPart): void {
    const block = Math.max(...this.#left.map((left) => Math.min(left.block, padded(part.rows, left.kernel.height))));
    const allColumns = padded(part.columns, this.#kernel.shape.columns);
    const starts = [allColumns];
    for (const { kernel } of this.#left) starts.push(starts.at(-1)! + padded(part.rows, kernel.height));
    const address = this.#takeBlocks(block, Math.min(this.#columns, allColumns), part.columns, starts.at(-1)! * 4);
    const tables = new Int32Array(linearMemory().buffer, address, starts.at(-1));
    this.#right.moveTo(this.#rightBlock, tables, 0, true);
    this.#left.forEach(({ panels }, h) => panels.moveTo(this.#leftBlock, tables, starts[h] as number, true));
  }

  /** True if the products are added to their targets. */
  get adds(): boolean {
    return this.#adds;
  }

  /** Takes scratch memory, for any number of products. Throws RESOURCE_EXHAUSTED if the linear memory has no room for it. */
  take(): void {
    this.#mark = scratchMark();
    if (this.#isInPlace) return;
    const tableLength = this.#columns + this.#rows * this.#left.length;
    const tables = tablesAt(this.#takeBlocks(this.#rows, this.#columns, this.#product.columns, tableLength * 4), tableLength);
    this.#right.moveTo(this.#rightBlock, tables, 0);
    for (let h = 0; h < this.#left.length; h++) this.#left[h]!.panels.moveTo(this.#leftBlock, tables, this.#columns + h * this.#rows);
  }

  /**
   * Takes the memory for packed blocks of so many rows and columns, for partial blocks of C, of a product of `allColumns`, and for tables, of
   * which it returns the address.
   */
  #takeBlocks(block: number, blockColumns: number, allColumns: number, tableBytes: number): number {
    const { rows, columns, itemBytes } = this.#kernel.shape;
    const few = this.#fewRows === null ? 0 : fewRowsBytes(block, fewRowsColumns(itemBytes, allColumns), itemBytes);
    const leftBytes = padded(block * this.#depth * itemBytes, kAlignment);
    const rightBytes = padded(blockColumns * this.#depth * itemBytes, kAlignment);
    const edgeBytes = padded(Math.max(block * columns * itemBytes, blockColumns * rows * itemBytes, few), kAlignment);
    this.#leftBlock = takeScratch(leftBytes + rightBytes + edgeBytes + tableBytes);
    this.#rightBlock = this.#leftBlock + leftBytes;
    this.#edge = this.#rightBlock + rightBytes;
    return this.#edge + edgeBytes;
  }

  /** Multiplies the matrix at `a` by the one at `b` into `c`, which must not overlap them. */
  run(a: number, b: number, c: number): void {
    noteRun();
    const { rows, columns } = this.#product;
    this.runPart(a, b, c, { row: 0, rows, column: 0, columns });
  }

  /** Computes a part of that product. */
  runPart(a: number, b: number, c: number, part: ProductPart): void {
    const { inner } = this.#product;
    const { itemBytes, columns: perPanel } = this.#kernel.shape;
    const heights = rowsByHeight(this.#kernel.shape, part.rows);
    const endColumn = part.column + part.columns;
    const whole = this.#fewRows === null ? 0 : part.columns - (part.columns % perPanel);
    if (whole > 0) this.#runFewRows(a, b, c, { ...part, columns: whole }, heights);
    for (let column = part.column + whole; column < endColumn; column += this.#columns) {
      const columns = Math.min(this.#columns, endColumn - column);
      for (let k = 0; k < inner; k += this.#depth) {
        const depth = Math.min(this.#depth, inner - k);
        const right = this.#packRight(b, column, columns, k, depth);
        let row = part.row;
        for (let h = 0; h < heights.length; h++) {
          const left = this.#left[h]!;
          for (const end = row + heights[h]!; row < end; ) {
            const rows = Math.min(left.block, end - row);
            const start = c + row * this.#rowStride + column * itemBytes;
            this.#block(
              left.kernel,
              this.#packLeft(left, a, row, rows, k, depth),
              rows,
              right,
              columns,
              start,
              depth,
              this.#adds || k > 0 ? 1 : 0,
            );
            row += rows;
          }
        }
      }
    }
  }

  /** Computes a part whose columns are whole panels of a product with few rows. */
  #runFewRows(a: number, b: number, c: number, { row, column, columns }: ProductPart, heights: readonly number[]): void {
    const { itemBytes } = this.#kernel.shape;
    let next = row;
    const left = heights.flatMap((rows, h) => {
      const { kernel, panels } = this.#left[h]!;
      next += rows;
      return rows === 0 ? [] : [{ kernel, panels, row: next - rows, rows }];
    });
    const product = {
      a,
      b: b + column * itemBytes,
      c: c + column * itemBytes,
      stepA: this.#fewSteps,
      rowB: this.#fewRows!,
      rowC: this.#rowStride,
      columns,
      inner: this.#product.inner,
      depth: this.#depth,
      adds: this.#adds,
    };
    multiplyFewRows(this.#kernel, left, product, this.#leftBlock, this.#edge);
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

  /**
   * Packs a block of A, or only its last panel if that is incomplete and the others are read where they are. Returns the address of the
   * first panel.
   */
  #packLeft({ kernel, panels }: LeftPanels, a: number, row: number, count: number, k: number, depth: number): number {
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
