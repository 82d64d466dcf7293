/**
 * eig-gradient: the gradient of eigenvalues and vectors of square matrices, whose vectors have norm 1.
 *
 *     V^-H (diag(de) + F * (V^H dV - V^H V diag(re(V^H dV)))) V^H,  F[i, j] = 1 / conj(e[j] - e[i])
 *
 * Of real matrices it is the real part.
 */
import { conjugate, isComplexDType, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { luSolveNode } from "./lu-solve-node.ts";
import { luNode } from "./lu-node.ts";
import { adjointOf, bandOf, identity, multiplied } from "./matrix-nodes.ts";
import { columnOf, inverseOrZero, rowOf } from "./scaled-matrices.ts";

/** Returns the gradient of the matrices. */
export function eigGradient(
  matrix: GradientValue,
  e: GradientValue,
  v: GradientValue,
  de: GradientValue,
  dv: GradientValue | null,
): GradientValue {
  const n = sizesOf(v).at(-1)!;
  let inner = identity(v.dtype, n).mul(rowOf(de));
  if (dv !== null) {
    const products = multiplied(v, dv, true);
    const diagonal = bandOf(products, 0, 0).real().cast(v.dtype);
    const free = products.sub(multiplied(multiplied(v, v, true), diagonal));
    inner = inner.add(conjugate(inverseOrZero(rowOf(e).sub(columnOf(e)))).mul(free));
  }
  const factors = luNode(v, { call: "eig", singular: "error" });
  const whole = luSolveNode(factors, multiplied(inner, adjointOf(v)), v, { adjoint: true });
  return isComplexDType(matrix.dtype) ? whole : whole.real();
}
