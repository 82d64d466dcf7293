// TensorFlow.js, for both of its backends. In the wasm backend a slice copies; TensorBuffer reads and writes elements.
import * as tf from "@tensorflow/tfjs-core";
import { kAllocElements, kAllocSide, allocCases, kLargest } from "../alloc.mjs";
import { kElementSide as N, kSide, elementData, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";
import { memoryCases } from "../rss.mjs";
import { expressionsOfTfjs } from "./tfjs-expressions.mjs";
import { trainingOfTfjs } from "./tfjs-training.mjs";
import { windowsOfTfjs } from "./tfjs-windows.mjs";

export async function tfjsCases(backend) {
  await import(backend === "cpu" ? "@tensorflow/tfjs-backend-cpu" : "@tensorflow/tfjs-backend-wasm");
  await tf.setBackend(backend);
  await tf.ready();
  if (tf.getBackend() !== backend) throw new Error(`backend ${tf.getBackend()} instead of ${backend}`);
  let sink;
  const others = new Float32Array(kLargest);
  const values = others.subarray(0, kAllocElements);
  return {
    ...expressionsOfTfjs,
    ...windowsOfTfjs,
    ...trainingOfTfjs,
    ...allocCases({
      make: () => tf.tensor(values, [kAllocSide, kAllocSide], "float32"),
      makeOther: (elements) => tf.tensor(others.subarray(0, elements), [elements], "float32"),
      dispose: (tensor) => tensor.dispose(),
      sizeOf: (tensor) => tensor.size,
      note: backend === "cpu" ? "over the caller's array" : "copies 64 KiB",
    }),
    ...memoryCases(
      (data) => {
        const tensor = tf.tensor1d(data);
        const sum = tf.add(tensor, tensor);
        tensor.dispose();
        sum.dispose();
      },
      (data) => void (sink = tf.tensor1d(data.slice())),
    ),
    reshape() {
      const matrix = tf.tensor(matrixData(), [kSide, kSide], "float32");
      return {
        run: () => tf.reshape(matrix, [512, 2048]).dispose(),
        checksum() {
          const view = tf.reshape(matrix, [512, 2048]);
          return reshapeChecksum(view.dataSync()[2051], view.rank);
        },
      };
    },
    slice() {
      const matrix = tf.tensor(matrixData(), [kSide, kSide], "float32");
      matrix.dataSync();
      return {
        run: () => tf.slice(matrix, [256, 0], [256, kSide]).dispose(),
        checksum() {
          const view = tf.slice(matrix, [256, 0], [256, kSide]);
          const data = view.dataSync();
          return sliceChecksum(data[0], data[data.length - 1], view.shape[0]);
        },
      };
    },
    at() {
      const buffer = tf.tensor(elementData(), [N, N], "float32").bufferSync();
      const sumRow = (i) => {
        let sum = 0;
        for (let j = 0; j < N; j++) sum += buffer.get(i, j);
        return sum;
      };
      const sum = () => {
        let total = 0;
        for (let i = 0; i < N; i++) total += sumRow(i);
        return total;
      };
      return { ops: N * N, run: () => void (sink = sum()), checksum: sum, note: "TensorBuffer.get" };
    },
    set() {
      const buffer = tf.buffer([N, N], "float32");
      const fillRow = (i) => {
        for (let j = 0; j < N; j++) buffer.set(i + j, i, j);
      };
      const run = () => {
        for (let i = 0; i < N; i++) fillRow(i);
      };
      return { ops: N * N, run, checksum: () => buffer.values.reduce((a, b) => a + b, 0), note: "TensorBuffer.set" };
    },
  };
}
