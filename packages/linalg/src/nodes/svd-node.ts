/** svd-node: the singular value decomposition as a node (LAPACK's gesdd, TensorFlow's Svd). */
import type { ExpressionTree } from "@onebuffer/expression";
import { isComplexDType, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { singularValuesOf } from "../decompose/singular-value-decomposition.ts";
import type { Decomposition } from "./decomposition-node.ts";
import { decompositionRecord, partsOf, slicesOf } from "./decomposition-node.ts";
import { matrixSizes } from "../batch/matrix-sizes.ts";
import { svdGradient, svdValuesGradient } from "./svd-gradient.ts";

/** The attributes: the function that is named in messages, whether vectors are computed, and whether there are as many as rows and columns. */
export interface SvdAttributes {
  readonly call: string;
  readonly computeUv: boolean;
  readonly fullMatrices: boolean;
}

/** The parts of the node: real singular values, and both matrices if they are computed. */
export interface SvdNodes {
  readonly s: GradientValue;
  readonly u: GradientValue | undefined;
  readonly v: GradientValue | undefined;
}

const svdDecomposition: Decomposition<SvdAttributes> = {
  name: "svd",
  tensorflow: "linalg.svd",
  numpy: "linalg.svd",
  resultDType: (dtype) => dtype,
  parts(rows, columns, { computeUv, fullMatrices }) {
    const count = Math.min(rows, columns);
    if (!computeUv) return [[count]];
    return fullMatrices ? [[count], [rows, rows], [columns, columns]] : [[count], [rows, count], [columns, count]];
  },
  flops(rows, columns, { computeUv }) {
    const [m, n] = [Math.max(rows, columns), Math.min(rows, columns)];
    return Math.round(computeUv ? 6 * m * n * n + 8 * n ** 3 : 4 * m * n * n - (4 * n ** 3) / 3);
  },
  run: (by, matrix, { call, computeUv, fullMatrices }, where) => singularValuesOf(by, matrix, computeUv, fullMatrices, call, where),
  gradient({ node, inputs: [matrix], g, attributes }) {
    const { batch, rows, columns } = matrixSizes(sizesOf(matrix!));
    if (!attributes.computeUv) {
      const { u, v } = svdNodes(matrix!, { ...attributes, computeUv: true, fullMatrices: false });
      return [svdValuesGradient(u!, v!, g)];
    }
    const sizes = svdDecomposition.parts(rows, columns, attributes);
    return [svdGradient(matrix!, slicesOf(node, batch, sizes), slicesOf(g, batch, sizes))];
  },
  stableHLO: "singular values have no operation there",
};

const svdRecord = decompositionRecord(svdDecomposition);

/** Returns the parts of the decomposition of a batch of matrices. */
export function svdNodes(matrix: ExpressionTree, attributes: SvdAttributes): SvdNodes {
  const [s, u, v] = partsOf(attributes.call, svdDecomposition, svdRecord, matrix, attributes);
  return { s: isComplexDType(matrix.dtype) ? s!.real() : s!, u, v };
}
