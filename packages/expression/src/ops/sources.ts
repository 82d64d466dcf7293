/** sources: the operations without operands, which read memory or compute elements from their places. */
import type { WholeRecords } from "./whole-record.ts";

/** The record of maps. */
export const leaves: WholeRecords<"leaf", "map"> = {
  map: {
    class: "leaf",
    dtypes: "any",
    result: "asked",
    raises: false,
    accuracy: "exact",
    edgeCases: "any TensorMap or StridedMap; the result has its dtype",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: null, tree: null, attributes: [] },
  },
};

/** The records of the operations whose elements are a function of their places. */
export const generators: WholeRecords<"generator", "constant" | "iota" | "linspace"> = {
  constant: {
    class: "generator",
    isUniform: true,
    dtypes: "any",
    result: "asked",
    raises: false,
    accuracy: "rounded",
    edgeCases: "`constant(dtype, value, dims = [])`; a value that the dtype cannot hold is refused",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: null, tree: null, attributes: [] },
  },
  iota: {
    class: "generator",
    isUniform: false,
    dtypes: "reals",
    result: "asked",
    raises: false,
    accuracy: "exact",
    edgeCases:
      "`iota(dtype, dims, axis = 0)`; the index along an axis; float16 counts exactly to 2048, bfloat16 to 256, float32 to 2^24; integers wrap",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: null, tree: null, attributes: [] },
  },
  linspace: {
    class: "generator",
    isUniform: false,
    dtypes: "floats",
    result: "asked",
    raises: false,
    accuracy: "rounded",
    edgeCases:
      "`linspace(dtype, start, stop, count)`; start + i (stop - start) / (n - 1) in float64, then rounded; the last is exactly stop; a single number is start",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: "np_linspace", tree: null, attributes: [] },
  },
};

/** The records of random numbers. */
export const randomNumbers: WholeRecords<"random", "randomUniform" | "randomUniformInt" | "randomNormal"> = {
  randomUniform: {
    class: "random",
    dtypes: "floats",
    result: "asked",
    raises: false,
    accuracy: "exact",
    edgeCases: "`statelessUniform(dtype, dims, seed, { minval = 0, maxval = 1 })`: in [0, 1), bit for bit TensorFlow's, Philox 4x32-10",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: null, tree: null, attributes: [] },
    xla: null,
  },
  randomUniformInt: {
    class: "random",
    dtypes: "int32, int64, uint32, uint64",
    result: "asked",
    raises: false,
    accuracy: "exact",
    edgeCases: "`statelessUniform(dtype, dims, seed, { minval, maxval })`: in [minval, maxval), or, without both, all values of the dtype",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: null, tree: null, attributes: [] },
    xla: null,
  },
  randomNormal: {
    class: "random",
    dtypes: "floats",
    result: "asked",
    raises: false,
    accuracy: [4, 4],
    edgeCases:
      "`statelessNormal(dtype, dims, seed, { mean = 0, stddev = 1 })`: TensorFlow's numbers except for the last bits of its logarithm, sine and cosine",
    gradient: "none",
    tensorflow: null,
    numpy: { exact: null, tree: null, attributes: [] },
    xla: [6, 8],
  },
};
