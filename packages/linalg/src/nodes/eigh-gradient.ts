/**
 * eigh-gradient: the gradient of eigenvalues and vectors of Hermitian matrices, which depend on the lower triangle only.
 *
 *     V (diag(de) + F * (V^H dV)) V^H,  F[i, j] = 1 / (e[j] - e[i])        folded into the lower triangle
 */
import { sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { adjointOf, bandOf, identity, multiplied } from "./matrix-nodes.ts";
import { columnOf, inverseOrZero, rowOf } from "./scaled-matrices.ts";

/** Returns the gradient of the matrices. Without a gradient of the vectors, `e` is not read. */
export function eighGradient(v: GradientValue, e: GradientValue | null, de: GradientValue, dv: GradientValue | null): GradientValue {
  const n = sizesOf(v).at(-1)!;
  let inner = identity(v.dtype, n).mul(rowOf(de));
  if (e !== null && dv !== null) inner = inner.add(inverseOrZero(rowOf(e).sub(columnOf(e))).mul(multiplied(v, dv, true)));
  const whole = multiplied(multiplied(v, inner), v, false, true);
  const both = bandOf(whole.add(adjointOf(whole)), -Infinity, 0);
  return both.sub(bandOf(both, 0, 0).mul(0.5));
}
