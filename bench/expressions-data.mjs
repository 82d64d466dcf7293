// The inputs of the expression workloads, the same for every library, and a function that turns a library's functions into cases.
import { floats } from "./data.mjs";

/** Describes an input: `floats` of a seed times `scale`, with these sizes, as a dtype. */
const input = (dims, seed, scale = 1, dtype = "float32") => ({ dims, seed, scale, dtype });
/** Describes integers from 0 to `classes` - 1 of a seed, as a dtype. */
const integers = (dims, seed, classes, dtype = "int32") => ({ dims, seed, scale: 1, dtype, classes });
const vectors = (n) => [1, 2, 3].map((seed) => input([n], seed));
const square = (side) => [input([side, side], 1)];
const wide = [input([1e6], 1, 4)];
const million = vectors(1e6);
const product = (side, scale = 1, dtype = "float32") => [1, 2].map((seed) => input([side, side], seed, scale, dtype));

const matrices = (...dims) => dims.map((each, k) => input(each, k + 1));

/** Maps each workload to its inputs. The image is bytes, as from a camera. */
export const kInputs = {
  "add 100": vectors(100).slice(0, 2),
  "add 1000": vectors(1000).slice(0, 2),
  "add 1e4": vectors(1e4).slice(0, 2),
  "exp(a*b+c) 1e4": vectors(1e4),
  "exp(a*b+c) 1e6": million,
  "exp(a*b+c) 1e7": vectors(1e7),
  "relu chain": million.slice(0, 2),
  sigmoid: wide,
  tanh: wide,
  gelu: wide,
  "sum all": square(1024),
  "max all": square(1024),
  "sum axis 0": square(1024),
  "sum axis 1": square(1024),
  "sum rows of 8": matrices([1e5, 8]),
  "argmax rows": square(1024),
  "mean and variance rows": square(1024),
  softmax: square(1024),
  layerNorm: [...square(1024), input([1024], 5), input([1024], 6)],
  "transpose copy": square(2048),
  conv2d: matrices([1, 56, 56, 64], [3, 3, 64, 64]),
  "max pool": matrices([1, 112, 112, 64]),
  "cumsum 1e6": million.slice(0, 1),
  "cumsum axis 0": square(1024),
  "cumsum 1000": vectors(1000).slice(0, 1),
  "topK 10 of 1e6": million.slice(0, 1),
  "concatenate two [64,64]": [input([64, 64], 1), input([64, 64], 2)],
  "roll [256,256]": square(256),
  "f32 to f16": million.slice(0, 1),
  "f32 to bf16": million.slice(0, 1),
  "conv2d small": matrices([1, 8, 8, 8], [3, 3, 8, 8]),
  "matMul 4": product(4),
  "matMul 16": product(16),
  "matMul 64": product(64),
  "matMul 256": product(256),
  "matMul 511": product(511),
  "matMul 512": product(512),
  "matMul 1024": product(1024),
  "matMul transposed 512": product(512),
  "matMul by transposed 512": product(512),
  "matMul both transposed 512": product(512),
  "matMul added 512": product(512),
  "matMul float64 512": product(512, 1, "float64"),
  "matMul int8 512": product(512, 100, "int8"),
  "matMul float16 512": product(512),
  "dot 1000": vectors(1000).slice(0, 2),
  "outer 64": vectors(64).slice(0, 2),
  "matMul batch": [input([32, 128, 64], 1), input([32, 64, 128], 2)],
  "matMul vector": [input([1024, 1024], 1), input([1024, 1], 2)],
  "sort 1000": vectors(1000).slice(0, 1),
  "sort 1e6": million.slice(0, 1),
  "argsort 1e6": million.slice(0, 1),
  "softmax [100,10]": matrices([100, 10]),
  "softmax transposed 256": square(256),
  "variance axis 0 [256,8]": matrices([256, 8]),
  "sum 10": vectors(10).slice(0, 1),
  "cumsum 10": vectors(10).slice(0, 1),
  "trace 64": matrices([64, 64]),
  "HWC to CHW [64,64,3]": matrices([64, 64, 3]),
  "pad [64,64]": square(64),
  "stack two [64,64]": product(64),
  "sort int32 1e6": [integers([1e6], 1, 2 ** 31)],
  "sort float64 1e6": [input([1e6], 1, 1, "float64")],
  "sort columns": square(1024),
  "median 1e6": million.slice(0, 1),
  "bincount 1e6": [integers([1e6], 1, 1000)],
  "histogram 1e6": million.slice(0, 1),
  "segment sums 1e6": [input([1e6], 1), integers([1e6], 2, 1000)],
  "cummax 1e6": million.slice(0, 1),
  "gather 200 rows": [input([1000, 8], 1), integers([200], 2, 1000)],
  "gather 1e5 rows": [input([1e5, 16], 1), integers([1e5], 2, 1e5)],
  "scatter add 1e5 rows": [input([1e5, 16], 1), integers([1e5], 2, 1e5), input([1e5, 16], 3)],
  "one-hot [100,10]": [integers([100], 1, 10)],
  "reverse [512,512]": square(512),
  "roll uint8 [256,256]": [integers([256, 256], 1, 256, "uint8")],
  image: [],
};

