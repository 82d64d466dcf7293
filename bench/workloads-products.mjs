// The workloads of matrix products and of sorting. "raw" of a product is not a product: it executes as many multiplications and additions
// in registers (peak.mjs), so that its ratio is the share of the machine's peak.
import { engine } from "@onebuffer/wasm/internal";
import { atLeast, atMost, fasterThan, timesOf, timesTheBest } from "./targets.mjs";

const kPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js", "onnxruntime"];
const best = (factor) => timesTheBest(kPeers, factor);
/** The share of the peak that large products reach, if n is a multiple of 8 and if it is not. */
const [share, raggedShare] = engine().relaxed ? [0.9, 0.85] : [0.75, 0.68];
const peakTimes = (factor) => timesOf("raw", Number(factor.toFixed(2)));
const large = [peakTimes(1 / share), fasterThan(["tfjs-wasm"], engine().relaxed ? 1.6 : 1.25)];
/** The other ways to read the operands may take a tenth longer. */
const transposed = [peakTimes(1.1 / share)];

/** The relative tolerance of checksums: libraries add the products in different orders. */
const kSums = 1e-4;

/**
 * In how many turns rows of microseconds are measured whose targets are shares of another program's time (run.mjs). On a virtual machine
 * another one may use the other half of a processor's core for seconds: sorting then takes twice as long, other work as long as before.
 */
const kTurns = 24;

const square = (n) => `[${n},${n}] by [${n},${n}]`;
/** Work on two threads. "raw" is the same work on one thread. */
const kOnTwo = [
  { name: "matMul 512, two threads", text: "[512,512] by [512,512] float32; raw is one thread", targets: [fasterThan(["raw"], 1.85)] },
  { name: "matMul 1024, two threads", text: "[1024,1024] by [1024,1024] float32; raw is one thread", targets: [fasterThan(["raw"], 1.85)] },
  { name: "exp(a*b+c) 1e6, two threads", text: "1,000,000 float32; raw is one thread", targets: [fasterThan(["raw"], 1.7)] },
  { name: "transpose 2048, two threads", text: "[2048,2048] float32; raw is one thread", targets: [] },
  { name: "sum rows 1024, two threads", text: "[1024,1024] float32; raw is one thread", targets: [] },
  ...["add 1e4", "matMul 64", "sum 1e6", "sum axis 0", "max pool"].map((what) => ({
    name: `${what}, two threads`,
    text: "time on one thread / time on two, in turn in one process; below 1 the pool is slower",
    unit: "ratio",
    targets: [atLeast(0.97)],
  })),
  { name: "hand-off to a spinning worker", text: "until an empty part of a job is done", targets: [atMost(1000, "ns")] },
  { name: "hand-off to a parked worker", text: "until an empty part of a job is done", targets: [atMost(30_000, "ns")] },
];

export const kProducts = [
  { name: "matMul 4", text: `${square(4)} float32`, targets: [atMost(600, "ns")], tolerance: kSums },
  { name: "matMul 16", text: `${square(16)} float32`, targets: [atMost(1300, "ns")], tolerance: kSums },
  { name: "matMul 64", text: `${square(64)} float32; raw is the peak`, targets: [best(1.5)], tolerance: kSums },
  { name: "matMul 256", text: `${square(256)} float32; raw is the peak`, targets: large, tolerance: kSums },
  { name: "matMul 511", text: `${square(511)} float32; raw is the peak`, targets: [peakTimes(1 / raggedShare)], tolerance: kSums },
  { name: "matMul 512", text: `${square(512)} float32; raw is the peak`, targets: large, tolerance: kSums },
  { name: "matMul 1024", text: `${square(1024)} float32; raw is the peak`, targets: large, tolerance: kSums },
  { name: "matMul transposed 512", text: "the transpose of [512,512] by [512,512] float32", targets: transposed, tolerance: kSums },
  { name: "matMul by transposed 512", text: "[512,512] by the transpose of [512,512] float32", targets: transposed, tolerance: kSums },
  { name: "matMul both transposed 512", text: "the transposes of two [512,512] float32", targets: transposed, tolerance: kSums },
  {
    name: "matMul added 512",
    text: `${square(512)} float32, added to the target in place; raw is the peak`,
    targets: [peakTimes(1 / share)],
  },
  { name: "matMul float64 512", text: `${square(512)} float64`, targets: [best(1.4)], tolerance: kSums },
  { name: "matMul int8 512", text: `${square(512)} int8 to int32; raw is the peak of float32`, targets: [peakTimes(0.5 / share)] },
  { name: "matMul float16 512", text: `${square(512)} float16, added in float32; raw is the peak of float32` },
  { name: "matMul batch", text: "32 products of [128,64] by [64,128] float32; raw is the peak", targets: [best(1.4)], tolerance: kSums },
  { name: "matMul vector", text: "[1024,1024] by [1024,1] float32", targets: [fasterThan(["numpy"], 0.95)], tolerance: kSums },
  { name: "dot 1000", text: "1,000 float32", targets: [atMost(650, "ns")], tolerance: kSums, turns: kTurns },
  { name: "outer 64", text: "64 by 64 float32", targets: [fasterThan(["numpy"], 1)], tolerance: kSums, turns: kTurns },
  {
    name: "conv2d small",
    text: "[1,8,8,8] with 8 filters of [3,3,8], padding same, float32",
    targets: [atMost(25_000, "ns")],
    tolerance: kSums,
  },
  { name: "sort 1000", text: "1,000 float32", targets: [atMost(6000, "ns"), fasterThan(["numpy"], 0.5)], turns: kTurns },
  { name: "sort 1e6", text: "1,000,000 float32", targets: [atMost(12e6, "ns"), best(1)] },
  { name: "argsort 1e6", text: "1,000,000 float32", targets: [fasterThan(["numpy"], 0.83), best(1)] },
  ...kOnTwo,
];
