// numpy-ts over dtypes other than float32.
import * as np from "numpy-ts";
import { dtypeCases } from "../dtypes-data.mjs";

function make(data, dims, dtype) {
  const array = np.zeros(dims, dtype);
  array.data.set(data);
  return array;
}

const functions = {
  "complex64 add": (a, b) => np.add(a, b),
  "complex64 mul": (a, b) => np.multiply(a, b),
  "complex64 div": (a, b) => np.divide(a, b),
  "complex64 abs": (a) => np.abs(a),
  "complex64 exp": (a) => np.exp(a),
  "complex64 sum": (a) => np.sum(a),
  "complex64 sum axis 0": (a) => np.sum(a, 0),
  "complex64 cumsum": (a) => np.cumsum(a, 0),
  "complex64 matMul 256": (a, b) => np.matmul(a, b),
  "complex128 mul": (a, b) => np.multiply(a, b),
  "any of 1e6": (a) => np.any(a),
  "any axis 0": (a) => np.any(a, 0),
  "any axis 1": (a) => np.any(a, 1),
  "count of 1e6": (a) => np.count_nonzero(a),
  "count axis 1": (a) => np.count_nonzero(a, 1),
  "f16 maximum": (a, b) => np.maximum(a, b),
  "f16 max of 1e6": (a) => np.max(a),
  "f16 max axis 1": (a) => np.max(a, 1),
  "i64 to f32": (a) => a.astype("float32"),
  "i64 to f64": (a) => a.astype("float64"),
  "f32 to i64": (a) => a.astype("int64"),
  "f64 to u64": (a) => a.astype("uint64"),
  "i32 >> 3": (a) => np.right_shift(a, 3),
  "i64 >> 3": (a) => np.right_shift(a, 3),
  "u8 >> 3": (a) => np.right_shift(a, 3),
};

/** Returns the elements of a result, which may be one number, truth value or complex number. */
function read(result) {
  if (typeof result !== "object") return [Number(result)];
  return "re" in result ? [result.re, result.im] : result.data;
}

export const dtypesOfNumpyTs = dtypeCases({ functions, make, read, dispose: (array) => array?.dispose?.() });
