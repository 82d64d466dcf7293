// ml-matrix 6.15.1: decompositions of matrices of float64.
import { EigenvalueDecomposition, Matrix, QrDecomposition, SingularValueDecomposition } from "ml-matrix";
import { decompositionData, kDecompositions, magnitudeOf } from "../decompositions-data.mjs";

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

export const cases = Object.fromEntries(Object.keys(kDecompositions).map((name) => [name, caseOf(name)]));
