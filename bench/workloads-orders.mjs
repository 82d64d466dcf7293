// The workloads of sorting, selecting, counting, and of moving rows and elements.
import { atMost, fasterThan, timesOf, timesTheBest } from "./targets.mjs";

const kPeers = ["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js"];
const best = timesTheBest(kPeers, 1);
const numpy = fasterThan(["numpy"], 1);
const ahead = timesTheBest(["tfjs-cpu", "tfjs-wasm", "numpy-ts", "jax-js", "onnxruntime"], 1);
/** At most three times NumPy's time: it sorts with vectors of 512 bits. */
const thrice = timesOf("numpy", 3);
/** At most 1.3 times NumPy's time. */
const near = fasterThan(["numpy"], 0.77);

/** The relative tolerance of checksums: NumPy adds weights in float64. */
const kSums = 1e-3;

export const kOrders = [
  { name: "sort int32 1e6", text: "1,000,000 int32 of all sizes", targets: [atMost(8e6, "ns"), thrice, best] },
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
  { name: "sort int32 1000", text: "1,000 int32 of all sizes", targets: [thrice, best] },
  { name: "sort uint8 1e6", text: "1,000,000 uint8", targets: [thrice, best] },
  { name: "sort int16 1e6", text: "1,000,000 int16", targets: [thrice, best] },
  { name: "sort int64 1e6", text: "1,000,000 int64 of 53 bits", targets: [thrice, best] },
  { name: "unique 1e5", text: "100,000 int32 below 100,000: values, indices, counts", targets: [best] },
  { name: "unique of few 1e5", text: "100,000 int32 below 1,000: values, indices, counts", targets: [best] },
  { name: "unique float32 1e5", text: "100,000 whole numbers below 100,000", targets: [best] },
  { name: "nonzero 1e6", text: "1,000,000 float32, half of them 0", targets: [numpy, best] },
  { name: "booleanMask 1e6", text: "1,000,000 float32, half of them selected", targets: [numpy, best] },
  { name: "topK 1 of rows", text: "[1000,1000] float32, values and indices", targets: [ahead] },
  { name: "topK 10 of rows", text: "[1000,1000] float32, values and indices", targets: [ahead] },
  { name: "topK 50 of rows", text: "[1000,1000] float32, values and indices", targets: [ahead] },
  { name: "triu [256,256]", text: "float32", targets: [numpy, best] },
  { name: "triu [1000,1000]", text: "float32", targets: [numpy, best] },
  { name: "any of half true rows", text: "[1000,1000] bool to [1000], half of them true", targets: [numpy, best] },
];
