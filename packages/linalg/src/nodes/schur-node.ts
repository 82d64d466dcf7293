/** schur-node: the Schur decomposition of square matrices as a node (LAPACK's gees). */
import { UnimplementedError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import type { GradientValue } from "@onebuffer/expression/internal";
import { decomposeSchur } from "../decompose/schur-decomposition.ts";
import type { Decomposition } from "./decomposition-node.ts";
import { decompositionRecord, partsOf } from "./decomposition-node.ts";

const schurDecomposition: Decomposition<object> = {
  name: "schur",
  tensorflow: null,
  numpy: "scipy.linalg.schur",
  resultDType: (dtype) => dtype,
  parts: (n) => [
    [n, n],
    [n, n],
  ],
  flops: (n) => 25 * n ** 3,
  run: (by, matrix, _, where) => decomposeSchur(by, matrix, where),
  gradient() {
    throw new UnimplementedError("schur: a Schur form has no gradient: its parts are not determined by the matrix");
  },
  stableHLO: "Schur forms have no operation there",
};

const schurRecord = decompositionRecord(schurDecomposition);

/** Returns T and Z of a batch of square matrices. */
export function schurNodes(matrix: ExpressionTree): readonly [t: GradientValue, z: GradientValue] {
  return partsOf("schur", schurDecomposition, schurRecord, matrix, {}) as [GradientValue, GradientValue];
}
