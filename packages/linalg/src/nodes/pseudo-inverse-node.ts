/**
 * pseudo-inverse-node: values that are computed by singular values, and have a gradient without them. That of singular vectors is for
 * singular values that differ; of equal ones the vectors are any of a plane, though the pseudo-inverse is the same.
 *
 *     P = V S^-1 U^H          dP = -P dA P + P P^H dA^H (1 - A P) + (1 - P A) dA^H P^H P          for changes that keep the rank
 */
import { marked } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { adjointOf, multiplied } from "./matrix-nodes.ts";
import { columnOf, cutInverse, rowOf } from "./scaled-matrices.ts";
import { svdNodes } from "./svd-node.ts";

/**
 * Returns the node of pseudo-inverses. Singular values of at most `cutoff` times the largest are taken for 0; `call` is the function that
 * messages name.
 */
export function pseudoInverseNode(call: string, a: GradientValue, cutoff: number): GradientValue {
  const { s, u, v } = svdNodes(a, { call, computeUv: true, fullMatrices: false });
  const values = multiplied(v!.mul(rowOf(cutInverse(s, cutoff).cast(a.dtype))), u!, false, true);
  const node: GradientValue = withGradients(values, [a], (g) => [gradientOfMatrix(a, node, g)]);
  return node;
}

/** Returns the node of the shortest x for which the sum of squares of A x - b is least. Both operands have the same batch. */
export function leastSquaresNode(a: GradientValue, b: GradientValue, cutoff: number): GradientValue {
  const { s, u, v } = svdNodes(a, { call: "lstsq", computeUv: true, fullMatrices: false });
  const values = multiplied(v!, multiplied(u!, b, true).mul(columnOf(cutInverse(s, cutoff).cast(a.dtype))));
  return withGradients(values, [a, b], (g) => {
    const inverse = pseudoInverseNode("lstsq", a, cutoff);
    return [gradientOfMatrix(a, inverse, multiplied(g, b, false, true)), multiplied(inverse, g, true)];
  });
}

/** Returns a node with the elements of `values`, whose gradients go to the inputs. */
function withGradients(
  values: GradientValue,
  inputs: readonly GradientValue[],
  gradientsOf: (g: GradientValue) => readonly GradientValue[],
): GradientValue {
  return marked(values, { inputs, gradientsOf: (g) => gradientsOf(g as GradientValue) }) as GradientValue;
}

/** Returns the gradient of A, of its pseudo-inverse P and the gradient of P. */
function gradientOfMatrix(a: GradientValue, p: GradientValue, g: GradientValue): GradientValue {
  const adjoint = adjointOf(g);
  // What A does not reach, and what it maps to 0: of the two terms a matrix of full rank has only one, or none.
  const besideRows = (x: GradientValue): GradientValue => x.sub(multiplied(a, multiplied(p, x)));
  const besideColumns = (x: GradientValue): GradientValue => x.sub(multiplied(multiplied(x, p), a));
  const own = multiplied(multiplied(p, g, true), p, false, true);
  const reached = multiplied(besideRows(adjoint), multiplied(p, p, false, true));
  const mapped = multiplied(multiplied(p, p, true), besideColumns(adjoint));
  return reached.add(mapped).sub(own);
}
