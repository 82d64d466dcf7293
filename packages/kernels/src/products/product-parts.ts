/**
 * product-parts: divides products of matrices over threads, by rows and columns of the results and by products of a batch. The sums over k
 * are never divided, so every element is the same sum of blocks as on one thread (contract.ts).
 *
 *     C   | part 0 | part 1 |        each part packs its rows of A and its columns of B
 *         | part 2 | part 3 |
 */
import { noteRun } from "../calls/kernel-events.ts";
import type { LoopNest } from "../calls/loop-nest.ts";
import { withScratch } from "../calls/scratch.ts";
import { equalParts } from "../calls/equal-parts.ts";
import type { DividedLoops, WorkSplitter } from "../calls/work-splitter.ts";
import type { Product, ProductPart } from "./contract.ts";
import { recordingKernel } from "./gebp-kernel.ts";
import type { BlockProgram } from "./each-product.ts";
import { eachProduct } from "./each-product.ts";

/** Nanoseconds for a multiplication and an addition per byte of an element. */
const kByteNs = 0.012;
/** The most parts of a product per thread. More parts even out differences of speed, but each packs its operands again. */
const kPartsPerThread = 2;
/** Parts of fewer rows or columns than this spend too much time packing. */
const kLeastLines = 64;

/** Computes the products of a nest in parts. Returns false, with nothing done, if threads do not pay. */
export function runParts(splitter: WorkSplitter, program: BlockProgram, nest: LoopNest): boolean {
  const { contraction, batch } = program;
  const { product, kernel } = contraction;
  const products = nest.sizes.slice(0, batch).reduce((a, b) => a * b, 1);
  const work = products * product.rows * product.columns * product.inner * kernel.shape.itemBytes * kByteNs;
  if (!splitter.divides(kernel, work)) return false;
  const parts = splitter.parts(splitter.numThreads * kPartsPerThread);
  if (parts < 2) return false;
  const grid = gridOf(product, Math.ceil(parts / products), splitter.numThreads, kernel.shape);
  const perPart = Math.max(1, Math.floor((products * grid.length) / parts));
  return withScratch(() => {
    let count = 0;
    const recorded = recordingKernel(kernel, splitter);
    let current = contraction.by(recorded);
    eachProduct(program, nest, (a, b, c) => {
      for (const part of grid) {
        if (count++ % perPart === 0) {
          splitter.begin();
          current = contraction.by(recorded);
          current.takeFor(part);
        }
        current.runPart(a, b, c, part);
      }
    });
    noteRun();
    splitter.run(!contraction.adds, () => loopsOfParts(product, products, grid, perPart));
    return true;
  });
}

/** Returns the parts of one product, about `parts` of them: as many rows and columns of parts as make the packing cheapest. */
function gridOf(
  { rows, columns }: Product,
  parts: number,
  threads: number,
  shape: { readonly rows: number; readonly columns: number },
): readonly ProductPart[] {
  const isShort = Math.min(rows, columns) < 2 * kLeastLines * kPartsPerThread * threads;
  const wanted = isShort ? Math.min(parts, threads) : parts;
  let best = { across: 1, down: 1, cost: Infinity };
  for (let down = 1; down <= wanted; down++) {
    const across = Math.ceil(wanted / down);
    if (rows < down * shape.rows || columns < across * shape.columns) continue;
    const cost = rows * across + columns * down;
    if (cost < best.cost) best = { across, down, cost };
  }
  return equalParts(rows, shape.rows, best.down).flatMap(([row, endRow]) =>
    equalParts(columns, shape.columns, best.across).map(([column, endColumn]) => ({
      row,
      rows: endRow - row,
      column,
      columns: endColumn - column,
    })),
  );
}

/**
 * Returns the loops of divided products: those over rows and columns of the results, and over the products if there are several. Each part
 * is a part of one product, or several whole products.
 */
function loopsOfParts({ rows, columns }: Product, products: number, grid: readonly ProductPart[], perPart: number): DividedLoops {
  const parts = Array.from({ length: Math.ceil((products * grid.length) / perPart) }, (_, k) => {
    const first = k * perPart;
    const at = Math.floor(first / grid.length);
    const { row, rows: height, column, columns: width } = grid[first % grid.length]!;
    return { begin: [at, row, column], end: [Math.min(products, at + perPart), row + height, column + width] };
  });
  const sizes = [products, rows, columns];
  if (products > 1) return { by: "contraction", sizes, parts };
  return { by: "contraction", sizes: sizes.slice(1), parts: parts.map(({ begin, end }) => ({ begin: begin.slice(1), end: end.slice(1) })) };
}
