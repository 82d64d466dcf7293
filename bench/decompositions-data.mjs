// The matrices of the decompositions: float64 of n rows, and symmetric ones for eigh.
import { floats } from "./data.mjs";

/** The rows by name: the function, the number of rows, and whether the matrix is symmetric. */
export const kDecompositions = {
  "qr float64 256": ["qr", 256],
  "svd float64 128": ["svd", 128],
  "svd float64 512": ["svd", 512],
  "eigh float64 128": ["eigh", 128],
  "eigh float64 512": ["eigh", 512],
  "eig float64 64": ["eig", 64],
};

/** Returns the elements of a row's matrix. */
export function decompositionData(name) {
  const [call, n] = kDecompositions[name];
  const values = Float64Array.from(floats(n * n, 1));
  if (call !== "eigh") return values;
  return values.map((_, at) => values[at] + values[(at % n) * n + Math.floor(at / n)]);
}

/** A number that all libraries have: the sum of magnitudes of the diagonal of R, or of the values. */
export const magnitudeOf = (list) => list.reduce((sum, each) => sum + Math.abs(each), 0);
