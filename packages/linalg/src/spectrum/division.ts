/**
 * division: what divide and conquer does in the same way for eigenvalues and for singular values, once both halves are solved: poles that need
 * no root are left out, and vectors of the others are computed from the roots.
 *
 * Each column of a basis belongs to a pole. It has elements other than zero in the rows of the upper half, of both or of the lower half.
 */
import type { Arithmetic } from "../dense/arithmetic.ts";
import type { Matrix } from "../dense/matrix.ts";
import { copy, partOf, takeMatrix } from "../dense/matrix.ts";
import type { SecularEquation } from "./secular-equation.ts";
import type { Columns } from "./sorted-columns.ts";

/** The rows in which a column has elements other than zero: those of the upper half, of both, of the lower half. */
export type Half = 0 | 1 | 2;

/** Which poles remain, in ascending order; which are values as they are; and the halves of all columns. */
export interface Deflated {
  readonly kept: readonly number[];
  readonly left: readonly number[];
  readonly halves: readonly Half[];
}

/** Poles and their weights, which are overwritten where poles are joined. */
export interface Poles {
  readonly d: Float64Array;
  readonly z: Float64Array;
  /** The halves of the columns before. */
  readonly halves: readonly Half[];
  /** A pole that remains in any case and is the least one; -1 if there is none. */
  readonly pinned: number;
}

/**
 * Finds the poles that need no root: those of a weight of at most `least`, and one of two whose rotation, which makes one weight 0, changes
 * no element by more than `tolerance`. The columns of the bases are rotated.
 */
export function deflate(
  by: Arithmetic,
  { d, z, halves: before, pinned }: Poles,
  least: number,
  tolerance: number,
  bases: readonly Columns[],
): Deflated {
  const halves = [...before];
  const kept: number[] = pinned < 0 ? [] : [pinned];
  const left: number[] = [];
  let last = -1;
  for (const j of Array.from(d, (_, k) => k).sort((a, b) => d[a]! - d[b]!)) {
    if (j === pinned) continue;
    if (Math.abs(z[j]!) <= least) {
      left.push(j);
      continue;
    }
    if (last >= 0) {
      const size = Math.hypot(z[j]!, z[last]!);
      const [c, s] = [z[j]! / size, -z[last]! / size];
      if (Math.abs((d[j]! - d[last]!) * c * s) <= tolerance) {
        [z[j], z[last]] = [size, 0];
        if (halves[j] !== halves[last]) halves[j] = 1;
        for (const { rows, columns } of bases) by.rotate(rows, columns.at + last * columns.ld, columns.at + j * columns.ld, c, s);
        const [p, q] = [d[last]!, d[j]!];
        d[last] = p * c * c + q * s * s;
        d[j] = p * s * s + q * c * c;
        left.push(last);
      } else kept.push(last);
    }
    last = j;
  }
  if (last >= 0) kept.push(last);
  return { kept, left, halves };
}

/**
 * Returns the weights for which the computed roots are exact, with the signs of the given ones. Column j of `differences` has pole i minus
 * root j.
 */
export function exactWeights(
  { memory }: Arithmetic,
  { count, x, w }: SecularEquation,
  weights: Float64Array,
  differences: Matrix,
): Float64Array {
  const products = new Float64Array(count).fill(-1);
  for (let j = 0; j < count; j++) {
    const [at, pole, factor] = [differences.at + j * differences.ld, x[j]!, w[j]!];
    for (let i = 0; i < count; i++) {
      const ratio = i === j ? 1 : (x[i]! - pole) * (w[i]! + factor);
      products[i]! *= memory[at + i]! / ratio;
    }
  }
  return products.map((each, i) => Math.sign(weights[i]!) * Math.sqrt(each));
}

/** Returns the places of the kept poles, those of columns of the upper half first, then those of both, then those of the lower half. */
export function inHalves({ kept, halves }: Deflated): number[] {
  return kept.map((_, k) => k).sort((a, b) => halves[kept[a]!]! - halves[kept[b]!]!);
}

/** The rows of a basis that belong to one half. */
export interface HalfRows {
  readonly half: 0 | 2;
  readonly row: number;
  readonly rows: number;
}

/**
 * Multiplies the rows of one half of the kept columns of a basis by coefficients, whose rows are in the order of `inHalves`, and adds the
 * result to the first columns of a matrix.
 */
export function addKept(
  by: Arithmetic,
  deflated: Deflated,
  { half, row, rows }: HalfRows,
  basis: Matrix,
  coefficients: Matrix,
  to: Matrix,
): void {
  const mark = by.mark();
  const count = deflated.kept.length;
  const columns = inHalves(deflated).map((k) => deflated.kept[k]!);
  const first = half === 0 ? 0 : columns.filter((j) => deflated.halves[j] === 0).length;
  const used = columns.filter((j) => deflated.halves[j] !== 2 - half);
  const packed = takeMatrix(by, rows, used.length, false);
  used.forEach((j, k) => copy(by, rows, 1, partOf(basis, row, j), partOf(packed, 0, k)));
  const left = { at: packed.at, row: 1, column: packed.ld };
  const right = { at: coefficients.at + first, row: 1, column: coefficients.ld };
  by.product(rows, count, used.length, left, right, to.at + row, to.ld);
  by.release(mark);
}
