// The workloads of small operations that have run before, and of a small network. In every run onebuffer builds the expression again,
// unless the text says that it is prebuilt.
import { atMost, fasterThan, timesOf } from "./targets.mjs";

const kLibraries = ["tfjs-cpu", "tfjs-wasm", "numpy-ts"];
const numpy = fasterThan(["numpy"], 1);

export const kSmall = [
  { name: "assign prebuilt 1", text: "out = ((a + b) * a - b) + 2 of one element, prebuilt", targets: [atMost(400, "ns")] },
  { name: "assign steps", text: "out = (a - mean(a, 0)) / max(a, 1) of [10,10], prebuilt: three kernels", targets: [atMost(1000, "ns")] },
  { name: "assign sum 10", text: "out = sum(a) of 10, prebuilt", targets: [atMost(500, "ns")] },
  { name: "assign bias 10x10", text: "out = a + b of [10,10] and [10], prebuilt", targets: [atMost(500, "ns")] },
  { name: "softmax [100,10]", text: "rows of float32", targets: [numpy] },
  { name: "softmax transposed 256", text: "rows of the transpose of [256,256] float32", targets: [numpy] },
  { name: "variance axis 0 [256,8]", text: "float32", targets: [numpy], tolerance: 1e-5 },
  { name: "sum 10", text: "10 float32, the expression built anew", targets: [fasterThan(kLibraries, 1)], tolerance: 1e-5 },
  { name: "cumsum 10", text: "10 float32, the expression built anew", targets: [fasterThan(kLibraries, 1)], tolerance: 1e-5 },
  { name: "trace 64", text: 'einsum("ii->") of [64,64] float32', targets: [timesOf("numpy", 3)], tolerance: 1e-5 },
  { name: "HWC to CHW [64,64,3]", text: "a dense copy, float32", targets: [numpy] },
  { name: "pad [64,64]", text: "by 1 on all sides, float32", targets: [numpy] },
  { name: "stack two [64,64]", text: "to [2,64,64], float32", targets: [numpy] },
  {
    name: "network step",
    text: "a 64-64-10 network on a batch of 100: forward, gradients written out, update",
    targets: [timesOf("numpy", 3), fasterThan(["tfjs-cpu"], 10), fasterThan(["tfjs-wasm"], 3)],
    tolerance: 1e-4,
  },
  {
    name: "network 450 steps cold",
    afresh: true,
    text: "the first 450 steps of such a network in a new process",
    targets: [atMost(0.4e9, "ns")],
  },
];
