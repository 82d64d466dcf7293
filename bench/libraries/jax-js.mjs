// jax-js with its WebAssembly backend: lazy views, ownership through `.ref`, no access to single elements.
import { defaultDevice, init, numpy as np } from "@jax-js/jax";
import { ALLOC_ELEMENTS, ALLOC_SIDE, allocCases, LARGEST } from "../alloc.mjs";
import { SIDE, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";
import { memoryCases } from "../rss.mjs";
import { expressionsOfJaxJs } from "./jax-js-expressions.mjs";

await init("wasm");
defaultDevice("wasm");

let sink;
const others = new Float32Array(LARGEST);
const values = others.subarray(0, ALLOC_ELEMENTS);

export const cases = {
  ...expressionsOfJaxJs,
  ...allocCases({
    make: () => np.array(values, { shape: [ALLOC_SIDE, ALLOC_SIDE] }),
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
    const matrix = np.array(matrixData()).reshape([SIDE, SIDE]);
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
    const matrix = np.array(matrixData()).reshape([SIDE, SIDE]);
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
