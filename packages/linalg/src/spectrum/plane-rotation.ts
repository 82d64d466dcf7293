/**
 * plane-rotation: rotations that turn a vector of two numbers into one with a 0 (Givens; LAPACK's lartg). Elements are at most about 1, so that
 * their squares do not overflow, and those whose squares would underflow are multiplied by a power of two before.
 */

/** Numbers below this have squares with few digits, or none. */
const kTiny = 1e-140;
/** Makes the least number one whose square has all digits, and kTiny none whose square is infinite. */
const kRaise = 2 ** 600;

/** Returns the factor by which numbers of which `most` is the largest magnitude are multiplied before they are squared: a power of two. */
export const raiseOf = (most: number): number => (most < kTiny ? kRaise : 1);

/** Returns c, s and the length r of (x, y): c x + s y is r, and c y - s x is 0. The rotation of two zeros is none. */
export function planeRotation(x: number, y: number): readonly [c: number, s: number, r: number] {
  const raise = raiseOf(Math.max(Math.abs(x), Math.abs(y)));
  const [p, q] = [x * raise, y * raise];
  const size = Math.sqrt(p * p + q * q);
  return size === 0 ? [1, 0, 0] : [p / size, q / size, size / raise];
}
