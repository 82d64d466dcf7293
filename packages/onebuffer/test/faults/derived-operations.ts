// Operations as subjects of injected faults, by lists of their names: each operation of the op table, functions of matrices, of signals and of
// whole tensors. `allocation-faults.suite.ts` checks that no function of the face is left out.
import { concat, forwardInput, forwardInputOrAllocate, Tensor, tensorOf, tensorsOf, unstackTensor } from "@onebuffer/core";
import * as eigen from "@onebuffer/eigen";
import { opCases, smallElements } from "@onebuffer/eigen/test/expression/op-cases";
import * as gradients from "@onebuffer/gradients";
import * as linalg from "@onebuffer/linalg";
import * as signal from "@onebuffer/signal";
import type { Operation } from "./operations.ts";

/** The functions here are called by their names, which types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;
type Calls = Readonly<Record<string, (...args: readonly unknown[]) => Any>>;

/** Evaluates an expression, or all that an object has. */
function evaluated(result: Any): Any {
  if ("dimensions" in result) return Tensor.evaluate(result);
  const expressions = (Array.isArray(result) ? result : Object.values(result)).filter((each) => typeof each === "object");
  return tensorsOf(expressions as never);
}

/** Returns operations by the names of functions. */
function calls(
  from: object,
  names: readonly string[],
  args: (inputs: Parameters<Operation>[0]) => readonly unknown[],
): [string, Operation][] {
  return names.map((name) => [name, (inputs) => evaluated((from as Calls)[name]!(...args(inputs)))]);
}

const ofTable = eigen.opNames().map((op): [string, Operation] => {
  const cases = opCases.filter((each) => each.op === op);
  const { dtype, build } = cases.find((each) => each.dtype === "float32") ?? cases[0]!;
  return [`${op} of ${dtype}`, () => Tensor.evaluate(build(smallElements, [2, 3]) as never)];
});

const kOfSquare = [
  ...[
    "cholesky",
    "conditionNumber",
    "determinant",
    "diagPart",
    "eig",
    "eigvals",
    "eigvalsh",
    "logDeterminant",
    "logm",
    "matrixRank",
    "norm",
  ],
  ...["qr", "schur", "sqrtm", "svd", "trace"],
];
const kOfTwoSquares = ["choleskySolve", "cross", "kron", "lstsq", "solve", "triangularSolve"];
const kWindows = ["blackmanWindow", "hammingWindow", "hannWindow", "kaiserBesselDerivedWindow", "kaiserWindow", "vorbisWindow"];
const kOfComplex = ["fft", "fft2d", "fftNd", "fftShift", "ifft", "ifft2d", "ifftNd", "ifftShift", "irfft", "irfft2d", "irfftNd"];
const kPatches = ["avgPool", "maxPool", "extractImagePatches"];

const ofMatrices = [
  ...calls(linalg, kOfSquare, ({ square }) => [square.matrix()]),
  ...calls(linalg, kOfTwoSquares, ({ square }) => [square.matrix(), square.matrix()]),
  ...calls(linalg, ["tensorsolve"], ({ square }) => [square.matrix(), square.matrix().chip(0, 0)]),
  ...calls(linalg, ["bandPart"], ({ square }) => [square.matrix(), 1, 0]),
  ...calls(linalg, ["diag"], ({ square }) => [square.flat()]),
  ...calls(linalg, ["setDiag"], ({ square }) => [square.matrix(), square.matrix().chip(0, 0)]),
  ...calls(linalg, ["matrixPower"], ({ square }) => [square.matrix(), 3]),
  ...calls(linalg, ["luSolve"], ({ square }) => [
    square.matrix(),
    eigen.constant("int32", 0, [3]).add(eigen.iota("int32", [3], 0)),
    square.matrix(),
  ]),
  ...calls(linalg, ["tridiagonalSolve"], ({ square }) => [square.matrix(), square.matrix().chip(0, 1).expandDims(1)]),
];

const ofSignals = [
  ...calls(signal, kWindows, () => [8]),
  ...calls(signal, ["fftFrequencies", "rfftFrequencies"], () => [8]),
  ...calls(signal, kOfComplex, ({ matrix }) => [matrix.matrix().cast("complex64")]),
  ...calls(signal, ["fft3d", "ifft3d", "irfft3d"], ({ matrix }) => [matrix.matrix().cast("complex64").expandDims(0)]),
  ...calls(signal, ["rfft3d"], ({ matrix }) => [matrix.matrix().expandDims(0)]),
  ...calls(signal, ["dct", "idct", "rfft2d", "rfftNd", "mfccsFromLogMelSpectrograms"], ({ matrix }) => [matrix.matrix()]),
  ...calls(signal, ["correlate"], ({ matrix }) => [matrix.matrix(), matrix.matrix()]),
  ...calls(signal, ["firFilter"], ({ matrix }) => [matrix.matrix(), matrix.matrix().chip(0, 0)]),
  ...calls(signal, ["sosFilter"], ({ matrix }) => [matrix.matrix(), eigen.constant("float32", 1, [1, 6])]),
  ...calls(signal, ["spectrogram", "stft"], ({ matrix }) => [matrix.flat(), 4, 2]),
  ...calls(signal, ["inverseStft"], ({ matrix }) => [signal.stft(matrix.flat(), 4, 2), 4, 2]),
  ...calls(signal, ["overlapAndAdd"], ({ matrix }) => [matrix.matrix(), 2]),
  ...calls(signal, ["resamplePoly"], ({ matrix }) => [matrix.matrix(), 2, 1]),
  ...calls(signal, ["linearToMelWeightMatrix"], () => [4, 9]),
];

