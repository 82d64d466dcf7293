// The workloads and their targets. Times are in ns per operation, sizes in heap bytes per object or MiB of resident memory.
import { atMost, fasterThan, timesOf } from "./targets.mjs";
import { kFiles } from "./workloads-files.mjs";
import { kDecompositions } from "./workloads-decompositions.mjs";
import { kDTypes } from "./workloads-dtypes.mjs";
import { kExpressions } from "./workloads-expressions.mjs";
import { kOrders } from "./workloads-orders.mjs";
import { kPlans } from "./workloads-plans.mjs";
import { kProducts } from "./workloads-products.mjs";
import { kSignal } from "./workloads-signal.mjs";
import { kSmall } from "./workloads-small.mjs";
import { kMatrices } from "./workloads-matrices.mjs";
import { kTraining } from "./workloads-training.mjs";
import { kWindows } from "./workloads-windows.mjs";

/** onebuffer, plain JavaScript, and some of our own cases in separate processes, which other cases are compared with. */
export const kOwn = ["ours", "raw", "tensor-map", "empty-arena", "by-hand", "whole"];
export const kPeers = [
  "tfjs-cpu",
  "tfjs-wasm",
  "numpy-ts",
  "ml-matrix",
  "jax-js",
  "scijs",
  "stdlib",
  "onnxruntime",
  "protobuf-es",
  "protobufjs",
  "hash-wasm",
  "npyjs",
  "jax-js-loaders",
  "pffft-wasm",
  "fft-js",
  "kissfft-wasm",
  "numpy",
  "scipy",
  "jax",
];

const kViewPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js"];

