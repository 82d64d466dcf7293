// The workloads of decompositions of matrices, beside NumPy and the JavaScript libraries that have them.
import { fasterThan, timesOf } from "./targets.mjs";

const kLibraries = ["numpy-ts", "ml-matrix"];
/** In how many turns the rows are measured (run.mjs): the other libraries take seconds for some. */
const kTurns = 8;

const row = (name, text, byNumpy, byLibraries = 5) => ({
  name,
  text,
  targets: [timesOf("numpy", byNumpy), fasterThan(kLibraries, byLibraries)],
  tolerance: 1e-9,
  turns: kTurns,
});

export const kDecompositions = [
  row("qr float64 256", "both factors of a [256,256] float64 matrix", 2, 10),
  row("svd float64 128", "singular values and both matrices of vectors, [128,128] float64", 4),
  row("svd float64 512", "the same of [512,512]; numpy-ts runs out of memory", 4),
  row("eigh float64 128", "eigenvalues and vectors of a symmetric [128,128] float64 matrix", 4),
  row("eigh float64 512", "the same of [512,512]; numpy-ts takes minutes", 4),
  {
    name: "eig float64 64",
    text: "complex eigenvalues and vectors of a [64,64] float64 matrix; ml-matrix: as real numbers",
    tolerance: 1e-6,
  },
];