const kSegments = ["Max", "Mean", "Min", "Prod", "Sum"];
const segments = (): Any => eigen.iota("int32", [3], 0).div(2);

const ofTensors = [
  ...calls(eigen, kPatches, ({ square }) => [square.matrix().reshape([1, 3, 3, 1]), [2, 2]]),
  ...calls(eigen, ["bincount"], () => [segments(), 4]),
  ...calls(eigen, ["booleanMask"], ({ square }) => [square.matrix(), square.matrix().greater(2)]),
  ...calls(eigen, ["nonzero", "unique", "median"], ({ square }) => [square.flat()]),
  ...calls(eigen, ["histogram"], ({ square }) => [square.flat(), 4]),
  ...calls(eigen, ["nthElements"], ({ square }) => [square.matrix(), [0, 2]]),
  ...calls(eigen, ["quantile"], ({ square }) => [square.matrix(), 0.25]),
  ...calls(eigen, ["takeAlongAxis"], ({ square }) => [square.matrix(), square.matrix().argsort()]),
  ...calls(eigen, ["searchSorted"], ({ square }) => [square.flat().sort(), square.matrix()]),
  ...calls(eigen, ["where"], ({ square }) => [square.matrix().greater(2)]),
  ...calls(eigen, ["oneHot"], () => [segments(), 3, "float32"]),
  ...calls(eigen, ["meshgrid"], ({ square }) => [[square.flat(), square.flat()]]),
  ...calls(eigen, ["stack"], ({ square }) => [[square.matrix(), square.matrix()]]),
  ...calls(eigen, ["convolve"], ({ square }) => [square.matrix().reshape([1, 3, 3, 1]), square.matrix().reshape([3, 3, 1, 1])]),
  ...calls(eigen, ["resize"], ({ square }) => [square.matrix().reshape([1, 3, 3, 1]), [5, 4]]),
  ...calls(eigen, ["extractPatches"], ({ square }) => [square.matrix(), [2, 2]]),
  ...calls(eigen, ["einsum"], ({ square }) => ["ij,jk->ki", square.matrix(), square.matrix()]),
  ...kSegments.flatMap((kind) => calls(eigen, [`segment${kind}`], ({ square }) => [square.matrix(), segments()])),
  ...kSegments.flatMap((kind) => calls(eigen, [`unsortedSegment${kind}`], ({ square }) => [square.matrix(), segments(), 3])),
];

/** Updates a parameter by a rule and its state, which is disposed. */
function updated(target: Tensor<"float64">, state: readonly Tensor[], rule: (...args: never[]) => unknown): void {
  try {
    eigen.updateTogether((rule as unknown as Calls[string])([target], [target.matrix().mul(2)], state));
  } finally {
    for (const tensor of state) tensor.dispose();
  }
}

const byHand: Readonly<Record<string, Operation>> = {
  assignTogether: ({ square, target }) => eigen.assignTogether([[target.matrix(), square.matrix().exp().add(1)]] as never),
  updateTogether: ({ target }) => eigen.updateTogether([[target.matrix(), target.matrix().mul(2).add(1)]] as never),
  item: ({ square }) => void eigen.item(square.matrix().sum()),
  tensorsOf: ({ square }) => tensorsOf([square.matrix().add(1), square.matrix().exp()]),
  valueAndGradients: ({ square }) => {
    const { value, gradients: all } = gradients.valueAndGradients(square.matrix().exp().sum(), [square.matrix()] as never) as Any;
    return [value, ...all];
  },
  forwardInput: ({ matrix }) => forwardInput(matrix, "float32", [3, 2]),
  forwardInputOrAllocate: () => forwardInputOrAllocate([null], "float32", [3, 2]),
  tensorOf: ({ square }) => tensorOf(square.matrix().exp()),
  checkGradients: ({ square }) => void gradients.checkGradients(square.matrix().exp().sum(), [square.matrix()] as never),
  assignInSteps: ({ square, target }) => linalg.assignInSteps([[target.matrix(), linalg.inverse(square.matrix())]] as never),
  sgd: ({ target }) => eigen.updateTogether(gradients.sgd([target], [target.matrix().mul(2)] as never) as never),
  momentum: ({ target }) => updated(target, gradients.momentumState([target]), gradients.momentum),
  rmsProp: ({ target }) => updated(target, gradients.rmsPropState([target]), gradients.rmsProp),
  adam: ({ target }) => {
    const state = gradients.adamState([target]);
    try {
      eigen.updateTogether(gradients.adam([target], [target.matrix().mul(2)] as never, state) as never);
    } finally {
      for (const tensor of [state.steps, ...state.means, ...state.squares]) tensor.dispose();
    }
  },
  jvp: ({ square }) => {
    const map = square.matrix();
    return evaluated(gradients.jvp(map.exp() as never, [map] as never, [map] as never));
  },
  "a concatenation of what was taken apart": ({ matrix }) => {
    const parts = unstackTensor(matrix);
    try {
      return concat(parts);
    } finally {
      parts.forEach((part) => part.dispose());
    }
  },
};

/** The operations by their names. */
export const derivedOperations: Readonly<Record<string, Operation>> = {
  ...Object.fromEntries([...ofTable, ...ofMatrices, ...ofSignals, ...ofTensors]),
  ...byHand,
};
