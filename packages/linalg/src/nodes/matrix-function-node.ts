/** matrix-function-node: square roots and logarithms of square matrices, as nodes (TensorFlow's MatrixSquareRoot and MatrixLogarithm). */
import type { ExpressionTree } from "@onebuffer/expression";
import { reshaped, sizesOf } from "@onebuffer/expression/internal";
import type { GradientValue } from "@onebuffer/expression/internal";
import type { MatrixFunction } from "../decompose/matrix-functions.ts";
import { functionOf } from "../decompose/matrix-functions.ts";
import type { Decomposition } from "./decomposition-node.ts";
import { decompositionRecord, partsOf } from "./decomposition-node.ts";
import { functionGradient } from "./function-gradient.ts";

const decompositionOf = (name: MatrixFunction): Decomposition<object> => ({
  name,
  tensorflow: `linalg.${name}`,
  numpy: `scipy.linalg.${name}`,
  resultDType: (dtype) => dtype,
  parts: (n) => [[n, n]],
  flops: (n) => 30 * n ** 3,
  run: (by, matrix, _, where) => functionOf(by, matrix, name, where),
  gradient({ inputs: [matrix], g }) {
    const sizes = sizesOf(matrix!);
    const ofMatrix = (each: GradientValue): GradientValue => functionNode(name, each);
    return [functionGradient(ofMatrix, matrix!, reshaped(g, sizes))];
  },
  stableHLO: "XLA has no operation for it",
});

const decompositions = { sqrtm: decompositionOf("sqrtm"), logm: decompositionOf("logm") };
const records = { sqrtm: decompositionRecord(decompositions.sqrtm), logm: decompositionRecord(decompositions.logm) };

/** Returns the node of a function of square matrices. */
export function functionNode(name: MatrixFunction, matrix: ExpressionTree): GradientValue {
  return partsOf(name, decompositions[name], records[name], matrix, {})[0]!;
}
