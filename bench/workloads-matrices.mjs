// The workloads of linear algebra: systems, factors and inverses beside NumPy, which has OpenBLAS. One thread.
import { kBatch, kSystems } from "./matrices-data.mjs";
import { fasterThan, timesOf } from "./targets.mjs";

/** The most times NumPy's time for each row, and what it computes. */
const kText = {
  solve: "x of A x = b, one right-hand side, by LU with partial pivoting",
  cholesky: "the Cholesky factor of A A^T + n I",
  inverse: "the inverse",
};

export const kMatrices = Object.entries(kSystems).map(([name, { call, dtype, n, byNumpy }]) => ({
  name,
  text: `${kText[call]}, ${dtype} ${n === kBatch ? `${kBatch} matrices of 4 x 4` : `${n} x ${n}`}`,
  targets: [timesOf("numpy", byNumpy), fasterThan(["numpy-ts"], 2)],
  // Sums of solutions: conditions amplify the rounding of float32.
  tolerance: dtype === "float32" ? 1e-2 : 1e-6,
}));
