/**
 * Cells as a sum over levels: the form in which two ways of addressing can be compared without visiting the elements.
 *
 * Count a range of positions 0..n-1 in a numeral system whose places have the units u0 = 1 < u1 < u2 < …, taking as many
 * of the largest unit as fit, then of the next; each place has a stride, and the cell is the sum of digit * stride.
 *
 *     f32[2,3]{0,1}           position   units 1, 3   strides 2, 1     0 2 4 1 3 5
 *     f32[8]{0:T(4)(2,1)}     a tile by t splits a place: its remainder keeps the unit, its quotient has t times it
 *
 * A unit need not divide the next: f32[3,5] has the unit 5 above the 2 of a tile, whose last block is cut short.
 */

/** One place of the numeral system. */
export interface Level {
  readonly unit: number;
  readonly stride: number;
}

/**
 * The most positions that are compared one by one. Only irregular tiles come to that: units that do not divide each
 * other, or combined dimensions.
 */
export const kMostCompared: number = 2 ** 22;

/**
 * Whether two systems give every position of 0..count-1 the same cell. Levels are ascending; those that `count` does
 * not reach are ignored. Beyond kMostCompared positions an irregular pair is answered with false.
 */
export function sameCells(a: readonly Level[], b: readonly Level[], count: number): boolean {
  let i = reached(a, count);
  let j = reached(b, count);
  let range = count;
  // Invariant: above `range` the two agree if they agree below it. The largest unit goes first.
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

/** The cell of a position. */
export function cellOfPosition(levels: readonly Level[], position: number): number {
  let cell = 0;
  let rest = position;
  for (let i = levels.length - 1; i >= 0; i--) {
    const { unit, stride } = levels[i]!;
    const digit = Math.floor(rest / unit);
    cell += digit * stride;
    rest -= digit * unit;
  }
  return cell;
}

function reached(levels: readonly Level[], count: number): number {
  let n = levels.length;
  while (n > 0 && levels[n - 1]!.unit >= count) n--;
  return n;
}

function sameOneByOne(a: readonly Level[], b: readonly Level[], count: number): boolean {
  if (count > kMostCompared) return false;
  for (let position = 0; position < count; position++) {
    if (cellOfPosition(a, position) !== cellOfPosition(b, position)) return false;
  }
  return true;
}
