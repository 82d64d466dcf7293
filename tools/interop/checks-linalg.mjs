// Compares the functions of linalg with TensorFlow's and NumPy's: results on random matrices, of every dtype and sizes around the blocks, and
// the codes of errors. Results whose rounding differs are compared relative to the largest element.
import { dataTypeOf } from "@onebuffer/base";
import { evaluate, tensorMap } from "@onebuffer/eigen";
import * as linalg from "@onebuffer/linalg";
import { Dice } from "../../packages/eigen/dist/test/kernel/kernel-subjects.js";
import { bytesOf, hexOf } from "./samples.mjs";

const kArrays = { float32: Float32Array, float64: Float64Array, complex64: Float32Array, complex128: Float64Array };
const kSizes = [1, 2, 4, 7, 33, 70];
const isSingle = (dtype) => dtype === "float32" || dtype === "complex64";
const isComplex = (dtype) => dtype.startsWith("complex");

/** Returns random numbers between -1 and 1; the diagonals of square matrices are larger if `isDominant`. */
function operand(dice, dtype, dims, isDominant = false) {
  const slots = dims.reduce((a, b) => a * b, 1) * (isComplex(dtype) ? 2 : 1);
  const values = kArrays[dtype].from({ length: slots }, () => 2 * dice.unit() - 1);
  const n = dims.at(-1);
  const size = isComplex(dtype) ? 2 : 1;
  if (isDominant) for (let k = 0; k < slots; k += size) if (Math.floor(k / size / n) % n === (k / size) % n) values[k] += n;
  return tensorMap(dtype, values, dims);
}

/** The calls by function: operands and options for a size. */
const kCalls = {
  solve: (make, n) => [[make([2, n, n], true), make([2, n, 3])], { adjoint: n % 2 === 0 }],
  inverse: (make, n) => [[make([2, n, n], true)], { adjoint: false }],
  determinant: (make, n) => [[make([2, Math.min(n, 7), Math.min(n, 7)])], {}],
  logDeterminant: (make, n) => [[make([2, n, n])], {}],
  lu: (make, n) => [[make([2, n, n])], {}],
  triangularSolve: (make, n) => [[make([2, n, n], true), make([2, n, 3])], { lower: n % 2 === 0, adjoint: n % 3 === 0 }],
  tridiagonalSolve: (make, n) => [[make([2, 3, n]), make([2, n, 2])], {}],
  expm: (make, n) => [[make([2, Math.min(n, 7), Math.min(n, 7)])], {}],
  sqrtm: (make, n) => [[make([2, n, n], true)], {}],
  logm: (make, n) => [[make([2, n, n], true)], {}],
  tensorsolve: (make, n) => [[make([n, 2, n, 2]), make([n, 2])], { axes: n % 2 === 0 ? [1, 0] : [] }],
  matrixPower: (make, n) => [[make([n, n], n < 8)], { exponent: n < 8 ? -3 : 3 }],
  norm: (make, n) => [[make([n, n + 1, 2])], { ord: ["fro", 1, -1, "inf", "-inf"][n % 5], axes: [1, 0] }],
  kron: (make, n) => [[make([n % 9, 2]), make([3, n % 5])], {}],
  bandPart: (make, n) => [[make([2, n, n + 1])], { numLower: (n % 3) - 1, numUpper: n % 4 }],
  diag: (make, n) => [[make([2, n])], { k: (n % 3) - 1 }],
  diagPart: (make, n) => [[make([2, n, n + 1])], { k: Math.min(1, n - 1) }],
  trace: (make, n) => [[make([2, n, n])], {}],
};

/** The orders that JSON has no number for. */
const kOrders = { inf: Infinity, "-inf": -Infinity };

/** Returns our results of a call. */
function ours(name, operands, options) {
  if (name === "matrixPower") return [linalg.matrixPower(operands[0], options.exponent)];
  if (name === "bandPart") return [linalg.bandPart(operands[0], options.numLower, options.numUpper)];
  if (name === "diag" || name === "diagPart") return [linalg[name](operands[0], options.k)];
  if (name === "norm") return [linalg.norm(operands[0], { ...options, ord: kOrders[options.ord] ?? options.ord })];
  const hasOptions = Object.keys(options).length > 0;
  const result = linalg[name](...operands, ...(hasOptions ? [options] : []));
  if (name === "lu") return [result.lu, result.p];
  return name === "logDeterminant" ? [result.sign, result.logAbsDeterminant] : [result];
}

