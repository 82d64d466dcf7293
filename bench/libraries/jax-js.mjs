// jax-js with its WebAssembly backend: lazy views, ownership through `.ref`, no access to single elements.
import { defaultDevice, init, numpy as np } from "@jax-js/jax";
import { kAllocElements, kAllocSide, allocCases, kLargest } from "../alloc.mjs";
import { kSide, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";
import { memoryCases } from "../rss.mjs";
import { expressionsOfJaxJs } from "./jax-js-expressions.mjs";
import { trainingOfJaxJs } from "./jax-js-training.mjs";

await init("wasm");
defaultDevice("wasm");

let sink;
const others = new Float32Array(kLargest);
const values = others.subarray(0, kAllocElements);

export const cases = {
  ...expressionsOfJaxJs,
  ...trainingOfJaxJs,
  ...allocCases({
    make: () => np.array(values, { shape: [kAllocSide, kAllocSide] }),
    makeOther: (elements) => np.array(others.subarray(0, elements)),
    dispose: (tensor) => tensor.dispose(),
    sizeOf: (tensor) => tensor.size,
    note: "from the caller's floats",
  }),
  ...memoryCases(
    async (data) => {
      const sum = await np.array(data).add(1).blockUntilReady();
      sum.dispose();
    },
    (data) => void (sink = np.array(data)),
  ),
  reshape() {
    const matrix = np.array(matrixData()).reshape([kSide, kSide]);
    return {
      run: () => matrix.ref.reshape([512, 2048]).dispose(),
      checksum() {
        const view = matrix.ref.reshape([512, 2048]);
        const rank = view.ndim;
        return reshapeChecksum(view.dataSync()[2051], rank);
      },
    };
  },
  slice() {
    const matrix = np.array(matrixData()).reshape([kSide, kSide]);
    return {
      run: () => matrix.ref.slice([256, 512]).dispose(),
      checksum() {
        const view = matrix.ref.slice([256, 512]);
        const rows = view.shape[0];
        const data = view.dataSync();
        return sliceChecksum(data[0], data[data.length - 1], rows);
      },
    };
  },
};

export const last = () => sink;
