/**
 * pseudo-inverse-node: values that are computed by singular values, and have a gradient without them. That of singular vectors is for
 * singular values that differ; of equal ones the vectors are any of a plane, though the pseudo-inverse is the same.
 *
 *     P = V S^-1 U^H          dP = -P dA P + P P^H dA^H (1 - A P) + (1 - P A) dA^H P^H P          for changes that keep the rank
 *
 * A node has the matrices and the values as operands, copies the values, and gives the matrices the gradient.
 */
import { dtypeSize } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { product } from "@onebuffer/storage/internal";
import { linearMemory } from "@onebuffer/wasm";
import { matrixDTypes } from "../batch/matrix-sizes.ts";
import { adjointOf, multiplied } from "./matrix-nodes.ts";
import { columnOf, cutInverse, rowOf } from "./scaled-matrices.ts";
import { svdNodes } from "./svd-node.ts";

/** The attributes: the part of the largest singular value up to which others are taken for 0. */
interface Cutoff {
  readonly cutoff: number;
}

/** What both records have in common: the last operand has the values, which are copied. */
const copied: Omit<CustomRecord<Cutoff>, "name" | "gradient"> = {
  dtypes: matrixDTypes,
  tensorflow: null,
  numpy: null,
  infer: (inputs) => ({ dtype: inputs.at(-1)!.dtype, dimensions: sizesOf(inputs.at(-1)!) }),
  flops: () => 0,
  evaluate({ dimensions }, operands, write) {
    for (let i = 0; i < product(dimensions); i++) write(i, operands.at(-1)!(i));
  },
  kernel({ dtype, dimensions }) {
    const bytes = product(dimensions) * dtypeSize(dtype);
    return (target, operands) => {
      const from = operands.at(-1)!;
      new Uint8Array(linearMemory().buffer).copyWithin(target, from, from + bytes);
      return true;
    };
  },
  stableHLO: "singular values have no operation there",
};

const inverseRecord: CustomRecord<Cutoff> = {
  ...copied,
  name: "pseudoInverse",
  gradient: ({ node, inputs: [matrix], g }) => [gradientOfMatrix(matrix!, node as GradientValue, g), null],
};

const solutionRecord: CustomRecord<Cutoff> = {
  ...copied,
  name: "lstsq",
  gradient({ inputs: [matrix, right], g, attributes: { cutoff } }) {
    const inverse = pseudoInverseNode("lstsq", matrix!, cutoff);
    return [gradientOfMatrix(matrix!, inverse, multiplied(g, right!, false, true)), multiplied(inverse, g, true), null];
  },
};

/** Returns the gradient of A, of its pseudo-inverse P and the gradient of P. */
function gradientOfMatrix(a: GradientValue, p: GradientValue, g: GradientValue): GradientValue {
  const adjoint = adjointOf(g);
  // What A maps to 0, and what it does not reach, for the two terms that a matrix of full rank has only one of, or none.
  const besideRows = (x: GradientValue): GradientValue => x.sub(multiplied(a, multiplied(p, x)));
  const besideColumns = (x: GradientValue): GradientValue => x.sub(multiplied(multiplied(x, p), a));
  const own = multiplied(multiplied(p, g, true), p, false, true);
  const reached = multiplied(besideRows(adjoint), multiplied(p, p, false, true));
  const mapped = multiplied(multiplied(p, p, true), besideColumns(adjoint));
  return reached.add(mapped).sub(own);
}

/** Returns the node of pseudo-inverses; `call` is the function that messages name. */
export function pseudoInverseNode(call: string, a: GradientValue, cutoff: number): GradientValue {
  const { s, u, v } = svdNodes(a, { call, computeUv: true, fullMatrices: false });
  const values = multiplied(v!.mul(rowOf(cutInverse(s, cutoff).cast(a.dtype))), u!, false, true);
  return makeCustomCall(inverseRecord, [a, values], { cutoff }) as ExpressionTree as GradientValue;
}

/** Returns the node of the shortest x for which the sum of squares of A x - b is least. Both operands have the same batch. */
export function leastSquaresNode(a: GradientValue, b: GradientValue, cutoff: number): GradientValue {
  const { s, u, v } = svdNodes(a, { call: "lstsq", computeUv: true, fullMatrices: false });
  const values = multiplied(v!, multiplied(u!, b, true).mul(columnOf(cutInverse(s, cutoff).cast(a.dtype))));
  return makeCustomCall(solutionRecord, [a, b, values], { cutoff }) as ExpressionTree as GradientValue;
}
