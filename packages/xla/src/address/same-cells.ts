/**
 * Tests whether a reshape or a transpose leaves every element in the same cell: exact versions of XLA's bitcast
 * predicates, for plain, padded and tiled layouts.
 */
import type { Addressing } from "./addressing.ts";
import type { Level } from "./mixed-radix-cells.ts";
import { kMaxCompared, sameCells } from "./mixed-radix-cells.ts";

/**
 * Returns true if the elements at equal row-major positions are in equal cells. Both arrays must have the same number of
 * elements. If tiles combine dimensions, elements are compared one by one; then more than kMaxCompared elements give
 * false.
 */
export function reshapeSharesCells(a: Addressing, b: Addressing): boolean {
  if (a.elements === 0) return true;
  const [levelsA, levelsB] = [rowMajorLevels(a), rowMajorLevels(b)];
  if (levelsA !== null && levelsB !== null) return sameCells(levelsA, levelsB, a.elements);
  const [indexA, indexB] = [new Array<number>(a.dimensions.length).fill(0), new Array<number>(b.dimensions.length).fill(0)];
  if (a.elements > kMaxCompared) return false;
  for (let position = 0; position < a.elements; position++) {
    if (a.cellOf(indexA) !== b.cellOf(indexB)) return false;
    bump(indexA, a.dimensions);
    bump(indexB, b.dimensions);
  }
  return true;
}

/**
 * Returns true if the element of `b` at every index I is in the same cell as the element of `a` whose index has I[i] at
 * position `mapping[i]`. Corresponding dimensions must have the same size. If tiles combine dimensions, elements are
 * compared one by one, as in reshapeSharesCells.
 */
export function transposeSharesCells(a: Addressing, b: Addressing, mapping: readonly number[]): boolean {
  if (a.elements === 0) return true;
  const pairs = mapping.map((d, i) => [a.levels(d), b.levels(i), b.dimensions[i]!] as const);
  if (pairs.every(([x, y]) => x !== null && y !== null)) return pairs.every(([x, y, size]) => sameCells(x!, y!, size));
  if (a.elements > kMaxCompared) return false;
  const index = new Array<number>(mapping.length).fill(0);
  const source = index.slice();
  for (let position = 0; position < b.elements; position++) {
    mapping.forEach((d, i) => (source[d] = index[i]!));
    if (a.cellOf(source) !== b.cellOf(index)) return false;
    bump(index, b.dimensions);
  }
  return true;
}

/** Returns the levels by which a row-major position gives the cell; null if tiles combine dimensions. */
export function rowMajorLevels(addressing: Addressing): Level[] | null {
  const { dimensions } = addressing;
  const all: Level[] = [];
  let unit = 1;
  for (let d = dimensions.length - 1; d >= 0; d--) {
    const size = dimensions[d]!;
    if (size > 1) {
      const levels = addressing.levels(d);
      if (levels === null) return null;
      for (const level of levels) if (level.unit < size) all.push({ unit: level.unit * unit, stride: level.stride });
    }
    unit *= size;
  }
  return all;
}

/** Advances an index to the next in row-major order; after the last one, to the first. */
function bump(index: number[], dimensions: readonly number[]): void {
  for (let d = dimensions.length - 1; d >= 0; d--) {
    index[d]! += 1;
    if (index[d]! < dimensions[d]!) return;
    index[d] = 0;
  }
}
