/**
 * Cells as sums over the digits of a mixed-radix numeral system. In this form two layouts can be compared without visiting
 * the elements.
 *
 * The system's places have the units u0 = 1 < u1 < u2 < …. A position of 0..n-1 is written with as many of the largest
 * unit as fit, then of the next smaller one, and so on. Each place also has a stride; the cell is the sum of
 * digit * stride.
 *
 *     f32[2,3]{0,1}           units 1, 3   strides 2, 1     the positions 0 1 2 3 4 5 are in the cells 0 2 4 1 3 5
 *     f32[8]{0:T(4)(2,1)}     a tile by t splits a place of unit u: the remainder keeps unit u, the quotient has t * u
 *
 * A unit need not divide the next: in f32[3,5] tiled by 2, unit 5 comes after unit 2, because the last block is cut short.
 */

/** One place of the numeral system: its unit in positions, its stride in cells. */
export interface Level {
  readonly unit: number;
  readonly stride: number;
}

/**
 * The largest number of positions that are compared one by one: 2^22. Only irregular tilings need such a comparison: those
 * with units that do not divide each other, or with combined dimensions.
 */
export const kMaxCompared: number = 2 ** 22;

/**
 * Returns true if two systems give every position of 0..count-1 the same cell. Levels are in ascending order of their
 * units; a level whose unit is `count` or more is ignored. Returns false for an irregular pair with more than
 * kMaxCompared positions, even if the cells are the same.
 */
export function sameCells(a: readonly Level[], b: readonly Level[], count: number): boolean {
  let i = reached(a, count);
  let j = reached(b, count);
  let range = count;
  // Invariant: if the systems agree on positions below `range`, they agree on all. The largest unit is removed first.
  while (i > 0 || j > 0) {
    if (i === 0 || j === 0) return false;
    const topA = a[i - 1]!;
    const topB = b[j - 1]!;
    const [large, small] = topA.unit >= topB.unit ? [topA, topB] : [topB, topA];
    const ratio = large.unit / small.unit;
    if (!Number.isInteger(ratio)) return sameOneByOne(a, b, range);
    if (large.stride !== ratio * small.stride) return false;
    range = large.unit;
    if (topA.unit === range) i--;
    if (topB.unit === range) j--;
  }
  return true;
}

/** Returns the cell of a position. */
export function cellOfPosition(levels: readonly Level[], position: number): number {
  let cell = 0;
  let remaining = position;
  for (let i = levels.length - 1; i >= 0; i--) {
    const { unit, stride } = levels[i]!;
    const digit = Math.floor(remaining / unit);
    cell += digit * stride;
    remaining -= digit * unit;
  }
  return cell;
}

function reached(levels: readonly Level[], count: number): number {
  let n = levels.length;
  while (n > 0 && levels[n - 1]!.unit >= count) n--;
  return n;
}

function sameOneByOne(a: readonly Level[], b: readonly Level[], count: number): boolean {
  if (count > kMaxCompared) return false;
  for (let position = 0; position < count; position++) {
    if (cellOfPosition(a, position) !== cellOfPosition(b, position)) return false;
  }
  return true;
}
