// onnxruntime-web's sessions and its Tensor, which has a type, data and dims: no views except reshape, no reference counts, no
// element access.
import { Tensor } from "onnxruntime-common";
import { expressionsOfOnnxruntime } from "./onnxruntime-expressions.mjs";
import { windowsOfOnnxruntime } from "./onnxruntime-windows.mjs";
import { kSide, matrixData, reshapeChecksum } from "../data.mjs";

let sink;

export const cases = {
  ...expressionsOfOnnxruntime,
  ...windowsOfOnnxruntime,
  reshape() {
    const matrix = new Tensor("float32", matrixData(), [kSide, kSide]);
    return {
      run: () => void (sink = matrix.reshape([512, 2048])),
      checksum: () => reshapeChecksum(matrix.reshape([512, 2048]).data[2051], matrix.reshape([512, 2048]).dims.length),
      note: "uncounted",
    };
  },
};

export const last = () => sink;
