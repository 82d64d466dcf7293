/**
 * blended-rows: linear interpolation along one axis, or along two as in resizing an image (tensorflow/core/kernels/image/resize_bilinear_op.cc).
 *
 *     gather(x, low) + (gather(x, high) - gather(x, low)) * share       one pass over x; nothing is gathered
 *     the same of such a result, along the axis before                  each row of the inner result is computed when it is first needed,
 *                                                                       or none, where few rows of the result need the same
 */
import { linearMemory } from "@onebuffer/wasm";
import { checkedRow } from "@onebuffer/evaluator/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { product } from "@onebuffer/storage/internal";
import { blendFunctions, kBlendSlack, noteRun, takeScratch, withScratch } from "@onebuffer/kernels/internal";
import type { Access, BilinearRows, BlendFunctions, BlendRows } from "@onebuffer/kernels/internal";
import { blendOf, innerBlend } from "../plan/interpolations.ts";
import type { Blend } from "../plan/interpolations.ts";
import type { RowsStep, WholeStep } from "./whole-step.ts";

/** Rows of the image for one of the result. From two on, two rows of the result need no common row, so that to keep rows is of no use. */
const kRowsOfOne = 2;

/** The addresses of the tables of both axes: the two indices and the share of each row of the result, and of each column. */
type PlaneTables = [low: number, high: number, share: number, lowColumn: number, highColumn: number, columnShare: number];

/** Returns the step of an interpolation of float32, with the one inside it if nothing else reads that; null for other trees. */
export function blendedRows(tree: ExpressionTree, usesOf: (node: ExpressionTree) => number): RowsStep | null {
  const blend = blendOf(tree);
  if (blend === null) return null;
  const below = innerBlend(blend);
  const inner = below !== null && usesOf(below.tree) === 2 ? below : null;
  const operands = [(inner ?? blend).operand, ...blend.tables, ...(inner?.tables ?? [])];
  return { operands, rows: new BlendedRows(blend, inner) };
}

/** The sizes of an operand that an axis divides: those before it, its own, the bytes of the elements behind it, and its size in the result. */
interface BlendSizes {
  readonly outer: number;
  readonly size: number;
  readonly bytes: number;
  readonly count: number;
}

function sizesOf({ tree, operand: { dimensions }, axis }: Blend): BlendSizes {
  const behind = product(dimensions.slice(axis + 1));
  return { outer: product(dimensions.slice(0, axis)), size: dimensions[axis]!, bytes: behind * 4, count: tree.dimensions[axis]! };
}

/**
 * Interpolates dense elements. The accesses are those of the result, the operand and the three tables; with an inner interpolation the
 * operand is that one's, and its tables follow. `run` returns false if the engine refuses the kernel or the operand ends at the end of the
 * memory, and throws INVALID_ARGUMENT if an index is outside its axis.
 */
class BlendedRows implements WholeStep {
  readonly #outer: BlendSizes;
  readonly #inner: BlendSizes | null;

  constructor(blend: Blend, inner: Blend | null) {
    this.#outer = sizesOf(blend);
    this.#inner = inner === null ? null : sizesOf(inner);
  }

  run([to, from, ...tables]: readonly Access[]): boolean {
    const functions = blendFunctions();
    if (functions === null || to === undefined || from === undefined) return false;
    const [own, below] = [this.#outer, this.#inner];
    const { outer, size, bytes } = below ?? own;
    if (from.start + outer * size * bytes + kBlendSlack > linearMemory().buffer.byteLength) return false;
    const addresses = tables.map(({ start }) => start);
    [own, below].forEach((sizes, level) => {
      for (const table of sizes === null ? [] : addresses.slice(3 * level, 3 * level + 2))
        checkRows("gather", rowsAt(table, sizes!.count), sizes!.size);
    });
    noteRun();
    if (below === null) {
      const [low, high, share] = addresses as [number, number, number];
      for (let n = 0; n < outer; n++) {
        functions.rows(from.start + n * size * bytes, low, high, share, to.start + n * own.count * bytes, own.count, bytes);
      }
      return true;
    }
    this.#along(functions, to.start, from.start, addresses as PlaneTables, below);
    return true;
  }

  /** Interpolates along two axes, in the way that reads and writes less. */
  #along({ rows, bilinear }: BlendFunctions, to: number, from: number, tables: PlaneTables, below: BlendSizes): void {
    const { size, count } = this.#outer;
    if (size >= kRowsOfOne * count) this.#atOnce(bilinear, to, from, tables, below);
    else this.#both(rows, to, from, tables, below);
  }

  /** Interpolates along two axes at once: each row of the result from two rows of the operand. */
  #atOnce(bilinear: BilinearRows, to: number, from: number, tables: PlaneTables, below: BlendSizes): void {
    const { outer, size, count, bytes } = this.#outer;
    const source = below.size * below.bytes;
    for (let n = 0; n < outer; n++) {
      bilinear(from + n * size * source, ...tables, to + n * count * bytes, count, source, below.count, below.bytes);
    }
  }

  /** Interpolates along two axes, row by row of the result. Two rows of the inner result are kept. */
  #both(rows: BlendRows, to: number, from: number, tables: PlaneTables, below: BlendSizes): void {
    const { outer, size, count, bytes } = this.#outer;
    const [low, high, share, innerLow, innerHigh, innerShare] = tables;
    const [lows, highs] = [rowsAt(low, count), rowsAt(high, count)];
    withScratch(() => {
      const memory = takeScratch(2 * bytes);
      const places = takeScratch(8);
      const pair = rowsAt(places, 2);
      const kept = [-1, -1];
      // Returns the place of a row of the inner result, which is computed unless it is kept; the row `other` stays.
      const rowAt = (n: number, row: number, other: number): number => {
        let slot = kept.indexOf(row);
        if (slot < 0) {
          slot = kept[0] === other ? 1 : 0;
          kept[slot] = row;
          const source = from + (n * size + row) * below.size * below.bytes;
          rows(source, innerLow, innerHigh, innerShare, memory + slot * bytes, below.count, below.bytes);
        }
        return slot;
      };
      for (let n = 0; n < outer; n++) {
        kept.fill(-1);
        for (let i = 0; i < count; i++) {
          pair[0] = rowAt(n, lows[i]!, highs[i]!);
          pair[1] = rowAt(n, highs[i]!, lows[i]!);
          rows(memory, places, places + 4, share + 4 * i, to + (n * count + i) * bytes, 1, bytes);
        }
      }
    });
  }
}

/** Returns the numbers of rows at an address. */
export const rowsAt = (address: number, count: number): Int32Array => new Int32Array(linearMemory().buffer, address, count);

/** Throws INVALID_ARGUMENT, with the name of an operation, unless all rows are below `size`. */
export function checkRows(op: "gather" | "scatter", rows: Int32Array, size: number): void {
  for (let j = 0; j < rows.length; j++) if (!(rows[j]! >= 0 && rows[j]! < size)) checkedRow(op, rows[j]!, j, size);
}
