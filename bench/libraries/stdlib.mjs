// @stdlib/ndarray: without reference counts and without a reshape method (a new ndarray over the data takes its place).
import { createRequire } from "node:module";
import { kElementSide as N, kSide, elementData, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";

const require = createRequire(import.meta.url);
const ndarray = require("@stdlib/ndarray/ctor");
const slice = require("@stdlib/ndarray/slice");
const MultiSlice = require("@stdlib/slice/multi");
const Slice = require("@stdlib/slice/ctor");
const over = (data, shape) => new ndarray("float32", data, shape, [shape[1], 1], 0, "row-major");
let sink;

export const cases = {
  reshape() {
    const matrix = over(matrixData(), [kSide, kSide]);
    return {
      run: () => void (sink = over(matrix.data, [512, 2048])),
      checksum: () => reshapeChecksum(over(matrix.data, [512, 2048]).get(1, 3), 2),
      note: "new ndarray over the data, uncounted",
    };
  },
  slice() {
    const matrix = over(matrixData(), [kSide, kSide]);
    const rows = new MultiSlice(new Slice(256, 512), null);
    const cut = () => slice(matrix, rows, { readonly: false });
    return {
      run: () => void (sink = cut()),
      checksum: () => sliceChecksum(cut().get(0, 0), cut().get(255, kSide - 1), cut().shape[0]),
      note: "uncounted",
    };
  },
  at() {
    const matrix = over(elementData(), [N, N]);
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
    return { ops: N * N, run: () => void (sink = sum()), checksum: sum };
  },
  set() {
    const data = elementData();
    const matrix = over(data, [N, N]);
    const fillRow = (i) => {
      for (let j = 0; j < N; j++) matrix.set(i, j, i + j);
    };
    const run = () => {
      for (let i = 0; i < N; i++) fillRow(i);
    };
    return { ops: N * N, run, checksum: () => data.reduce((a, b) => a + b, 0) };
  },
};

export const last = () => sink;
