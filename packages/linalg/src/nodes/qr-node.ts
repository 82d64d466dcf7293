/** qr-node: the QR decomposition as a node (LAPACK's geqrf and orgqr, TensorFlow's Qr). */
import type { ExpressionTree } from "@onebuffer/expression";
import { sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import { decomposeQr } from "../decompose/qr-decomposition.ts";
import type { Decomposition } from "./decomposition-node.ts";
import { decompositionRecord, partsOf, slicesOf } from "./decomposition-node.ts";
import { matrixSizes } from "../batch/matrix-sizes.ts";
import { qrGradient } from "./qr-gradient.ts";

/** The attributes: the function that is named in messages, and whether Q is square. */
export interface QrAttributes {
  readonly call: string;
  readonly fullMatrices: boolean;
}

const qrDecomposition: Decomposition<QrAttributes> = {
  name: "qr",
  tensorflow: "linalg.qr",
  numpy: "linalg.qr",
  resultDType: (dtype) => dtype,
  parts(rows, columns, { fullMatrices }) {
    const kept = fullMatrices ? rows : Math.min(rows, columns);
    return [
      [rows, kept],
      [kept, columns],
    ];
  },
  flops: (rows, columns) => Math.round(4 * rows * rows * Math.min(rows, columns)),
  run: (by, matrix, { fullMatrices }) => decomposeQr(by, matrix, fullMatrices),
  gradient({ node, inputs: [matrix], g, attributes }) {
    const { batch, rows, columns } = matrixSizes(sizesOf(matrix!));
    const sizes = qrDecomposition.parts(rows, columns, attributes);
    return [qrGradient(matrix!, slicesOf(node, batch, sizes), slicesOf(g, batch, sizes))];
  },
  stableHLO: "XLA's and onebuffer's signs of Q and R differ",
};

const qrRecord = decompositionRecord(qrDecomposition);

/** Returns Q and R of a batch of matrices. */
export function qrNodes(matrix: ExpressionTree, attributes: QrAttributes): readonly [q: GradientValue, r: GradientValue] {
  return partsOf(attributes.call, qrDecomposition, qrRecord, matrix, attributes) as [GradientValue, GradientValue];
}
