// onnxruntime-web with its WebAssembly backend and one thread: one graph per workload, asynchronous.
import * as ort from "onnxruntime-web";
import { dataOf, kDeviations, kEpsilon, kImageDims, imageBytes, kInputs, kMeans, meanOf } from "../expressions-data.mjs";
import { floatsOf, longs, model, node } from "./onnx-model.mjs";
import { elementsOf, kSelectionInputs } from "../selections-data.mjs";

ort.env.wasm.numThreads = 1;

const kNames = ["a", "b", "c"];

/** Maps each workload to its nodes, and to the result's dims, its dtype and constants by name where needed. */
const reduction = (op, axes, dims) => ({
  nodes: [node(op, ["a", "axes"], ["y"], { keepdims: 0 })],
  dims,
  constants: [longs("axes", axes)],
});
const expChain = { nodes: [node("Mul", ["a", "b"], ["t"]), node("Add", ["t", "c"], ["u"]), node("Exp", ["u"], ["y"])] };
const product = (dims) => ({ nodes: [node("MatMul", ["a", "b"], ["y"])], dims });
const unary = (op, attributes) => ({ nodes: [node(op, ["a"], ["y"], attributes)] });

const graphs = {
  "add 100": { nodes: [node("Add", ["a", "b"], ["y"])] },
  "add 1e4": { nodes: [node("Add", ["a", "b"], ["y"])] },
  "exp(a*b+c) 1e4": expChain,
  "exp(a*b+c) 1e6": expChain,
  "exp(a*b+c) 1e7": expChain,
  "relu chain": {
    nodes: [node("Sub", ["a", "b"], ["t"]), node("Mul", ["t", "k"], ["u"]), node("Add", ["u", "l"], ["v"]), node("Relu", ["v"], ["y"])],
    constants: [floatsOf("k", [1.5], []), floatsOf("l", [0.25], [])],
  },
  sigmoid: unary("Sigmoid"),
  tanh: unary("Tanh"),
  gelu: unary("Gelu", { approximate: "tanh" }),
  "sum all": reduction("ReduceSum", [0, 1], []),
  "max all": reduction("ReduceMax", [0, 1], []),
  "sum axis 0": reduction("ReduceSum", [0], [1024]),
  "sum axis 1": reduction("ReduceSum", [1], [1024]),
  "sum rows of 8": reduction("ReduceSum", [1], [1e5]),
  "argmax rows": { ...unary("ArgMax", { axis: 1, keepdims: 0 }), dims: [1024], dtype: "int64" },
  softmax: unary("Softmax", { axis: -1 }),
  layerNorm: { nodes: [node("LayerNormalization", ["a", "b", "c"], ["y"], { axis: -1, epsilon: { float: kEpsilon } })] },
  "transpose copy": unary("Transpose", { perm: [1, 0] }),
  "conv2d small": {
    nodes: [
      node("Transpose", ["a"], ["s"], { perm: [0, 3, 1, 2] }),
      node("Transpose", ["b"], ["t"], { perm: [3, 2, 0, 1] }),
      node("Conv", ["s", "t"], ["u"], { pads: [1, 1, 1, 1] }),
      node("Transpose", ["u"], ["y"], { perm: [0, 2, 3, 1] }),
    ],
  },
  "matMul 4": product([4, 4]),
  "matMul 16": product([16, 16]),
  "matMul 64": product([64, 64]),
  "matMul 256": product([256, 256]),
  "matMul 511": product([511, 511]),
  "matMul 512": product([512, 512]),
  "matMul 1024": product([1024, 1024]),
  "matMul batch": product([32, 128, 128]),
  "matMul vector": product([1024, 1]),
  "matMul transposed 512": { nodes: [node("Gemm", ["a", "b"], ["y"], { transA: 1 })], dims: [512, 512] },
  "matMul by transposed 512": { nodes: [node("Gemm", ["a", "b"], ["y"], { transB: 1 })], dims: [512, 512] },
  "matMul both transposed 512": { nodes: [node("Gemm", ["a", "b"], ["y"], { transA: 1, transB: 1 })], dims: [512, 512] },
  "matMul float64 512": { ...product([512, 512]), dtype: "float64" },
  "matMul int8 512": { nodes: [node("MatMulInteger", ["a", "b"], ["y"])], dims: [512, 512], dtype: "int32" },
  "f32 to f16": { ...unary("Cast", { to: 10 }), dtype: "float16" },
};

/** Returns the case of a graph. The session is created on first use, because that is asynchronous. */
export function caseOf({ nodes, constants, inputs, output }) {
  let session;
  const feeds = Object.fromEntries(inputs.map(([name, dtype, dims, data]) => [name, new ort.Tensor(dtype, data, dims)]));
  const open = async () =>
    (session ??= await ort.InferenceSession.create(model({ nodes, constants, inputs, outputs: [output] }), {
      executionProviders: ["wasm"],
    }));
  const run = async () => (await (session ?? (await open())).run(feeds)).y;
  return {
    isAsync: true,
    run,
    checksum: async () => meanOf((await run()).data),
    free: () => session?.release(),
    note: "copies in and out",
  };
}

/** Returns the case of the largest elements of rows. The places are an output, too, but the checksum needs only the values. */
function largest(k) {
  const [{ dims, dtype }] = kSelectionInputs[`topK ${k} of rows`];
  return () =>
    caseOf({
      nodes: [node("TopK", ["a", "k"], ["y", "i"], { axis: -1 })],
      constants: [longs("k", [k])],
      inputs: [["a", dtype, dims, elementsOf(kSelectionInputs[`topK ${k} of rows`][0])]],
      output: ["y", dtype, [dims[0], k]],
    });
}

export const expressionsOfOnnxruntime = {
  ...Object.fromEntries([1, 10, 50].map((k) => [`topK ${k} of rows`, largest(k)])),
  ...Object.fromEntries(
    Object.entries(graphs).map(([name, { nodes, constants, dims, dtype = "float32" }]) => [
      name,
      () =>
        caseOf({
          nodes,
          constants,
          inputs: kInputs[name].map((one, i) => [kNames[i], one.dtype, one.dims, dataOf(one)]),
          output: ["y", dtype, dims ?? (name === "transpose copy" ? [2048, 2048] : kInputs[name][0].dims)],
        }),
    ]),
  ),
  image: () =>
    caseOf({
      nodes: [
        node("Cast", ["a"], ["f"], { to: 1 }),
        node("Div", ["f", "k"], ["g"]),
        node("Sub", ["g", "m"], ["h"]),
        node("Div", ["h", "d"], ["y"]),
      ],
      constants: [floatsOf("k", [255], []), floatsOf("m", kMeans), floatsOf("d", kDeviations)],
      inputs: [["a", "uint8", kImageDims, imageBytes()]],
      output: ["y", "float32", kImageDims],
    }),
};
