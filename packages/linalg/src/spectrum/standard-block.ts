/**
 * standard-block: blocks of 2 x 2 of a Schur form (LAPACK's lanv2). One with real eigenvalues becomes triangular, one with a conjugate pair gets
 * equal elements on the diagonal.
 *
 *     | a b |     a + i sqrt(-b c)
 *     | c a |     a - i sqrt(-b c), b and c have different signs
 */
import { raiseOf } from "./plane-rotation.ts";

/** A rotation, and the block that it makes. */
interface Standard {
  readonly c: number;
  readonly s: number;
  readonly block: readonly [a: number, b: number, c: number, d: number];
}

/** Makes the block in rows k and k + 1 of h standard, and multiplies h and the columns of z by the rotation. */
export function standardize(n: number, h: Float64Array, z: Float64Array, k: number): void {
  const at = k * n + k;
  const { c, s, block } = standardOf(h[at]!, h[at + 1]!, h[at + n]!, h[at + n + 1]!);
  for (let j = k + 2; j < n; j++) rotatePair(h, k * n + j, (k + 1) * n + j, c, s);
  for (let i = 0; i < k; i++) rotatePair(h, i * n + k, i * n + k + 1, c, s);
  for (let at = k; at < z.length; at += n) rotatePair(z, at, at + 1, c, s);
  [h[at], h[at + 1], h[at + n], h[at + n + 1]] = block;
}

function rotatePair(list: Float64Array, x: number, y: number, c: number, s: number): void {
  const [p, q] = [list[x]!, list[y]!];
  list[x] = c * p + s * q;
  list[y] = c * q - s * p;
}

const signOf = (x: number): number => (x < 0 || Object.is(x, -0) ? -1 : 1);

function standardOf(a: number, b: number, c: number, d: number): Standard {
  if (c === 0) return { c: 1, s: 0, block: [a, b, c, d] };
  if (b === 0) return { c: 0, s: 1, block: [d, -c, 0, a] };
  if (a === d && signOf(b) !== signOf(c)) return { c: 1, s: 0, block: [a, b, c, d] };
  const half = (a - d) / 2;
  const [most, least] = [Math.max(Math.abs(b), Math.abs(c)), Math.min(Math.abs(b), Math.abs(c)) * signOf(b) * signOf(c)];
  const scale = Math.max(Math.abs(half), most);
  const square = (half / scale) * half + (most / scale) * least;
  if (square >= 4 * Number.EPSILON) {
    const root = half + signOf(half) * Math.sqrt(scale) * Math.sqrt(square);
    const size = Math.hypot(c, root);
    return { c: root / size, s: c / size, block: [d + root, b - c, 0, d - (most / root) * least] };
  }
  return equalDiagonal(a, b, c, d);
}

/** For a pair, or real eigenvalues that are nearly equal: makes the elements on the diagonal equal, and the block triangular if they are real. */
function equalDiagonal(a: number, b: number, c: number, d: number): Standard {
  const raise = raiseOf(Math.max(Math.abs(b + c), Math.abs(a - d)));
  const [sum, difference] = [(b + c) * raise, (a - d) * raise];
  const size = Math.hypot(sum, difference);
  const cs = Math.sqrt((1 + Math.abs(sum) / size) / 2);
  const sn = -(difference / 2 / (size * cs)) * signOf(sum);
  const [aa, bb, cc, dd] = [a * cs + b * sn, -a * sn + b * cs, c * cs + d * sn, -c * sn + d * cs];
  const [top, low] = [bb * cs + dd * sn, -aa * sn + cc * cs];
  const mean = (aa * cs + cc * sn + (-bb * sn + dd * cs)) / 2;
  if (low === 0) return { c: cs, s: sn, block: [mean, top, 0, mean] };
  if (top === 0) return { c: -sn, s: cs, block: [mean, -low, 0, mean] };
  if (signOf(top) !== signOf(low)) return { c: cs, s: sn, block: [mean, top, low, mean] };
  const [p, q] = [Math.sqrt(Math.abs(top)), Math.sqrt(Math.abs(low))];
  const root = signOf(low) * p * q;
  const factor = 1 / Math.sqrt(Math.abs(top + low));
  const [cs1, sn1] = [p * factor, q * factor];
  return { c: cs * cs1 - sn * sn1, s: cs * sn1 + sn * cs1, block: [mean + root, top - low, 0, mean - root] };
}
