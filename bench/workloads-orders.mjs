// The workloads of sorting, selecting, counting, and of moving rows and elements.
import { atMost, fasterThan, timesTheBest } from "./targets.mjs";

const kPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js"];
const best = timesTheBest(kPeers, 1);
const numpy = fasterThan(["numpy"], 1);
/** At most 1.3 times NumPy's time. */
const near = fasterThan(["numpy"], 0.77);

/** The relative tolerance of checksums: NumPy adds weights in float64. */
const kSums = 1e-3;

export const kOrders = [
  { name: "sort int32 1e6", text: "1,000,000 int32 of all sizes", targets: [atMost(8e6, "ns"), best] },
  { name: "sort float64 1e6", text: "1,000,000 float64", targets: [atMost(11.4e6, "ns"), best] },
  { name: "sort columns", text: "[1024,1024] float32 along the first axis", targets: [best] },
  { name: "median 1e6", text: "of 1,000,000 float32", targets: [atMost(3.2e6, "ns"), numpy, best] },
  { name: "bincount 1e6", text: "1,000,000 int32 below 1,000", targets: [near, best] },
  { name: "histogram 1e6", text: "100 bins from the least to the largest of 1,000,000 float32", targets: [near, best] },
  { name: "segment sums 1e6", text: "1,000,000 float32 in 1,000 segments; NumPy adds in float64", targets: [near], tolerance: kSums },
  { name: "cummax 1e6", text: "1,000,000 float32", targets: [near] },
  { name: "gather 200 rows", text: "of 8 float32", targets: [atMost(2500, "ns"), best] },
  { name: "gather 1e5 rows", text: "of 16 float32", targets: [near, best] },
  { name: "scatter add 1e5 rows", text: "of 16 float32", targets: [near] },
  { name: "one-hot [100,10]", text: "float32", targets: [numpy] },
  { name: "reverse [512,512]", text: "both axes, float32", targets: [numpy, best] },
  { name: "roll uint8 [256,256]", text: "both axes", targets: [numpy, best] },
];
