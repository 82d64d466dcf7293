// The workloads of linear algebra: systems, factors and inverses beside NumPy, which has OpenBLAS. One thread.
import { kBatch, kFactors, kSystems, kThreaded } from "./matrices-data.mjs";
import { fasterThan, timesOf } from "./targets.mjs";

/** The most times NumPy's time for each row, and what it computes. */
const kText = {
  solve: "x of A x = b, one right-hand side, by LU with partial pivoting",
  cholesky: "the Cholesky factor of A A^T + n I",
  inverse: "the inverse",
  lu: "the factors of P A = L U",
};

/** In how many turns rows are measured whose targets are shares of another program's time (run.mjs). */
const kTurns = 12;

/** The least share of the operations per second of products that factors have. */
const kLeastShare = 0.7;

const systems = Object.entries(kSystems).map(([name, { call, dtype, n, byNumpy }]) => ({
  name,
  text: `${kText[call]}, ${dtype} ${n === kBatch ? `${kBatch} matrices of 4 x 4` : `${n} x ${n}`}`,
  targets: [timesOf("numpy", byNumpy), fasterThan(["numpy-ts"], 2), fasterThan(["ml-matrix"], 10)],
  // Sums of solutions: conditions amplify the rounding of float32.
  tolerance: dtype === "float32" ? 1e-2 : 1e-6,
  turns: kTurns,
}));

const besideProducts = Object.entries(kFactors).map(([name, { call, dtype, n, ofProduct }]) => ({
  name,
  text: `${kText[call]}, ${dtype} ${n} x ${n}; by-hand: the product of two such matrices`,
  targets: [timesOf("by-hand", Number((ofProduct / kLeastShare).toFixed(2)))],
  turns: kTurns,
}));

const threaded = Object.entries(kThreaded).map(([name, { call, dtype, n }]) => ({
  name,
  text: `${kText[call]}, ${dtype} ${n} x ${n}, with ThreadPoolDevice(2); by-hand: one thread`,
  targets: [fasterThan(["by-hand"], 1.5)],
  turns: kTurns,
}));

export const kMatrices = [...systems, ...besideProducts, ...threaded];
