/**
 * spread-rows: the gradient of a linear interpolation along one axis (tensorflow/core/kernels/image/resize_bilinear_op.cc, ResizeBilinearGrad):
 * each row goes back to the two rows that it was between.
 *
 *     scatter(0, low, g - g * share, add) + scatter(0, high, g * share, add)      one pass over g; nothing is stored but the result
 */
import type { ExpressionTree } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import { noteRun, spreadKernel, takeScratch, withScratch } from "@onebuffer/kernels/internal";
import type { Access } from "@onebuffer/kernels/internal";
import { spreadOf } from "../plan/interpolations.ts";
import type { Spread } from "../plan/interpolations.ts";
import { checkRows, rowsAt } from "./blended-rows.ts";
import type { RowsStep, WholeStep } from "./whole-step.ts";

/** Returns the step of the gradient of an interpolation of float32; null for other trees. */
export function spreadRows(tree: ExpressionTree): RowsStep | null {
  const spread = spreadOf(tree);
  return spread === null ? null : { operands: spread.operands, rows: new SpreadRows(spread) };
}

/**
 * Computes it for dense elements. The accesses are those of the result, and of the operands. `run` returns false if the engine refuses the
 * kernel, and throws INVALID_ARGUMENT if an index is outside the axis.
 */
class SpreadRows implements WholeStep {
  readonly #outer: number;
  /** The rows of the result along the axis, those of g, and the bytes of each. */
  readonly #size: number;
  readonly #count: number;
  readonly #bytes: number;

  constructor({ tree: { dimensions }, axis, operands: [g] }: Spread) {
    this.#outer = product(dimensions.slice(0, axis));
    this.#size = dimensions[axis]!;
    this.#count = g.dimensions[axis]!;
    this.#bytes = product(dimensions.slice(axis + 1)) * 4;
  }

  run([to, from, low, high, share]: readonly Access[]): boolean {
    const rows = spreadKernel();
    if (rows === null) return false;
    const [size, count, bytes] = [this.#size, this.#count, this.#bytes];
    const tables = [low!, high!].map(({ start }) => rowsAt(start, count));
    for (const table of tables) checkRows("scatter", table, size);
    noteRun();
    withScratch(() => {
      const shares = rowsAt(share!.start, count);
      const [first, second] = tables.map((table) => this.#entries(table, shares));
      for (let n = 0; n < this.#outer; n++) {
        rows(from!.start + n * count * bytes, first!, second!, to!.start + n * size * bytes, size, bytes);
      }
    });
    return true;
  }

  /** Writes the entries of each row of the result, in their order, and returns the address of the table of their addresses. */
  #entries(table: Int32Array, shares: Int32Array): number {
    const size = this.#size;
    const starts = takeScratch((size + 1) * 4);
    const entries = takeScratch(this.#count * 8);
    const [ends, list] = [rowsAt(starts, size + 1), rowsAt(entries, this.#count * 2)];
    ends.fill(0);
    for (const row of table) ends[row + 1]! += 8;
    ends[0] = entries;
    for (let row = 1; row <= size; row++) ends[row]! += ends[row - 1]!;
    const next = ends.slice(0, size);
    for (let j = 0; j < table.length; j++) {
      const at = (next[table[j]!]! - entries) / 4;
      list[at] = j * this.#bytes;
      // The bits of the share.
      list[at + 1] = shares[j]!;
      next[table[j]!]! += 8;
    }
    return starts;
  }
}
