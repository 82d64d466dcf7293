// jax-js with its WebAssembly backend: lazy views, ownership by `.ref`. It has no element access.
import { defaultDevice, init, numpy as np } from "@jax-js/jax";
import { SIDE, matrixData, reshapeChecksum, sliceChecksum } from "../data.mjs";

await init("wasm");
defaultDevice("wasm");

export const cases = {
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
