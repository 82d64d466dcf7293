// The inputs of the workloads that select, count and order elements of several dtypes, the same for every library.
import { floats } from "./data.mjs";
import { expressionCases } from "./expressions-data.mjs";

/** Describes integers from `low` to `low + classes - 1`; `dtype` may be a float or bool. */
const integers = (dtype, dims, low, classes) => ({ dtype, dims, low, classes, seed: 1 });
const decimals = (dims, seed = 1) => ({ dtype: "float32", dims, seed });

/** Maps each workload to its inputs. */
export const kSelectionInputs = {
  "unique 1e5": [integers("int32", [1e5], 0, 1e5)],
  "unique of few 1e5": [integers("int32", [1e5], 0, 1000)],
  "unique float32 1e5": [integers("float32", [1e5], 0, 1e5)],
  "nonzero 1e6": [integers("float32", [1e6], 0, 2)],
  "booleanMask 1e6": [decimals([1e6], 2), integers("bool", [1e6], 0, 2)],
  "topK 1 of rows": [decimals([1000, 1000])],
  "topK 10 of rows": [decimals([1000, 1000])],
  "topK 50 of rows": [decimals([1000, 1000])],
  "sort int32 1000": [integers("int32", [1000], -(2 ** 31), 2 ** 32)],
  "sort uint8 1e6": [integers("uint8", [1e6], 0, 256)],
  "sort int16 1e6": [integers("int16", [1e6], -32768, 65536)],
  "sort int64 1e6": [integers("int64", [1e6], -(2 ** 52), 2 ** 53)],
  "triu [256,256]": [decimals([256, 256])],
  "triu [1000,1000]": [decimals([1000, 1000])],
  "any of half true rows": [integers("bool", [1000, 1000], 0, 2)],
};

const kArrays = {
  float32: Float32Array,
  bool: Uint8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  int32: Int32Array,
};

/** Returns the elements of an input. */
export function elementsOf({ dtype, dims, seed, low, classes }) {
  const data = floats(
    dims.reduce((a, b) => a * b, 1),
    seed,
  );
  if (low === undefined) return data;
  const integer = (x) => low + Math.floor(((x + 1) / 2) * classes);
  return dtype === "int64" ? BigInt64Array.from(data, (x) => BigInt(integer(x))) : kArrays[dtype].from(data, integer);
}

const warmup = (name) => (name === "sort int32 1000" ? 30_000 : name.includes("256") ? 1000 : 30);

/** Returns the cases of a library: see expressionCases. */
export const selectionCases = (options) => expressionCases({ ...options, inputs: kSelectionInputs, elementsOf, warmup });
