/**
 * lu-solve-node: solutions of systems by a packed LU factorization, as a node (LAPACK's getrs). The matrix itself is an operand as well: the
 * gradient goes to it and not through the factorization, and takes one more solution with the same factors.
 */
import { kernelOfPart } from "@onebuffer/eigen/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { makeCustomCall, sizesOf } from "@onebuffer/expression/internal";
import type { ExpressionTree } from "@onebuffer/expression";
import { linalgPart } from "../batch/loaded-kernels.ts";
import type { LuSolveAttributes } from "../batch/lu-attributes.ts";
import { solveByLu } from "../reference/lu-reference.ts";
import { numbersOf } from "../reference/numbers.ts";
import { multiplied } from "./matrix-nodes.ts";
import { matrixDTypes, matrixSizes } from "../batch/matrix-sizes.ts";
import { listOf } from "./triangular-node.ts";

/** The record. Operands: the packed factorization, b of [..., n, k], and the matrix of [..., n, n], all of one batch. */
const luSolveRecord: CustomRecord<LuSolveAttributes> = {
  name: "luSolve",
  dtypes: matrixDTypes,
  tensorflow: "linalg.solve",
  numpy: "scipy.linalg.lu_solve",
  infer: ([, right]) => ({ dtype: right!.dtype, dimensions: sizesOf(right!) }),
  flops({ dimensions }) {
    const { count, rows, columns } = matrixSizes(dimensions);
    return 2 * count * rows * rows * columns;
  },
  evaluate({ dtype, dimensions, attributes: { adjoint } }, [readPacked, readRight], write) {
    const { count, rows: n, columns } = matrixSizes(dimensions);
    const numbers = numbersOf(dtype);
    for (let m = 0; m < count; m++) {
      const packed = listOf(readPacked!, m, n * n + n + 1);
      const order = packed.slice(n * n, n * n + n).map((row) => numbers.real(row));
      const x = solveByLu(numbers, packed, order, listOf(readRight!, m, n * columns), adjoint);
      x.forEach((value, i) => write(m * n * columns + i, value));
    }
  },
  kernel: (call) => kernelOfPart(linalgPart, (kernels) => kernels.luSolve(call)),
  gradient({ node, inputs: [packed, , matrix], g, attributes: { adjoint }, needs }) {
    const ofRight = luSolveNode(packed!, g, matrix!, { adjoint: !adjoint });
    if (!needs[2]) return [null, ofRight, null];
    return [null, ofRight, (adjoint ? multiplied(node, ofRight, false, true) : multiplied(ofRight, node, false, true)).neg()];
  },
  stableHLO: "XLA has no LU factorization with pivots on processors",
};

/** Returns the node of solutions x of A x = b, or of A^H x = b, by the packed factorization of A. All operands have the same batch. */
export function luSolveNode(
  packed: ExpressionTree,
  right: ExpressionTree,
  matrix: ExpressionTree,
  attributes: LuSolveAttributes,
): GradientValue {
  return makeCustomCall(luSolveRecord, [packed, right, matrix], attributes) as ExpressionTree as GradientValue;
}
