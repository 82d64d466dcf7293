// numpy-ts: one kernel per operation; temporaries are released as soon as they were read.
import * as np from "numpy-ts";
import { kDeviations, kEpsilon, expressionCases, kImageDims, imageBytes, kMeans, meanOf } from "../expressions-data.mjs";
import { growthCases } from "../growth/growth-data.mjs";

const release = (array) => array?.dispose?.();

/** The dtypes of the inputs, by the kind of their array. */
const kDTypes = new Map([
  [Float32Array, "float32"],
  [Float64Array, "float64"],
  [Int32Array, "int32"],
  [Uint8Array, "uint8"],
]);

function make(data, dims, dtype = kDTypes.get(data.constructor) ?? "float32") {
  const array = np.zeros(dims, dtype);
  array.data.set(data);
  return array;
}

/** Applies functions to a value one after the other and releases each temporary; the first value is kept. */
function chain(first, ...functions) {
  return functions.reduce((value, f) => {
    const result = f(value);
    if (value !== first) release(value);
    return result;
  }, first);
}

/** Applies f to temporaries and releases them. */
function using(temporaries, f) {
  const result = f(...temporaries);
  temporaries.forEach(release);
  return result;
}

const expChain = (a, b, c) =>
  using(
    [
      chain(
        a,
        (t) => np.multiply(t, b),
        (t) => np.add(t, c),
      ),
    ],
    (t) => np.exp(t),
  );
const add = (a, b) => np.add(a, b);
const product = (a, b) => np.matmul(a, b);

function rowSoftmax(a) {
  const powers = using([using([np.max(a, 1, true)], (top) => np.subtract(a, top))], (t) => np.exp(t));
  return using([powers, np.sum(powers, 1, true)], (p, sum) => np.divide(p, sum));
}

const functions = {
  "add 100": add,
  "add 1e4": add,
  "exp(a*b+c) 1e4": expChain,
  "exp(a*b+c) 1e6": expChain,
  "exp(a*b+c) 1e7": expChain,
  "relu chain": (a, b) =>
    chain(
      a,
      (t) => np.subtract(t, b),
      (t) => np.multiply(t, 1.5),
      (t) => np.add(t, 0.25),
      (t) => np.maximum(t, 0),
    ),
  sigmoid: (x) =>
    chain(
      x,
      (t) => np.negative(t),
      (t) => np.exp(t),
      (t) => np.add(t, 1),
      (t) => np.reciprocal(t),
    ),
  tanh: (x) => np.tanh(x),
  gelu: (x) =>
    using(
      [
        chain(
          x,
          (t) => np.multiply(t, t),
          (t) => np.multiply(t, x),
          (t) => np.multiply(t, 0.044715),
          (t) => np.add(t, x),
          (t) => np.multiply(t, Math.sqrt(2 / Math.PI)),
          (t) => np.tanh(t),
          (t) => np.add(t, 1),
          (t) => np.multiply(t, x),
        ),
      ],
      (t) => np.multiply(t, 0.5),
    ),
  "sum all": (a) => np.sum(a),
  "max all": (a) => np.max(a),
  "sum axis 0": (a) => np.sum(a, 0),
  "sum axis 1": (a) => np.sum(a, 1),
  "sum rows of 8": (a) => np.sum(a, 1),
  "argmax rows": (a) => np.argmax(a, 1),
  "mean and variance rows": (a) => [np.mean(a, 1), a.var(1)],
  softmax: rowSoftmax,
  layerNorm: (a, scale, offset) => {
    const centred = using([np.mean(a, 1, true)], (mean) => np.subtract(a, mean));
    const variance = using([np.multiply(centred, centred)], (squares) => np.mean(squares, 1, true));
    const deviation = chain(
      variance,
      (t) => np.add(t, kEpsilon),
      (t) => np.sqrt(t),
    );
    release(variance);
    return using([using([centred, deviation], (c, d) => np.divide(c, d))], (t) =>
      chain(
        t,
        (u) => np.multiply(u, scale),
        (u) => np.add(u, offset),
      ),
    );
  },
  "transpose copy": (a) => np.ascontiguousarray(np.transpose(a)),
  "cumsum 1e6": (a) => np.cumsum(a, 0),
  "cumsum axis 0": (a) => np.cumsum(a, 0),
  "sum 10": (a) => np.sum(a, 0, true),
  "cumsum 10": (a) => np.cumsum(a, 0),
  "trace 64": (a) => np.einsum("ii->", a),
  "cumsum 1000": (a) => np.cumsum(a, 0),
  "concatenate two [64,64]": (a, b) => np.concatenate([a, b], 0),
  "softmax [100,10]": rowSoftmax,
  "HWC to CHW [64,64,3]": (a) => using([np.transpose(a, [2, 0, 1])], (t) => np.ascontiguousarray(t)),
  "pad [64,64]": (a) => np.pad(a, 1),
  "stack two [64,64]": (a, b) => np.stack([a, b]),
  "roll [256,256]": (a) => np.roll(a, [10, 20], [0, 1]),
  "f32 to f16": (a) => a.astype("float16"),
  "matMul 4": product,
  "matMul 16": product,
  "matMul 64": product,
  "matMul 256": product,
  "matMul 511": product,
  "matMul 512": product,
  "matMul 1024": product,
  "matMul batch": product,
  "matMul vector": product,
  "matMul transposed 512": (a, b) => np.matmul(np.transpose(a), b),
  "matMul by transposed 512": (a, b) => np.matmul(a, np.transpose(b)),
  "matMul both transposed 512": (a, b) => np.matmul(np.transpose(a), np.transpose(b)),
  "matMul float64 512": product,
  "outer 64": (a, b) => np.outer(a, b),
  "sort 1000": (a) => np.sort(a),
  "sort 1e6": (a) => np.sort(a),
  "argsort 1e6": (a) => np.argsort(a),
  "sort int32 1e6": (a) => np.sort(a),
  "sort float64 1e6": (a) => np.sort(a),
  "sort columns": (a) => np.sort(a, 0),
  "histogram 1e6": (a) => {
    const [counts, edges] = np.histogram(a, 100);
    release(edges);
    return counts;
  },
  "gather 200 rows": (a, rows) => np.take(a, rows, 0),
  "gather 1e5 rows": (a, rows) => np.take(a, rows, 0),
  "reverse [512,512]": (a) => np.copy(np.flip(a)),
  "roll uint8 [256,256]": (a) => np.roll(a, [10, 20], [0, 1]),
};

/** Returns the elements; null for 16-bit floats, which have no common form in this version of Node. */
function read(result) {
  if (typeof result === "number") return [result];
  return result.dtype === "float16" ? null : (result.data ?? [Number(result)]);
}

export const expressionsOfNumpyTs = {
  ...expressionCases({ functions, make, read, dispose: release }),
  ...growthCases({ functions, make, read, dispose: release }),
  image() {
    const [image, means, deviations] = [make(imageBytes(), kImageDims, "uint8"), make(kMeans, [3]), make(kDeviations, [3])];
    const compute = () =>
      chain(
        image,
        (t) => t.astype("float32"),
        (t) => np.divide(t, 255),
        (t) => np.subtract(t, means),
        (t) => np.divide(t, deviations),
      );
    return {
      run: () => release(compute()),
      checksum: () => using([compute()], (t) => meanOf(t.data)),
      free: () => [image, means, deviations].forEach(release),
    };
  },
};
