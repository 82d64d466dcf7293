// The data of the network workload: 64 inputs, 64 hidden units, 10 classes, a batch of 100.
import { floats } from "./data.mjs";

export const kBatch = 100;
export const kRate = 0.1;

/** The operands of a step by name: data and sizes. */
export const networkData = () => ({
  x: [floats(6400, 1), [100, 64]],
  y: [floats(1000, 2), [100, 10]],
  w1: [floats(4096, 3).map((value) => value / 8), [64, 64]],
  b1: [floats(64, 4), [64]],
  w2: [floats(640, 5).map((value) => value / 8), [64, 10]],
  b2: [floats(10, 6), [10]],
});
