/** tridiagonal-node: solutions of systems with tridiagonal matrices, as a node (LAPACK's gtsv, TensorFlow's TridiagonalSolve). */
import { InvalidArgumentError } from "@onebuffer/base";
import type { ExpressionTree } from "@onebuffer/expression";
import {
  conjugate,
  filled,
  joined,
  made,
  makeCustomCall,
  partAlong,
  reduceFields,
  reshaped,
  sizesOf,
} from "@onebuffer/expression/internal";
import type { CustomRecord, GradientValue } from "@onebuffer/expression/internal";
import { numbersOf } from "../reference/numbers.ts";
import { solveTridiagonal } from "../reference/tridiagonal-reference.ts";
import { matrixDTypes, matrixSizes } from "../batch/matrix-sizes.ts";
import { shownMatrix } from "../batch/shown-matrix.ts";
import { listOf } from "./triangular-node.ts";

/** The record. Operands: the diagonals [..., 3, n], upper, main and lower, and b of [..., n, k], of one batch. */
const tridiagonalRecord: CustomRecord = {
  name: "tridiagonalSolve",
  dtypes: matrixDTypes,
  tensorflow: "linalg.tridiagonal_solve",
  numpy: "scipy.linalg.solve_banded",
  infer: ([, right]) => ({ dtype: right!.dtype, dimensions: sizesOf(right!) }),
  flops({ dimensions }) {
    const { count, rows, columns } = matrixSizes(dimensions);
    return count * rows * (5 * columns + 5);
  },
  evaluate({ dtype, dimensions }, [readDiagonals, readRight], write) {
    const { batch, count, rows: n, columns } = matrixSizes(dimensions);
    const numbers = numbersOf(dtype);
    for (let m = 0; m < count; m++) {
      const all = listOf(readDiagonals!, m, 3 * n);
      const x = listOf(readRight!, m, n * columns);
      const bad = solveTridiagonal(numbers, { upper: all.slice(0, n), main: all.slice(n, 2 * n), lower: all.slice(2 * n) }, x);
      if (bad >= 0) {
        const where = shownMatrix(batch, m);
        throw new InvalidArgumentError(`tridiagonalSolve: Input matrix is not invertible. (${where}pivot ${bad} is 0 or NaN)`);
      }
      x.forEach((value, i) => write(m * n * columns + i, value));
    }
  },
  kernel: () => null,
  gradient({ node, inputs: [diagonals], g }) {
    const ofRight = tridiagonalNode(adjointDiagonals(diagonals!), g);
    const x = conjugate(node);
    const axis = sizesOf(x).length - 2;
    const products = [shifted(x, axis, 1), x, shifted(x, axis, -1)].map((each) => made(reduceFields("sum", ofRight.mul(each), -1, false)));
    return [
      joined(
        products.map((each) => lined(each)),
        axis,
      ).neg(),
      ofRight,
    ];
  },
  stableHLO: "XLA has no tridiagonal systems with pivots",
};

/** Returns values with an axis of size 1 before the last one. */
const lined = (x: GradientValue): GradientValue => reshaped(x, sizesOf(x).toSpliced(-1, 0, 1));

/** Returns values moved along an axis: element i is what element i + step was, and 0 at the end. */
function shifted(x: GradientValue, axis: number, step: 1 | -1): GradientValue {
  const sizes = sizesOf(x);
  const n = sizes[axis]!;
  if (n === 0) return x;
  const zeros = filled(x.dtype, 0, sizes.with(axis, 1));
  const rest = step > 0 ? partAlong(x, axis, 1, n) : partAlong(x, axis, 0, n - 1);
  return joined(step > 0 ? [rest, zeros] : [zeros, rest], axis);
}

/** Returns the diagonals of the conjugate transposes. */
function adjointDiagonals(diagonals: GradientValue): GradientValue {
  const axis = sizesOf(diagonals).length - 2;
  const own = conjugate(diagonals);
  const row = (k: number): GradientValue => partAlong(own, axis, k, k + 1);
  return joined([shifted(row(2), axis + 1, 1), row(1), shifted(row(0), axis + 1, -1)], axis);
}

/** Returns the node of solutions. Both operands have the same batch. */
export function tridiagonalNode(diagonals: ExpressionTree, right: ExpressionTree): GradientValue {
  return makeCustomCall(tridiagonalRecord, [diagonals, right], {}) as ExpressionTree as GradientValue;
}
