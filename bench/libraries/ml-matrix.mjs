// ml-matrix 6.15.1: systems and decompositions of matrices of float64. It has no batches.
import {
  CholeskyDecomposition,
  EigenvalueDecomposition,
  Matrix,
  QrDecomposition,
  SingularValueDecomposition,
  inverse,
  solve,
} from "ml-matrix";
import { decompositionData, kDecompositions, magnitudeOf } from "../decompositions-data.mjs";
import { kBatch, kSystems, systemData } from "../matrices-data.mjs";

const functions = {
  qr(a) {
    const made = new QrDecomposition(a);
    return { parts: [made.orthogonalMatrix, made.upperTriangularMatrix], values: () => made.upperTriangularMatrix.diagonal() };
  },
  svd(a) {
    const made = new SingularValueDecomposition(a);
    return { parts: [made.leftSingularVectors, made.rightSingularVectors], values: () => made.diagonal };
  },
  eigh(a) {
    const made = new EigenvalueDecomposition(a, { assumeSymmetric: true });
    return { parts: [made.eigenvectorMatrix], values: () => made.realEigenvalues };
  },
  eig(a) {
    const made = new EigenvalueDecomposition(a);
    return {
      parts: [made.eigenvectorMatrix],
      values: () => made.realEigenvalues.map((re, k) => Math.hypot(re, made.imaginaryEigenvalues[k])),
    };
  },
};

let sink;

function caseOf(name) {
  const [call, n] = kDecompositions[name];
  return () => {
    const a = Matrix.from1DArray(n, n, decompositionData(name));
    return {
      run() {
        sink = functions[call](a).parts;
        return sink.length;
      },
      checksum: () => magnitudeOf([...functions[call](a).values()]),
    };
  };
}

const systems = {
  solve,
  cholesky: (a) => new CholeskyDecomposition(a).lowerTriangularMatrix,
  inverse: (a) => inverse(a),
};

function systemOf(row) {
  return () => {
    const { dims, right, a, b } = systemData(row);
    const [matrix, rhs] = [Matrix.from1DArray(...dims, a), Matrix.from1DArray(...right, b)];
    const compute = () => systems[row.call](matrix, rhs);
    return {
      run() {
        sink = compute();
        return sink.rows;
      },
      checksum() {
        const values = compute().to1DArray();
        return values.reduce((sum, value) => sum + value, 0) / values.length;
      },
    };
  };
}

const isSystem = ([, { dtype, n }]) => dtype === "float64" && n !== kBatch;

export const cases = Object.fromEntries([
  ...Object.keys(kDecompositions).map((name) => [name, caseOf(name)]),
  ...Object.entries(kSystems)
    .filter(isSystem)
    .map(([name, row]) => [name, systemOf(row)]),
]);
