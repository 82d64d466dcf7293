// The workloads of matrix products and of sorting. "raw" of a product is not a product: it executes as many multiplications and additions
// in registers (peak.mjs), so that its ratio is the share of the machine's peak.
import { engine } from "@onebuffer/wasm/internal";
import { atMost, fasterThan, timesOf, timesTheBest } from "./targets.mjs";

const kPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js", "onnxruntime"];
const best = (factor) => timesTheBest(kPeers, factor);
const share = engine().relaxed ? 0.9 : 0.75;
const large = [timesOf("raw", Number((1 / share).toFixed(2))), fasterThan(["tfjs-wasm"], engine().relaxed ? 1.6 : 1.25)];

/** The relative tolerance of checksums: libraries add the products in different orders. */
const kSums = 1e-4;

export const kProducts = [
  { name: "matMul 4", text: "[4,4] by [4,4] float32", targets: [atMost(600, "ns")], tolerance: kSums },
  { name: "matMul 64", text: "[64,64] by [64,64] float32; raw is the peak", targets: [best(1.5)], tolerance: kSums },
  { name: "matMul 512", text: "[512,512] by [512,512] float32; raw is the peak", targets: large, tolerance: kSums },
  { name: "matMul 1024", text: "[1024,1024] by [1024,1024] float32; raw is the peak", targets: large, tolerance: kSums },
  { name: "matMul transposed 512", text: "the transpose of [512,512] by [512,512] float32", targets: [best(1.25)], tolerance: kSums },
  { name: "matMul batch", text: "32 products of [128,64] by [64,128] float32", targets: [best(1.4)], tolerance: kSums },
  { name: "matMul vector", text: "[1024,1024] by [1024,1] float32", targets: [fasterThan(["numpy"], 0.95)], tolerance: kSums },
  { name: "sort 1000", text: "1,000 float32", targets: [atMost(6000, "ns")] },
  { name: "sort 1e6", text: "1,000,000 float32", targets: [atMost(12e6, "ns"), best(1)] },
  { name: "argsort 1e6", text: "1,000,000 float32", targets: [fasterThan(["numpy"], 0.83), best(1)] },
];
