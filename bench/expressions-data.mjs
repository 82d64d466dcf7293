// The workloads of expressions: their inputs, the same for every library, and how a library's functions become cases.
import { floats } from "./data.mjs";

/** An input: `floats` of a seed times `scale`, under sizes. */
const input = (dims, seed, scale = 1) => ({ dims, seed, scale });
const vectors = (n) => [1, 2, 3].map((seed) => input([n], seed));
const square = (side) => [input([side, side], 1)];
const wide = [input([1e6], 1, 4)];
const million = vectors(1e6);

/** Name -> inputs. The image is bytes, as a camera has them. */
export const INPUTS = {
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
  "argmax rows": square(1024),
  "mean and variance rows": square(1024),
  softmax: square(1024),
  layerNorm: [...square(1024), input([1024], 5), input([1024], 6)],
  "transpose copy": square(2048),
  "f32 to f16": million.slice(0, 1),
  "f32 to bf16": million.slice(0, 1),
  image: [],
};

/** Calls before anything is timed: engines take their time with what runs for a microsecond. */
export const warmupOf = (name) => (/ 1000?$/.test(name) ? 30_000 : 5);

export const IMAGE_DIMS = [224, 224, 3];
export const MEANS = [0.485, 0.456, 0.406];
export const DEVIATIONS = [0.229, 0.224, 0.225];
export const EPSILON = 1e-5;

/** The bytes of the image. */
export function imageBytes() {
  return Uint8Array.from(floats(224 * 224 * 3), (x) => 128 + 127 * x);
}

export const dataOf = ({ dims, seed, scale }) => {
  const data = floats(
    dims.reduce((a, b) => a * b, 1),
    seed,
  );
  return scale === 1 ? data : data.map((x) => x * scale);
};

/** What every library answers: the mean of the result's elements; of halves, of their bits. */
export function meanOf(elements) {
  let sum = 0;
  for (let i = 0; i < elements.length; i++) sum += Number(elements[i]);
  return sum / elements.length;
}

/**
 * The cases of a library that computes synchronously. `functions`: name -> from tensors to a result, or to several, the last of
 * which is checked. `make(data, dims)` makes a tensor, `warmup` says how many calls come first, `read` gives a result's elements (null if there is no common form of them).
 */
export function expressionCases({ functions, make, read, dispose, note, warmup = warmupOf }) {
  const release = (result) => (Array.isArray(result) ? result.forEach(dispose) : dispose(result));
  const caseOf = (name, compute) => () => {
    const tensors = INPUTS[name].map((one) => make(dataOf(one), one.dims));
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
