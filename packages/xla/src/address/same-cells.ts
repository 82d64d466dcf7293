/**
 * Whether a reshape or a transpose leaves every element in the cell where it was: the exact question behind XLA's
 * bitcast predicates, for dense, padded and tiled layouts alike.
 */
import type { Addressing } from "./addressing.ts";
import type { Level } from "./mixed-radix-cells.ts";
import { kMostCompared, sameCells } from "./mixed-radix-cells.ts";

/**
 * Whether the elements at equal row-major positions lie in equal cells. The arrays have equally many elements. Where
 * tiles combine dimensions, elements are compared one by one; beyond kMostCompared of them the answer is false.
 */
export function reshapeSharesCells(a: Addressing, b: Addressing): boolean {
  if (a.elements === 0) return true;
  const [levelsA, levelsB] = [rowMajorLevels(a), rowMajorLevels(b)];
  if (levelsA !== null && levelsB !== null) return sameCells(levelsA, levelsB, a.elements);
  const [indexA, indexB] = [new Array<number>(a.dimensions.length).fill(0), new Array<number>(b.dimensions.length).fill(0)];
  if (a.elements > kMostCompared) return false;
  for (let position = 0; position < a.elements; position++) {
    if (a.cellOf(indexA) !== b.cellOf(indexB)) return false;
    bump(indexA, a.dimensions);
    bump(indexB, b.dimensions);
  }
  return true;
}

/**
 * Whether element I of `b` lies in the cell of the element of `a` whose index `mapping[i]` is I[i]. The dimensions
 * correspond. Compared one by one as above where tiles combine dimensions.
 */
export function transposeSharesCells(a: Addressing, b: Addressing, mapping: readonly number[]): boolean {
  if (a.elements === 0) return true;
  const pairs = mapping.map((d, i) => [a.levels(d), b.levels(i), b.dimensions[i]!] as const);
  if (pairs.every(([x, y]) => x !== null && y !== null)) return pairs.every(([x, y, size]) => sameCells(x!, y!, size));
  if (a.elements > kMostCompared) return false;
  const index = new Array<number>(mapping.length).fill(0);
  const source = index.slice();
  for (let position = 0; position < b.elements; position++) {
    mapping.forEach((d, i) => (source[d] = index[i]!));
    if (a.cellOf(source) !== b.cellOf(index)) return false;
    bump(index, b.dimensions);
  }
  return true;
}

/** The cell as a sum over levels of the row-major position; null where tiles combine dimensions. */
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

/** The next index in row-major order; past the last one, the first. */
function bump(index: number[], dimensions: readonly number[]): void {
  for (let d = dimensions.length - 1; d >= 0; d--) {
    index[d]! += 1;
    if (index[d]! < dimensions[d]!) return;
    index[d] = 0;
  }
}
