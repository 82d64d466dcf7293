/** eig-node: eigenvalues and vectors of any square matrices as a node (LAPACK's geev, TensorFlow's Eig). */
import type { DType } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import { sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { eigenOf } from "../decompose/eigen-decomposition.ts";
import type { Decomposition } from "./decomposition-node.ts";
import { decompositionRecord, partsOf, slicesOf } from "./decomposition-node.ts";
import { eigGradient } from "./eig-gradient.ts";
import { matrixSizes } from "../batch/matrix-sizes.ts";

/** The attributes: the function that is named in messages, and whether vectors are computed. */
export interface EigAttributes {
  readonly call: string;
  readonly hasVectors: boolean;
}

/** Returns the complex dtype of the same precision. */
const complexOf = (dtype: DType): DType => (dtype === "float32" || dtype === "complex64" ? "complex64" : "complex128");

const eigDecomposition: Decomposition<EigAttributes> = {
  name: "eig",
  tensorflow: "linalg.eig",
  numpy: "linalg.eig",
  resultDType: complexOf,
  parts: (n, _, { hasVectors }) => (hasVectors ? [[n], [n, n]] : [[n]]),
  flops: (n, _, { hasVectors }) => Math.round((hasVectors ? 27 : 10) * n ** 3),
  run: (by, matrix, { call, hasVectors }, where) => eigenOf(by, matrix, hasVectors, call, where),
  gradient({ node, inputs: [matrix], g, attributes }) {
    const { batch, rows } = matrixSizes(sizesOf(matrix!));
    const all = { ...attributes, hasVectors: true };
    const sizes = eigDecomposition.parts(rows, rows, attributes);
    const [e, v] = attributes.hasVectors ? slicesOf(node, batch, sizes) : eigNodes(matrix!, all);
    const [de, dv] = slicesOf(g, batch, sizes);
    return [eigGradient(matrix!, e!, v!, de!, dv ?? null)];
  },
  stableHLO: "eigenvalues have no operation there",
};

const eigRecord = decompositionRecord(eigDecomposition);

/** Returns eigenvalues, and vectors if they are asked for, of a batch of square matrices. */
export function eigNodes(matrix: ExpressionTree, attributes: EigAttributes): GradientValue[] {
  return partsOf(attributes.call, eigDecomposition, eigRecord, matrix, attributes);
}
