// The data of the training workloads: a network of 64 inputs, hidden units and 10 classes on 359 rows, as examples/digits-network has them,
// and networks of many layers of 64 units on 128 rows.
import { floats } from "./data.mjs";

export const kRows = 359;
export const kRate = 0.01;
export const kHidden = { "digits step 32": 32, "digits step 256": 256 };

/** The networks of layers of 64 units, by the name of the row. */
export const kLayers = { "gradients of 2 layers": 2, "gradients of 8 layers": 8, "gradients of 32 layers": 32 };
export const kLayerRows = 128;
export const kUnits = 64;

/** The operands of a step by name: data and sizes. `y` has a 1 in each row. */
export function digitsData(hidden) {
  const scaled = (count, seed) => floats(count, seed).map((value) => value / 8);
  const y = new Float32Array(kRows * 10);
  for (let row = 0; row < kRows; row++) y[row * 10 + ((row * 7) % 10)] = 1;
  return {
    x: [floats(kRows * 64, 1), [kRows, 64]],
    y: [y, [kRows, 10]],
    w1: [scaled(64 * hidden, 3), [64, hidden]],
    b1: [scaled(hidden, 4), [hidden]],
    w2: [scaled(hidden * 10, 5), [hidden, 10]],
    b2: [scaled(10, 6), [10]],
  };
}

export const meanOf = (elements) => elements.reduce((sum, element) => sum + element, 0) / elements.length;
