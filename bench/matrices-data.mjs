// The data of the workloads of linear algebra.
import { floats } from "./data.mjs";

/** How many matrices of 4 x 4 the rows of batches have. */
export const kBatch = 1000;

const row = (call, dtype, n, byNumpy) => [`${call} ${dtype} ${n === kBatch ? "1000 x 4" : n}`, { call, dtype, n, byNumpy }];

/** The rows by name: the function, the dtype, the size, and the most times NumPy's time. */
export const kSystems = Object.fromEntries([
  row("solve", "float32", 64, 1),
  row("solve", "float32", 256, 0.8),
  row("solve", "float32", 512, 0.8),
  row("solve", "float64", 64, 1),
  row("solve", "float64", 256, 1.7),
  row("solve", "float64", 512, 2.1),
  row("solve", "float32", kBatch, 0.5),
  row("solve", "float64", kBatch, 0.5),
  row("cholesky", "float32", 512, 1.5),
  row("cholesky", "float64", 512, 1.5),
  row("inverse", "float32", 256, 2),
  row("inverse", "float64", 256, 2),
]);

const factors = (call, dtype, ofProduct) => [`${call} ${dtype} 512 and a product`, { call, dtype, n: 512, ofProduct }];

/** Factors beside the product of two such matrices: the function, and the share of its operations. */
export const kFactors = Object.fromEntries([
  factors("lu", "float32", 1 / 3),
  factors("lu", "float64", 1 / 3),
  factors("cholesky", "float32", 1 / 6),
  factors("cholesky", "float64", 1 / 6),
]);

/** The row of two threads. */
export const kThreaded = { "lu 1024, two threads": { call: "lu", dtype: "float64", n: 1024 } };

/** Returns the sizes of a row's matrices and of its right-hand sides, and their elements. */
export function systemData({ call, dtype, n }) {
  const dims = n === kBatch ? [kBatch, 4, 4] : [n, n];
  const right = [...dims.slice(0, -1), 1];
  const array = dtype === "float32" ? Float32Array : Float64Array;
  const count = (sizes) => sizes.reduce((a, b) => a * b, 1);
  const a = array.from(floats(count(dims), 1));
  return { dims, right, a: call === "cholesky" ? positive(a, n) : a, b: array.from(floats(count(right), 2)) };
}

/** Returns A A^T + n I, summed in float64. */
function positive(a, n) {
  const result = a.slice();
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let sum = i === j ? n : 0;
      for (let k = 0; k < n; k++) sum += a[i * n + k] * a[j * n + k];
      result[i * n + j] = sum;
    }
  }
  return result;
}
