// onnxruntime-web's convolutions, pooling and resizing, with the channels first as ONNX has them: nothing is transposed in the graphs.
import { dataOf } from "../expressions-data.mjs";
import { kWindowInputs, sideOf, strideOf } from "../windows-data.mjs";
import { floatsOf, node } from "./onnx-model.mjs";
import { caseOf } from "./onnxruntime-expressions.mjs";

/** Returns elements with their axes in another order, and the sizes. */
function shuffled(data, dims, order) {
  const sizes = order.map((axis) => dims[axis]);
  const strides = dims.map((_, axis) => dims.slice(axis + 1).reduce((a, b) => a * b, 1));
  const out = new Float32Array(data.length);
  const index = sizes.map(() => 0);
  for (let i = 0; i < out.length; i++) {
    out[i] = data[index.reduce((sum, at, k) => sum + at * strides[order[k]], 0)];
    for (let k = sizes.length - 1; k >= 0 && ++index[k] === sizes[k]; k--) index[k] = 0;
  }
  return [out, sizes];
}

/** Returns the padding "same" of windows of 3 by 3: what comes before and after along both axes. */
function padsOf(name, height) {
  const stride = strideOf(name);
  const all = Math.max(0, (Math.ceil(height / stride) - 1) * stride + 3 - height);
  return [Math.floor(all / 2), Math.floor(all / 2), Math.ceil(all / 2), Math.ceil(all / 2)];
}

function graphOf(name, [x, filters]) {
  if (name.startsWith("matMul")) return { nodes: [node("MatMul", ["a", "b"], ["y"])], dims: [x.dims[0], filters.dims[1]] };
  const [batch, height, , channels] = x.dims;
  const side = sideOf(name);
  if (side !== null) {
    const scales = [1, 1, side / height, side / height];
    const attributes = { mode: "linear", coordinate_transformation_mode: "half_pixel" };
    return {
      nodes: [node("Resize", ["a", "", "scales"], ["y"], attributes)],
      constants: [floatsOf("scales", scales)],
      dims: [batch, channels, side, side],
    };
  }
  const stride = strideOf(name);
  const out = Math.ceil(height / stride);
  const windows = { strides: [stride, stride], pads: padsOf(name, height) };
  if (name.startsWith("max"))
    return { nodes: [node("MaxPool", ["a"], ["y"], { kernel_shape: [3, 3], ...windows })], dims: [batch, channels, out, out] }; // prettier-ignore
  if (name.startsWith("mean"))
    return { nodes: [node("AveragePool", ["a"], ["y"], { kernel_shape: [3, 3], ...windows })], dims: [batch, channels, out, out] }; // prettier-ignore
  const isDepthwise = name.startsWith("depthwise");
  const group = isDepthwise ? { group: channels } : {};
  return {
    nodes: [node("Conv", ["a", "b"], ["y"], { ...windows, ...group })],
    dims: [batch, isDepthwise ? channels : filters.dims[3], out, out],
  };
}

/** Returns an input as the graph takes it: images with the channels first, filters as [filters, channels of a group, height, width]. */
function inputOf(name, one, k) {
  const data = dataOf(one);
  if (name.startsWith("matMul")) return [data, one.dims];
  if (k === 0) return shuffled(data, one.dims, [0, 3, 1, 2]);
  return shuffled(data, one.dims, name.startsWith("depthwise") ? [2, 3, 0, 1] : [3, 2, 0, 1]);
}

export const windowsOfOnnxruntime = Object.fromEntries(
  Object.entries(kWindowInputs).map(([name, inputs]) => [
    name,
    () => {
      const { nodes, constants = [], dims } = graphOf(name, inputs);
      const given = inputs.map((one, k) => {
        const [data, sizes] = inputOf(name, one, k);
        return [["a", "b"][k], "float32", sizes, data];
      });
      return caseOf({ nodes, constants, inputs: given, output: ["y", "float32", dims] });
    },
  ]),
);
