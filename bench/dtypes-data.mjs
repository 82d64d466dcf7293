// The inputs of the workloads over dtypes other than float32, the same for every library.
import { floats } from "./data.mjs";
import { expressionCases } from "./expressions-data.mjs";

const input = (dtype, dims, seed = 1) => ({ dtype, dims, seed });
const million = (dtype, count = 1) => Array.from({ length: count }, (_, k) => input(dtype, [1e6], k + 1));
const square = (dtype, side, count = 1) => Array.from({ length: count }, (_, k) => input(dtype, [side, side], k + 1));

/** Maps each workload to its inputs. */
export const kDTypeInputs = {
  "complex64 add": million("complex64", 2),
  "complex64 mul": million("complex64", 2),
  "complex64 div": million("complex64", 2),
  "complex64 abs": million("complex64"),
  "complex64 exp": million("complex64"),
  "complex64 sum": million("complex64"),
  "complex64 sum axis 0": square("complex64", 1000),
  "complex64 cumsum": million("complex64"),
  "complex64 matMul 256": square("complex64", 256, 2),
  "complex128 mul": million("complex128", 2),
  "any of 1e6": million("bool"),
  "any axis 0": square("bool", 1000),
  "any axis 1": square("bool", 1000),
  "count of 1e6": million("bool"),
  "count axis 1": square("bool", 1000),
  "f16 maximum": million("float16", 2),
  "f16 max of 1e6": million("float16"),
  "f16 max axis 1": square("float16", 1000),
  "i64 to f32": million("int64"),
  "i64 to f64": million("int64"),
  "f32 to i64": million("float32"),
  "f64 to u64": million("float64"),
  "i32 >> 3": million("int32"),
  "i64 >> 3": million("int64"),
  "u8 >> 3": million("uint8"),
};

/**
 * Maps a dtype to a function from numbers in [-1, 1) to elements. One bool in 2,000 is true. Complex numbers are pairs. The numbers for float16
 * are multiples of 1/256, which it can hold.
 */
const kElements = {
  complex64: (values) => values,
  complex128: (values) => Float64Array.from(values),
  bool: (values) => Uint8Array.from(values, (x) => (x > 0.999 ? 1 : 0)),
  float16: (values) => values.map((x) => Math.trunc(x * 256) / 256),
  float32: (values) => values.map((x) => x * 1e6 + 1e6),
  float64: (values) => Float64Array.from(values, (x) => x * 1e6 + 1e6),
  int32: (values) => Int32Array.from(values, (x) => x * 1e6),
  int64: (values) => BigInt64Array.from(values, (x) => BigInt(Math.trunc(x * 1e6))),
  uint8: (values) => Uint8Array.from(values, (x) => 128 + 127 * x),
};

/** Returns the elements of an input. */
export function elementsOf({ dtype, dims, seed }) {
  const count = dims.reduce((a, b) => a * b, 1);
  return kElements[dtype](floats(dtype.startsWith("complex") ? 2 * count : count, seed));
}

/** Returns the cases of a library: see expressionCases. */
export const dtypeCases = (options) => expressionCases({ ...options, inputs: kDTypeInputs, elementsOf, warmup: () => 30 });
