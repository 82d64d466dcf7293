// The data of the training workloads: a network of 64 inputs, hidden units and 10 classes on 359 rows, as examples/digits-network has them,
// networks of many layers of 64 units on 128 rows, a convolution network on 32 images, and an embedding.
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

export const kImages = 32;

/** The operands of the convolution network by name: 16 and 32 filters of 3 x 3 on images of 28 x 28, two poolings, 10 classes. */
export function convolutionData() {
  const scaled = (sizes, seed, scale) => {
    const count = sizes.reduce((product, size) => product * size, 1);
    return [floats(count, seed).map((value) => value * scale), sizes];
  };
  const y = new Float32Array(kImages * 10);
  for (let image = 0; image < kImages; image++) y[image * 10 + ((image * 7) % 10)] = 1;
  return {
    x: scaled([kImages, 28, 28, 1], 1, 1),
    y: [y, [kImages, 10]],
    f1: scaled([3, 3, 1, 16], 2, 0.3),
    b1: scaled([16], 5, 0.1),
    f2: scaled([3, 3, 16, 32], 3, 0.1),
    b2: scaled([32], 6, 0.1),
    w: scaled([1568, 10], 4, 0.05),
    b: scaled([10], 7, 0.1),
  };
}

/** The rows of the embedding's table, and of the small one that it is measured against. */
export const kTableRows = { ours: 50_000, small: 500 };

export const meanOf = (elements) => elements.reduce((sum, element) => sum + element, 0) / elements.length;
