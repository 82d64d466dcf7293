/**
 * lu-gradient: the gradient of a packed LU factorization, by triangular solutions with its factors.
 *
 *     P^T L^-H (tril(L^H dL, -1) + triu(dU U^H)) U^-H
 */
import { product } from "@onebuffer/storage/internal";
import { argsorted, gatherFields, made, partAlong, places, reshaped, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import type { Factors } from "./lu-factors.ts";
import { adjointOf, bandOf, identity, multiplied } from "./matrix-nodes.ts";
import { triangularNode } from "./triangular-node.ts";

/** Returns the gradient of the matrices, of the gradient of their packed factorization. */
export function luGradient({ lu, order }: Factors, g: GradientValue): GradientValue {
  const sizes = sizesOf(lu);
  const n = sizes.at(-1)!;
  const ofFactors = reshaped(partAlong(g, sizes.length - 2, 0, n * n), sizes);
  const unit = bandOf(lu, -Infinity, -1).add(identity(lu.dtype, n));
  const upper = bandOf(lu, 0, Infinity);
  const ofLower = bandOf(multiplied(unit, bandOf(ofFactors, -Infinity, -1), true), -Infinity, -1);
  const ofUpper = bandOf(multiplied(bandOf(ofFactors, 0, Infinity), upper, false, true), 0, Infinity);
  const left = triangularNode(lu, ofLower.add(ofUpper), { lower: true, adjoint: true, isUnit: true });
  const both = adjointOf(triangularNode(lu, adjointOf(left), { lower: false, adjoint: false, isUnit: false }));
  return permutedBack(both, order);
}

/** Returns matrices of which row order[i] is row i of `rows`. */
export function permutedBack(rows: GradientValue, order: GradientValue): GradientValue {
  const sizes = sizesOf(rows);
  const [n, columns] = sizes.slice(-2) as [number, number];
  const count = product(sizes.slice(0, -2));
  const inverse = reshaped(argsorted(order), [count, n]).add(places([count, n], 0).mul(n));
  const gathered = made(gatherFields(reshaped(rows, [count * n, columns]), reshaped(inverse, [count * n]), 0));
  return reshaped(gathered, sizes);
}
