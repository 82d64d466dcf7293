/**
 * svd-gradient: the gradient of a singular value decomposition of matrices whose singular values differ and are not 0.
 *
 *     U (F * (X - X^H) S + S F * (Y - Y^H) + diag(ds)) V^H + (1 - U U^H) dU S^-1 V^H + U S^-1 (dV (1 - V V^H))^H
 *
 * X is U^H dU, Y is V^H dV, and F[i, j] = 1 / (s[j]^2 - s[i]^2), on the diagonal 0. Vectors of complex matrices are known up to factors on
 * the unit circle: the gradient is right for functions that do not depend on them.
 */
import { UnimplementedError } from "@onebuffer/base";
import { isComplexDType, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { adjointOf, bandOf, identity, multiplied } from "./matrix-nodes.ts";
import { columnOf, inverseOrZero, rowOf } from "./scaled-matrices.ts";

/** Returns the gradient of the matrices for a gradient of the singular values. */
export function svdValuesGradient(u: GradientValue, v: GradientValue, ds: GradientValue): GradientValue {
  return multiplied(u.mul(rowOf(ds)), v, false, true);
}

/** Returns the gradient of the matrices, of the parts and their gradients. Throws UNIMPLEMENTED for more vectors than singular values. */
export function svdGradient(
  matrix: GradientValue,
  [s, u, v]: readonly GradientValue[],
  [ds, du, dv]: readonly GradientValue[],
): GradientValue {
  const [m, n] = sizesOf(matrix).slice(-2) as [number, number];
  const count = sizesOf(s!).at(-1)!;
  if (sizesOf(u!).at(-1)! > count || sizesOf(v!).at(-1)! > count) {
    throw new UnimplementedError("svd: the gradient of { fullMatrices: true } for matrices that are not square");
  }
  const [row, column] = [rowOf(s!), columnOf(s!)];
  const differences = inverseOrZero(row.sub(column).mul(row.add(column)));
  const [x, y] = [multiplied(u!, du!, true), multiplied(v!, dv!, true)];
  const skew = (z: GradientValue): GradientValue => z.sub(adjointOf(z));
  let inner = differences
    .mul(skew(x))
    .mul(row)
    .add(differences.mul(skew(y)).mul(column));
  // Singular values are real: an imaginary part of their gradient, as a second derivative has, says nothing.
  const isComplex = isComplexDType(matrix.dtype);
  const ofValues = isComplex ? ds!.real().cast(matrix.dtype) : ds!;
  inner = inner.add(identity(matrix.dtype, count).mul(rowOf(ofValues as GradientValue)));
  const inverse = inverseOrZero(row);
  if (isComplex) inner = inner.add(bandOf(skew(x), 0, 0).mul(inverse).mul(0.5));
  let sum = multiplied(multiplied(u!, inner), v!, false, true);
  if (m > count) sum = sum.add(multiplied(du!.sub(multiplied(u!, x)).mul(inverse), v!, false, true));
  if (n > count) sum = sum.add(multiplied(u!.mul(inverse), dv!.sub(multiplied(v!, y)), false, true));
  return sum;
}
