// numpy-ts 1.7.0 (declares Node 22 and up; runs on 20).
import * as np from "numpy-ts";
import { kAllocSide, allocCases } from "../alloc.mjs";
import { kElementSide as N, kSide, elementData, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";
import { memoryCases } from "../rss.mjs";
import { decompositionsOfNumpyTs } from "./numpy-ts-decompositions.mjs";
import { dtypesOfNumpyTs } from "./numpy-ts-dtypes.mjs";
import { expressionsOfNumpyTs } from "./numpy-ts-expressions.mjs";
import { selectionsOfNumpyTs } from "./numpy-ts-selections.mjs";
import { matricesOfNumpyTs } from "./numpy-ts-matrices.mjs";
import { filesOfNumpyTs } from "./numpy-ts-files.mjs";

np.configureWasm?.({ maxMemory: 3 * 2 ** 30 });
let sink;

const array = (data, shape) => {
  const out = np.zeros(shape, "float32");
  out.data.set(data);
  return out;
};
const release = (view) => view.dispose?.();

export const cases = {
  ...expressionsOfNumpyTs,
  ...dtypesOfNumpyTs,
  ...decompositionsOfNumpyTs,
  ...selectionsOfNumpyTs,
  ...filesOfNumpyTs,
  ...matricesOfNumpyTs,
  ...allocCases({
    make: () => np.empty([kAllocSide, kAllocSide], "float32"),
    makeOther: (elements) => np.empty([elements], "float32"),
    dispose: release,
    sizeOf: (tensor) => tensor.size,
  }),
  ...memoryCases(
    (data) => {
      const tensor = array(data, [data.length]);
      const sum = np.add(tensor, tensor);
      release(tensor);
      release(sum);
    },
    (data) => void (sink = array(data, [data.length])),
  ),
  reshape() {
    const matrix = array(matrixData(), [kSide, kSide]);
    return {
      run: () => release(matrix.reshape(512, 2048)),
      checksum: () => reshapeChecksum(Number(matrix.reshape(512, 2048).get([1, 3])), matrix.reshape(512, 2048).ndim),
    };
  },
  slice() {
    const matrix = array(matrixData(), [kSide, kSide]);
    return {
      run: () => release(matrix.slice("256:512")),
      checksum() {
        const view = matrix.slice("256:512");
        return sliceChecksum(Number(view.get([0, 0])), Number(view.get([255, kSide - 1])), view.shape[0]);
      },
    };
  },
  at() {
    const matrix = array(elementData(), [N, N]);
    const sumRow = (i) => {
      let sum = 0;
      for (let j = 0; j < N; j++) sum += matrix.get([i, j]);
      return sum;
    };
    const sum = () => {
      let total = 0;
      for (let i = 0; i < N; i++) total += sumRow(i);
      return total;
    };
    return { ops: N * N, run: () => void (sink = sum()), checksum: sum };
  },
  set() {
    const matrix = array(elementData(), [N, N]);
    const fillRow = (i) => {
      for (let j = 0; j < N; j++) matrix.set([i, j], i + j);
    };
    const run = () => {
      for (let i = 0; i < N; i++) fillRow(i);
    };
    return { ops: N * N, run, checksum: () => Array.from(matrix.data).reduce((a, b) => a + b, 0) };
  },
};

export const last = () => sink;
