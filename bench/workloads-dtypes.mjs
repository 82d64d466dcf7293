// The workloads over complex numbers, truth values and integers of 64 bits. In every run a library makes a new result and releases it.
import { fasterThan, timesTheBest } from "./targets.mjs";

const kPeers = ["tfjs-cpu", "numpy-ts"];
/** At most 1.3 times NumPy's time, and ahead of every peer in JavaScript. */
const level = [timesTheBest(kPeers, 1), fasterThan(["numpy"], 0.77)];
const best = [timesTheBest(kPeers, 1)];

export const kDTypes = [
  { name: "complex64 add", text: "a + b, 1,000,000 complex64", targets: level },
  { name: "complex64 mul", text: "a * b, 1,000,000 complex64", targets: level },
  { name: "complex64 div", text: "a / b, 1,000,000 complex64", targets: level },
  { name: "complex64 abs", text: "1,000,000 complex64", targets: best },
  { name: "complex64 exp", text: "1,000,000 complex64", targets: level },
  { name: "complex64 sum", text: "1,000,000 complex64 to a scalar", targets: level, tolerance: 1e-4 },
  { name: "complex64 sum axis 0", text: "[1000,1000] complex64 to [1000]", targets: level, tolerance: 1e-4 },
  { name: "complex64 cumsum", text: "1,000,000 complex64", targets: level, tolerance: 1e-4 },
  { name: "complex64 matMul 256", text: "[256,256] by [256,256] complex64", targets: best, tolerance: 1e-4 },
  { name: "complex128 mul", text: "a * b, 1,000,000 complex128", targets: level },
  { name: "any of 1e6", text: "1,000,000 bools to a scalar, one in 2,000 true" },
  { name: "any axis 0", text: "[1000,1000] bool to [1000]", targets: level },
  { name: "any axis 1", text: "[1000,1000] bool to [1000]", targets: level },
  { name: "count of 1e6", text: "1,000,000 bools cast to int32 and added up; NumPy: count_nonzero", targets: level },
  { name: "count axis 1", text: "[1000,1000] bool to [1000] int32", targets: level },
  { name: "f16 maximum", text: "of two, 1,000,000 float16; numpy-ts keeps float16 as float32", targets: level },
  { name: "f16 max of 1e6", text: "1,000,000 float16 to a scalar", targets: level },
  { name: "f16 max axis 1", text: "[1000,1000] float16 to [1000]", targets: level },
  { name: "i64 to f32", text: "1,000,000 elements", targets: level },
  { name: "i64 to f64", text: "1,000,000 elements", targets: level },
  { name: "f32 to i64", text: "1,000,000 elements", targets: level },
  { name: "f64 to u64", text: "1,000,000 elements", targets: level },
  { name: "i32 >> 3", text: "1,000,000 int32", targets: level },
  { name: "i64 >> 3", text: "1,000,000 int64", targets: level },
  { name: "u8 >> 3", text: "1,000,000 uint8", targets: level },
];
