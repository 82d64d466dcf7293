// scijs ndarray: without reference counts and without a reshape method (a new ndarray over the data takes its place).
import ndarray from "ndarray";
import operations from "ndarray-ops";
import { expressionCases } from "../expressions-data.mjs";
import { kElementSide as N, kSide, elementData, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";

let sink;

function add(a, b) {
  const out = ndarray(new Float32Array(a.data.length), a.shape);
  operations.add(out, a, b);
  return out;
}

export const cases = {
  ...expressionCases({
    functions: { "add 100": add, "add 1e4": add },
    make: (data, dims) => ndarray(data, dims),
    read: (array) => array.data,
    dispose: () => undefined,
  }),
  reshape() {
    const matrix = ndarray(matrixData(), [kSide, kSide]);
    return {
      run: () => void (sink = ndarray(matrix.data, [512, 2048])),
      checksum: () => reshapeChecksum(ndarray(matrix.data, [512, 2048]).get(1, 3), 2),
      note: "new ndarray over the data, uncounted",
    };
  },
  slice() {
    const matrix = ndarray(matrixData(), [kSide, kSide]);
    const slice = () => matrix.lo(256, 0).hi(256, kSide);
    return {
      run: () => void (sink = slice()),
      checksum: () => sliceChecksum(slice().get(0, 0), slice().get(255, kSide - 1), slice().shape[0]),
      note: "uncounted",
    };
  },
  view() {
    const data = matrixData();
    return {
      run: () => void (sink = ndarray(data, [kSide, kSide])),
      checksum: () => data[kSide + 3],
      note: "new ndarray over the data, uncounted",
    };
  },
  at() {
    const matrix = ndarray(elementData(), [N, N]);
    const sumRow = (i) => {
      let sum = 0;
      for (let j = 0; j < N; j++) sum += matrix.get(i, j);
      return sum;
    };
    const sum = () => {
      let total = 0;
      for (let i = 0; i < N; i++) total += sumRow(i);
      return total;
    };
    return { ops: N * N, run: () => void (sink = sum()), checksum: sum, note: "unchecked indices" };
  },
  set() {
    const matrix = ndarray(elementData(), [N, N]);
    const fillRow = (i) => {
      for (let j = 0; j < N; j++) matrix.set(i, j, i + j);
    };
    const run = () => {
      for (let i = 0; i < N; i++) fillRow(i);
    };
    return { ops: N * N, run, checksum: () => matrix.data.reduce((a, b) => a + b, 0), note: "unchecked indices" };
  },
};

export const last = () => sink;
