// The expression workloads. In every run a library makes a new result and releases it; onebuffer also builds the expression again.
// `text` describes the workload in the report; "raw" is a loop in plain JavaScript.
import { atMost, fasterThan, timesTheBest } from "./targets.mjs";

const kPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js", "onnxruntime", "scijs"];
const best = (factor) => [timesTheBest(kPeers, factor)];
const numpy = fasterThan(["numpy"], 1);

/** The relative tolerance of checksums where some libraries add all elements in sequence in float32. */
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
  { name: "gelu", text: "tanh approximation, 1,000,000 float32 in [-4, 4)", targets: best(1.9) },
  { name: "sum all", text: "[1024,1024] float32 to a scalar", targets: best(4), tolerance: kNaive },
  { name: "max all", text: "[1024,1024] float32 to a scalar", targets: best(2.5) },
  { name: "sum axis 0", text: "[1024,1024] float32 to [1024]", targets: best(1.8), tolerance: kNaive },
  { name: "sum axis 1", text: "[1024,1024] float32 to [1024]", targets: best(1.6), tolerance: kNaive },
  { name: "sum rows of 8", text: "[100000,8] float32 to [100000]", targets: [...best(1), numpy], tolerance: kNaive },
  { name: "argmax rows", text: "[1024,1024] float32 to [1024]", targets: best(6) },
  { name: "mean and variance rows", text: "[1024,1024] float32 to two results of [1024]", targets: best(2.5) },
  { name: "softmax", text: "rows of [1024,1024] float32", targets: best(process.versions.node.startsWith("20.") ? 1 : 1.6) },
  { name: "layerNorm", text: "rows of [1024,1024] float32, scaled and shifted", targets: best(8) },
  { name: "transpose copy", text: "[2048,2048] float32", targets: best(3) },
  { name: "conv2d", text: "[1,56,56,64] with 64 filters of [3,3,64], padding same, float32", targets: best(1.3), tolerance: kNaive },
  { name: "max pool", text: "[1,112,112,64] float32, windows of [2,2]", targets: best(1) },
  { name: "cumsum 1e6", text: "1,000,000 float32", targets: [...best(1), fasterThan(["numpy"], 0.77)], tolerance: kNaive },
  { name: "cumsum axis 0", text: "[1024,1024] float32", targets: [...best(1), fasterThan(["numpy"], 0.77)], tolerance: kNaive },
  { name: "cumsum 1000", text: "1,000 float32", targets: [numpy], tolerance: kNaive },
  { name: "topK 10 of 1e6", text: "the values of 1,000,000 float32", targets: [atMost(1e6, "ns")] },
  { name: "concatenate two [64,64]", text: "along the first axis, float32", targets: [numpy] },
  { name: "roll [256,256]", text: "float32, by 10 and 20" },
  { name: "f32 to f16", text: "1,000,000 elements", targets: best(2) },
  { name: "f32 to bf16", text: "1,000,000 elements; raw is a loop that rounds the bits", targets: [fasterThan(["raw"], 10)] },
  {
    name: "image",
    text: "[224,224,3] uint8 to (x / 255 - mean) / deviation in float32; raw is one loop",
    targets: [fasterThan(["raw"], 1.5)],
  },
  {
    name: "first use",
    text: "a new expression of 100 elements built, lowered, emitted, compiled and run; the process has run others before",
    targets: [atMost(1e6, "ns")],
  },
  {
    name: "lower 1000-deep shared chain",
    text: "e = e + reverse(e) 1,000 times over 6 int32: planned, lowered and run; each run builds a new chain",
    targets: [atMost(1e9, "ns")],
  },
  {
    name: "assign 100",
    text: "out = a + b into existing memory, 100 float32; raw is one loop",
  },
  {
    name: "assign 1000",
    text: "out = a + b into existing memory, 1,000 float32; raw is one loop",
    targets: [fasterThan(["raw"], 1)],
  },
  {
    name: "assign wrapped 1000",
    text: "out = a + b over wrapped arrays outside the arena, copied into it and back, 1,000 float32; raw is one loop",
    targets: [atMost(1500, "ns")],
  },
  {
    name: "4,096 kernels in turn",
    text: "one call of an expression of 100 elements; the calls cycle through 4,096 different expressions, all compiled before",
    targets: [atMost(30_000, "ns")],
  },
];
