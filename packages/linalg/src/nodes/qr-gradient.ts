/**
 * qr-gradient: the gradient of a QR decomposition of matrices with independent columns, or rows.
 *
 *     (dQ + Q H) R^-H        H is the Hermitian matrix with the upper triangle of dR R^H - Q^H dQ
 *
 * Of a wide matrix [X Y] with R = [U V], X has Q U, and Y is Q V: dY is Q dV, and Y dV^H is added to dQ.
 */
import { UnimplementedError } from "@onebuffer/base";
import { partAlong, joined, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { adjointOf, bandOf, multiplied } from "./matrix-nodes.ts";
import { triangularNode } from "./triangular-node.ts";

/** Returns the gradient of the matrices, of the parts and their gradients. Throws UNIMPLEMENTED for a square Q of a tall matrix. */
export function qrGradient(matrix: GradientValue, [q, r]: readonly GradientValue[], [dq, dr]: readonly GradientValue[]): GradientValue {
  const axis = sizesOf(matrix).length - 1;
  const [m, n] = sizesOf(matrix).slice(-2) as [number, number];
  if (sizesOf(q!).at(-1)! > n) throw new UnimplementedError("qr: the gradient of { fullMatrices: true } for more rows than columns");
  if (m >= n) return tallGradient(q!, r!, dq!, dr!);
  const [y, u, v] = [partAlong(matrix, axis, m, n), partAlong(r!, axis, 0, m), partAlong(dr!, axis, m, n)];
  const first = tallGradient(q!, u, dq!.add(multiplied(y, v, false, true)), partAlong(dr!, axis, 0, m));
  return joined([first, multiplied(q!, v)], axis);
}

function tallGradient(q: GradientValue, r: GradientValue, dq: GradientValue, dr: GradientValue): GradientValue {
  const upper = bandOf(multiplied(dr, r, false, true).sub(multiplied(q, dq, true)), 0, Infinity);
  const diagonal = bandOf(upper, 0, 0);
  const hermitian = upper.add(adjointOf(upper)).sub(diagonal.add(adjointOf(diagonal)).mul(0.5));
  const right = dq.add(multiplied(q, hermitian));
  return adjointOf(triangularNode(r, adjointOf(right), { lower: false, adjoint: false, isUnit: false }));
}