const flat = (value) => (Array.isArray(value) ? value.flatMap(flat) : [Number(value)]);

/** Compares random calls. */
export async function linearAlgebraAgrees(tensorflow, report, seed) {
  report.begin("linear algebra");
  const dice = new Dice(seed);
  for (const dtype of Object.keys(kArrays)) {
    const make = (dims, isDominant) => operand(dice, dtype, dims, isDominant);
    for (const n of kSizes) {
      for (const [name, call] of Object.entries(kCalls)) await compare(tensorflow, report, { name, dtype, n, call: call(make, n) });
      // A A^H + n I is positive definite.
      const a = make([n, n], true);
      const transposed = isComplex(dtype) ? a.conj().transpose() : a.transpose();
      const positive = evaluate(a.matMul(transposed));
      await compare(tensorflow, report, { name: "cholesky", dtype, n, call: [[positive], {}] });
      const factor = evaluate(linalg.cholesky(positive));
      await compare(tensorflow, report, { name: "choleskySolve", dtype, n, call: [[factor, make([n, 2])], {}] });
      for (const fast of [true, false]) {
        // TensorFlow ignores the regularizer of the slow way, and has none for complex128.
        const options = { l2Regularizer: fast && dtype !== "complex128" ? 0.25 : 0, fast };
        await compare(tensorflow, report, { name: "lstsq", dtype, n, call: [[make([n + 3, n]), make([n + 3, 2])], options] });
      }
    }
    await errorsAgree(tensorflow, report, dtype);
  }
}

const encoded = (map) => ({ dtype: dataTypeOf(map.dtype), dims: [...map.dimensions], content: hexOf(map.data) });

async function compare(tensorflow, report, { name, dtype, n, call: [operands, options] }) {
  const what = `${name} ${dtype} ${n} ${JSON.stringify(options)}`;
  const answer = await tensorflow.tryAsk({ op: "linalg", name, operands: operands.map(encoded), options });
  if (answer.ok === undefined) return report.fail(what, answer.error ?? answer.aborted);
  // The norms of inverses amplify rounding: random matrices of these sizes have conditions below 1e4.
  const tolerance =
    (isSingle(dtype) ? 2e-3 : 1e-9) *
    (name === "matrixPower" || name === "lstsq" || name.endsWith("solve") || name === "tridiagonalSolve" ? 50 : 1);
  ours(name, operands, options).forEach((result, r) => {
    const map = evaluate(result);
    const theirs = new Float64Array(bytesOf(answer.ok[r].content).buffer);
    const mine = flat([map.toArray()]);
    const most = theirs.reduce((sum, value) => Math.max(sum, Math.abs(value)), 1e-30);
    const worst = mine.reduce((sum, value, k) => Math.max(sum, Math.abs(value - theirs[k]) / most), 0);
    if (mine.length === theirs.length && `${map.dimensions}` === `${answer.ok[r].dims}` && worst <= tolerance) report.pass();
    else report.fail(what, `result ${r}: [${map.dimensions}] and [${answer.ok[r].dims}], off by ${worst}`);
  });
}

/** Compares what is refused when it is computed. */
async function errorsAgree(tensorflow, report, dtype) {
  const singular = tensorMap(dtype, new kArrays[dtype](isComplex(dtype) ? 8 : 4), [2, 2]);
  for (const name of ["solve", "inverse", "lu"]) {
    const operands = name === "solve" ? [singular, singular] : [singular];
    const { error = "none" } = await tensorflow.tryAsk({
      op: "linalg",
      name,
      operands: operands.map(encoded),
      options: { adjoint: false },
    });
    let code = "none";
    try {
      for (const each of ours(name, operands, {})) evaluate(each);
    } catch (refusal) {
      code = refusal.code;
    }
    report.same(`${name} of zeros of ${dtype}`, code, error.startsWith("InvalidArgumentError") ? "INVALID_ARGUMENT" : error);
  }
}