/** Returns the calls before timing begins: an engine needs many calls before it optimizes a function that runs for a microsecond. */
export const warmupOf = (name) =>
  /^(matMul (4|16)|outer 64|conv2d small|gather 200 rows|one-hot .*)$| 1000?$|\[(100|256|64),/.test(name) ? 30_000 : 5;

export const kImageDims = [224, 224, 3];
export const kMeans = [0.485, 0.456, 0.406];
export const kDeviations = [0.229, 0.224, 0.225];
export const kEpsilon = 1e-5;

/** Returns the bytes of the image. */
export function imageBytes() {
  return Uint8Array.from(floats(224 * 224 * 3), (x) => 128 + 127 * x);
}

const kIntegers = { int32: Int32Array, uint8: Uint8Array };

/** Returns the elements of an input as a typed array of its dtype. */
export const dataOf = ({ dims, seed, scale, dtype, classes }) => {
  const data = floats(
    dims.reduce((a, b) => a * b, 1),
    seed,
  );
  if (classes !== undefined) return kIntegers[dtype].from(data, (x) => Math.floor(((x + 1) / 2) * classes));
  if (dtype === "float64") return Float64Array.from(data);
  if (dtype === "int8") return Int8Array.from(data, (x) => Math.trunc(x * scale));
  return scale === 1 ? data : data.map((x) => x * scale);
};

/** Returns the checksum of a result: the mean of its elements; for 16-bit floats the mean of their bits. */
export function meanOf(elements) {
  let sum = 0;
  for (let i = 0; i < elements.length; i++) sum += Number(elements[i]);
  return sum / elements.length;
}

/**
 * Returns the cases of a library that computes synchronously. `functions` maps a name to a function from tensors to a result, or to
 * several, of which the last is checked. `inputs` maps a name to descriptions of its tensors, of which `elementsOf` returns the elements.
 * `make(data, dims, dtype)` makes a tensor, `warmup` returns the number of calls before timing, `read` returns a result's elements (null if
 * they have no form that can be compared).
 */
export function expressionCases({ functions, make, read, dispose, note, warmup = warmupOf, inputs = kInputs, elementsOf = dataOf }) {
  const release = (result) => (Array.isArray(result) ? result.forEach(dispose) : dispose(result));
  const caseOf = (name, compute) => () => {
    const tensors = inputs[name].map((one) => make(elementsOf(one), one.dims, one.dtype));
    const [a, b, c] = tensors;
    return {
      note,
      warmup: warmup(name),
      // Not `...tensors`: spreading takes as long as a small operation.
      run: () => release(compute(a, b, c)),
      checksum() {
        const result = compute(...tensors);
        const elements = read(Array.isArray(result) ? result.at(-1) : result);
        const sum = elements === null ? undefined : meanOf(elements);
        release(result);
        return sum;
      },
      free: () => tensors.forEach(dispose),
    };
  };
  return Object.fromEntries(Object.entries(functions).map(([name, compute]) => [name, caseOf(name, compute)]));
}
