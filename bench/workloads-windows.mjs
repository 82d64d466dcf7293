// The workloads of windows (convolutions, pooling, resizing) and of products with few rows, columns or k.
import { timesTheBest } from "./targets.mjs";
import { kWindowInputs, sideOf, strideOf } from "./windows-data.mjs";

const kPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js", "onnxruntime"];
/** The relative tolerance of checksums: libraries add in different orders. */
const kSums = 1e-3;

const shown = (inputs) => inputs.map(({ dims }) => `[${dims}]`).join(" by ");

/** Describes a workload: its inputs, the windows and their distance, or the new size. */
function textOf(name, inputs) {
  const side = sideOf(name);
  if (name.startsWith("matMul")) return `${shown(inputs)} float32`;
  if (side !== null) return `${shown(inputs)} float32 to [${side},${side}], bilinear`;
  const windows = name.includes("pool") ? ", windows of [3,3]" : "";
  return `${shown(inputs)} float32${windows}, padding same${strideOf(name) === 1 ? "" : `, stride ${strideOf(name)}`}`;
}

export const kWindows = Object.entries(kWindowInputs).map(([name, inputs]) => ({
  name,
  text: textOf(name, inputs),
  targets: [timesTheBest(kPeers, 1)],
  tolerance: kSums,
}));
