/** eigh-node: eigenvalues and vectors of Hermitian matrices as a node (LAPACK's heevd, TensorFlow's SelfAdjointEigV2). */
import type { ExpressionTree } from "@onebuffer/expression";
import { sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { eigenOfHermitian } from "../decompose/hermitian-decomposition.ts";
import type { Decomposition } from "./decomposition-node.ts";
import { decompositionRecord, partsOf, slicesOf } from "./decomposition-node.ts";
import { eighGradient } from "./eigh-gradient.ts";
import { matrixSizes } from "../batch/matrix-sizes.ts";

/** The attributes: the function that is named in messages, and whether vectors are computed. */
export interface EighAttributes {
  readonly call: string;
  readonly hasVectors: boolean;
}

const eighDecomposition: Decomposition<EighAttributes> = {
  name: "eigh",
  tensorflow: "linalg.eigh",
  numpy: "linalg.eigh",
  resultDType: (dtype) => dtype,
  parts: (n, _, { hasVectors }) => (hasVectors ? [[n], [n, n]] : [[n]]),
  flops: (n, _, { hasVectors }) => Math.round((hasVectors ? 14 / 3 : 4 / 3) * n ** 3),
  run: (by, matrix, { call, hasVectors }, where) => eigenOfHermitian(by, matrix, hasVectors, call, where),
  gradient({ node, inputs: [matrix], g, attributes }) {
    const { batch, rows } = matrixSizes(sizesOf(matrix!));
    if (!attributes.hasVectors) return [eighGradient(eighNodes(matrix!, { ...attributes, hasVectors: true })[1]!, null, g, null)];
    const sizes = eighDecomposition.parts(rows, rows, attributes);
    const [[e, v], [de, dv]] = [slicesOf(node, batch, sizes), slicesOf(g, batch, sizes)];
    return [eighGradient(v!, e!, de!, dv!)];
  },
  stableHLO: "eigenvalues have no operation there",
};

const eighRecord = decompositionRecord(eighDecomposition);

/** Returns eigenvalues, and vectors if they are asked for, of a batch of Hermitian matrices. */
export function eighNodes(matrix: ExpressionTree, attributes: EighAttributes): GradientValue[] {
  return partsOf(attributes.call, eighDecomposition, eighRecord, matrix, attributes);
}