export const kWorkloads = [
  { name: "reshape", text: "[1024,1024] float32 to [512,2048], then release", targets: [atMost(60, "ns"), fasterThan(kViewPeers, 10)] },
  { name: "slice", text: "rows 256 to 511 of [1024,1024] float32, then release", targets: [atMost(60, "ns"), fasterThan(kViewPeers, 10)] },
  { name: "view", text: "the typed rank-2 view of a [1024,1024] float32, then release of its handle", targets: [atMost(60, "ns")] },
  {
    name: "at",
    text: "sum of 512x512 float32 by at(i, j), the row loop in a function of its own, after all dtypes were read and written",
    targets: [timesOf("raw", 2)],
  },
  { name: "at nested", text: "the same as two nested loops in one function" },
  {
    name: "set",
    text: "512x512 float32 written by set(i, j, v), the row loop in a function of its own, after all dtypes",
    targets: [timesOf("raw", 2)],
  },
  { name: "set nested", text: "the same as two nested loops in one function" },
  {
    name: "strided at",
    text: "sum of 512x512 float32 by at(i, j) of a StridedMap over the same bytes; tensor-map is TensorMap's at",
    targets: [timesOf("tensor-map", 1.3)],
  },
  {
    name: "relayout",
    text: "float32 [2048,2048] from {1,0} to {0,1}; raw is the best blocked JavaScript transpose",
    targets: [timesOf("raw", 1.2)],
  },
  { name: "layout at", text: "sum of 512x512 float32 by LayoutView.at(i, j), {1,0}", targets: [atMost(3, "ns")] },
  { name: "linear index", text: "IndexUtil: linear index of rank 4, {3,2,1,0}", targets: [atMost(10, "ns")] },
  {
    name: "shape make",
    text: "new TensorShape([i, 3, 4]) after a 2^33-element, a partial and an out-of-line shape; raw is the literal [i, 3, 4]",
    targets: [timesOf("raw", 3)],
  },
  { name: "shape dimSize", text: "dimSize(1)", targets: [atMost(5, "ns")] },
  { name: "shape equality", text: "isSameSize of two shapes", targets: [atMost(5, "ns")] },
  {
    name: "shape heap",
    unit: "bytes",
    text: "heap of a shape [i, 3, 4], counting everything it owns; raw is a number[3]",
    targets: [atMost(72, "bytes")],
  },
  {
    name: "shape heap Rep32",
    unit: "bytes",
    text: "heap of a shape [70000 + i, 3]; raw is a Uint8Array(16)",
    targets: [atMost(72, "bytes")],
  },
  { name: "reshaped tensor heap", unit: "bytes", text: "heap of a reshaped Tensor with its shape", targets: [atMost(136, "bytes")] },
  { name: "alloc", text: "a float32 tensor of 64 KiB made, its contents whatever they are, and disposed", targets: [atMost(150, "ns")] },
  {
    name: "alloc at 100,000 live",
    text: "the same beside 100,000 live tensors of 256 B to 4 KiB; empty-arena is the same alone",
    targets: [timesOf("empty-arena", 1.5)],
  },
  {
    name: "alloc with 100,000 free fragments",
    text: "the same when every other one of 200,000 tensors was given back, most of them of 256 B to 4 KiB, 10,000 of 64 to 112 KiB",
    targets: [timesOf("empty-arena", 3)],
  },
  {
    name: "alloc, share, free",
    text: "a float32 tensor of 64 KiB made, shared for the first time, its handle taken back, and disposed",
    targets: [atMost(500, "ns")],
  },
  {
    name: "64 MiB to a worker",
    text: "shared, posted to a running worker, received and read there, and the answer back; raw is a Float32Array, cloned",
    targets: [atMost(300_000, "ns")],
  },
  {
    name: "up/down/up RSS",
    unit: "MiB",
    afresh: true,
    text: "growth of the process: two tensors at a time, 64 KiB to 12.5 MiB and back, 25 MiB live at most, 3,000 rounds",
    targets: [atMost(1.5 * 25 + 32, "MiB")],
  },
  {
    name: "dropped RSS",
    unit: "MiB",
    afresh: true,
    text: "the process: 3,000 tensors of 1 MiB written and forgotten, a pause for the event loop every 16; ours sweeps as a last resort only",
    targets: [atMost(320, "MiB")],
  },
  {
    name: "dropped RSS, synchronous",
    unit: "MiB",
    afresh: true,
    text: "the same without any pause, until the process has grown by 1,536 MiB; ours sweeps when the arena or a quarter of the machine is full",
  },
  {
    name: "dropped RSS, eager",
    unit: "MiB",
    afresh: true,
    text: 'with pauses, and ours told to sweep: "eager"',
    targets: [atMost(256, "MiB")],
  },
  {
    name: "dropped RSS, synchronous, eager",
    unit: "MiB",
    afresh: true,
    text: "the same without any pause",
    targets: [atMost(256, "MiB")],
  },
  { name: "proto decode content", text: "TensorProto with 64 MiB of tensor_content, decoded", targets: [atMost(20_000, "ns")] },
  {
    name: "proto tensor of content",
    text: "the same, as far as a Tensor over the message's bytes, then release",
    targets: [atMost(20_000, "ns")],
  },
  { name: "proto encode content", text: "the same message, encoded", targets: [atMost(1e6, "ns")] },
  { name: "proto decode packed", text: "TensorProto with a million floats in float_val, decoded", targets: [atMost(4e6, "ns")] },
  { name: "proto encode packed", text: "the same message, encoded", targets: [atMost(4e6, "ns")] },
  { name: "proto decode small", text: "TensorProto float [2,3] with six values in float_val, decoded", targets: [atMost(1000, "ns")] },
  { name: "proto encode small", text: "the same message, encoded", targets: [atMost(1000, "ns")] },
  {
    name: "proto bundle",
    unit: "bytes",
    text: "@onebuffer/proto minified and gzipped, with what it uses of its dependency and without the packages below it",
    targets: [atMost(12_000, "bytes")],
  },
  { name: "slice heap", unit: "bytes", text: "heap of a slice with its shape and SubBuffer", targets: [atMost(220, "bytes")] },
  ...kExpressions,
  ...kPlans,
  ...kProducts,
  ...kWindows,
  ...kTraining,
  ...kMatrices,
  ...kSignal,
  ...kDecompositions,
  ...kSmall,
  ...kOrders,
  ...kDTypes,
  ...kFiles,
];
