// @jax-js/loaders 0.1.1: reads safetensors.
import { safetensors } from "@jax-js/loaders";
import { fileChecksum, kTensors, safetensorsFile } from "../files-data.mjs";

let sink;

export const cases = {
  "safetensors read"() {
    const file = safetensorsFile();
    return {
      run: () => void (sink = safetensors.parse(file)),
      checksum() {
        const { tensors } = safetensors.parse(file);
        return fileChecksum(Object.keys(tensors).length, tensors[`model.layers.${kTensors - 1}.weight`].data[64 * 63 + 63]);
      },
    };
  },
};

export const last = () => sink;
