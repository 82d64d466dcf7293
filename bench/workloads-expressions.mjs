// The expression workloads. Every library makes a fresh result and releases it; ours also builds the expression again each time.
import { atMost, fasterThan, timesTheBest } from "./targets.mjs";

const kPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js", "onnxruntime", "scijs"];
const best = (factor) => [timesTheBest(kPeers, factor)];
const numpy = fasterThan(["numpy"], 1);

/** The relative tolerance for sums of libraries that add the elements one after the other in float32. */
const kNaive = 1e-4;

export const kExpressions = [
  { name: "add 100", text: "a + b, 100 float32", targets: best(8) },
  { name: "add 1e4", text: "a + b, 10,000 float32", targets: best(1.6) },
  { name: "exp(a*b+c) 1e4", text: "10,000 float32, within 1 ulp", targets: [...best(2.3), numpy] },
  { name: "exp(a*b+c) 1e6", text: "1,000,000 float32", targets: [...best(2.3), numpy] },
  { name: "exp(a*b+c) 1e7", text: "10,000,000 float32", targets: [...best(2.3), numpy] },
  { name: "relu chain", text: "relu((a - b) * 1.5 + 0.25), 1,000,000 float32", targets: best(3) },
  { name: "sigmoid", text: "1,000,000 float32 in [-4, 4)", targets: best(1.1) },
  { name: "tanh", text: "1,000,000 float32 in [-4, 4)", targets: best(2) },
  { name: "gelu", text: "by its tanh formula, 1,000,000 float32 in [-4, 4)", targets: best(1.9) },
  { name: "sum all", text: "[1024,1024] float32 to a scalar", targets: best(4), tolerance: kNaive },
  { name: "max all", text: "[1024,1024] float32 to a scalar", targets: best(2.5) },
  { name: "sum axis 0", text: "[1024,1024] float32 to [1024]", targets: best(1.8), tolerance: kNaive },
  { name: "sum axis 1", text: "[1024,1024] float32 to [1024]", targets: best(1.6), tolerance: kNaive },
  { name: "argmax rows", text: "[1024,1024] float32 to [1024]", targets: best(6) },
  { name: "mean and variance rows", text: "[1024,1024] float32 to twice [1024]", targets: best(2.5) },
  { name: "softmax", text: "rows of [1024,1024] float32", targets: best(process.versions.node.startsWith("20.") ? 1 : 1.6) },
  { name: "layerNorm", text: "rows of [1024,1024] float32, scaled and shifted", targets: best(8) },
  { name: "transpose copy", text: "[2048,2048] float32", targets: best(3) },
  { name: "f32 to f16", text: "1,000,000 elements", targets: best(2) },
  { name: "f32 to bf16", text: "1,000,000 elements; raw rounds bits in a loop", targets: [fasterThan(["raw"], 10)] },
  {
    name: "image",
    text: "[224,224,3] uint8 to (x / 255 - mean) / deviation in float32; raw is one loop",
    targets: [fasterThan(["raw"], 1.5)],
  },
  {
    name: "first use",
    text: "a new expression of 100 elements built, lowered, emitted, compiled and run, after others of the process",
    targets: [atMost(1e6, "ns")],
  },
  {
    name: "lower 1000-deep shared chain",
    text: "e = e + reverse(e), 1,000 times, of 6 int32: planned, lowered and run; the chain is new each time",
    targets: [atMost(1e9, "ns")],
  },
  {
    name: "assign 100",
    text: "out = a + b into memory that is there, 100 float32; raw is the loop",
  },
  {
    name: "assign 1000",
    text: "out = a + b into memory that is there, 1,000 float32; raw is the loop",
    targets: [fasterThan(["raw"], 1)],
  },
  {
    name: "assign wrapped 1000",
    text: "the same over arrays of one's own, which are copied into the arena and out of it; raw is the loop",
    targets: [atMost(1500, "ns")],
  },
  {
    name: "4,096 kernels in turn",
    text: "a call of an expression of 100 elements, one of 4,096 different ones in turn, each compiled before",
    targets: [atMost(30_000, "ns")],
  },
];
