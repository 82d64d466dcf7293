// Compares decompositions and functions of singular values with NumPy and TensorFlow, up to signs and phases: values, sizes and dtypes of all
// parts, factors of QR, and products. The matrices are those of the package's own tests.
import { assignTogether, Tensor } from "onebuffer";
import { conditionNumber, eig, eigh, eigvals, eigvalsh, lstsq, matrixRank, pseudoInverse, qr, schur, svd } from "onebuffer/linalg";
import { hermitianOf, kinds, Numbers, unitOf } from "../../packages/linalg/dist/test/decompositions/matrix-kinds.js";
import { matrixTensor } from "../../packages/linalg/dist/test/decompositions/decomposed.js";
import { hexOf } from "./samples.mjs";
import { TensorFlow } from "./tensorflow.mjs";

const kDTypes = ["float32", "float64", "complex64", "complex128"];
const kSquare = [0, 1, 2, 3, 7, 33, 64];
const kAny = [...kSquare.map((n) => [n, n]), [0, 3], [3, 0], [5, 3], [3, 5], [40, 31], [31, 70]];

/** The functions by name: their parts for a matrix, the sizes they take, and whether the matrix is made Hermitian. */
const kCalls = {
  qr: { parts: (a) => qr(a), sizes: kAny },
  "qr full": { parts: (a) => qr(a, { fullMatrices: true }), sizes: kAny },
  svd: { parts: (a) => svd(a), sizes: kAny },
  "svd full": { parts: (a) => svd(a, { fullMatrices: true }), sizes: kAny },
  "svd values": { parts: (a) => svd(a, { computeUv: false }), sizes: kAny },
  eigh: { parts: (a) => eigh(a), sizes: kSquare.map((n) => [n, n]), isHermitian: true },
  eigvalsh: { parts: (a) => ({ e: eigvalsh(a) }), sizes: kSquare.map((n) => [n, n]), isHermitian: true },
  eig: { parts: (a) => eig(a), sizes: kSquare.map((n) => [n, n]) },
  eigvals: { parts: (a) => ({ e: eigvals(a) }), sizes: kSquare.map((n) => [n, n]) },
  schur: { parts: (a) => schur(a), sizes: kSquare.map((n) => [n, n]) },
  pseudoInverse: { parts: (a) => ({ p: pseudoInverse(a) }), sizes: kAny },
  matrixRank: { parts: (a) => ({ rank: matrixRank(a) }), sizes: kAny.filter(([m, n]) => m * n > 0) },
  conditionNumber: { parts: (a) => ({ c: conditionNumber(a) }), sizes: kAny.filter(([m, n]) => m * n > 0) },
  lstsq: { parts: (a) => ({ x: lstsq(a, a, { rcond: 100 * unitOf(a.dtype) }) }), sizes: kAny },
};

const encoded = (tensor) => ({ dtype: tensor.dtype, dims: tensor.shape.dimSizes, content: hexOf(tensor.tensorData) });

/** Compares all functions on all kinds of matrices. `python` has TensorFlow. */
export async function decompositionsAgree(python, report) {
  report.begin("decompositions compared with NumPy and TensorFlow");
  const side = new TensorFlow(python, "decompositions_side.py");
  let number = 0;
  for (const [call, { parts, sizes, isHermitian }] of Object.entries(kCalls)) {
    for (const kind of Object.keys(kinds)) {
      for (const [m, n] of sizes) {
        const dtype = kDTypes[number++ % kDTypes.length];
        await report.check(`${call} ${kind} ${dtype} ${m} x ${n}`, async () => {
          const rows = kinds[kind](m, n, dtype, new Numbers(number));
          const a = matrixTensor(isHermitian ? hermitianOf(rows) : rows, m, n, dtype);
          const made = Object.values(parts(a.matrix()));
          const targets = made.map((part) => Tensor.zeros([...part.dimensions], { dtype: part.dtype }));
          assignTogether(made.map((part, k) => [targets[k], part]));
          const answer = await side.ask({ op: call, kind, matrix: encoded(a), parts: targets.map(encoded) });
          for (const tensor of [a, ...targets]) tensor.dispose();
          if (answer.length === 0) report.pass();
          else report.fail(`${call} ${kind} ${dtype} ${m} x ${n}`, answer.join("; "));
        });
      }
    }
  }
  side.stop();
  report.end();
}
