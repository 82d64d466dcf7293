// jax-js, compiled by `jit`. A result is complete only when its promise resolves, so these cases are asynchronous.
import { jit, nn, numpy as np } from "@jax-js/jax";
import { dataOf, kEpsilon, kInputs, meanOf, warmupOf } from "../expressions-data.mjs";
import { growthFunctions, growthWarmup, kGrowthInputs } from "../growth/growth-data.mjs";

const expChain = (a, b, c) => np.exp(a.mul(b).add(c));

const product = (a, b) => np.matmul(a, b);

const functions = {
  "add 100": (a, b) => a.add(b),
  "add 1e4": (a, b) => a.add(b),
  "exp(a*b+c) 1e4": expChain,
  "exp(a*b+c) 1e6": expChain,
  "exp(a*b+c) 1e7": expChain,
  "relu chain": (a, b) => np.maximum(a.sub(b).mul(1.5).add(0.25), 0),
  sigmoid: (x) => nn.sigmoid(x),
  tanh: (x) => np.tanh(x),
  gelu: (x) => nn.gelu(x, { approximate: true }),
  "sum all": (a) => np.sum(a),
  "max all": (a) => np.max(a),
  "sum axis 0": (a) => np.sum(a, 0),
  "sum axis 1": (a) => np.sum(a, 1),
  "sum rows of 8": (a) => np.sum(a, 1),
  "argmax rows": (a) => np.argmax(a, 1),
  "mean and variance rows": (a) => [np.mean(a.ref, 1), np.var_(a, 1)],
  softmax: (a) => nn.softmax(a, -1),
  "softmax [100,10]": (a) => nn.softmax(a, -1),
  layerNorm: (a, scale, offset) => nn.standardize(a, -1, { epsilon: kEpsilon }).mul(scale).add(offset),
  "transpose copy": (a) => np.transpose(a).mul(1),
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
  "dot 1000": (a, b) => np.dot(a, b),
  "sort 1000": (a) => np.sort(a),
  "sort 1e6": (a) => np.sort(a),
  "argsort 1e6": (a) => np.argsort(a),
};

const kNotes = { "transpose copy": "times 1, or nothing is copied" };

/** Returns the results of a call as a list; the last one is checked. */
const resultsOf = (result) => (Array.isArray(result) ? result : [result]);

const caseOf = (name, compute, inputs, warmup) => () => {
  const arrays = inputs[name].map((one) => np.array(dataOf(one)).reshape(one.dims));
  const compiled = jit(compute);
  const call = () => compiled(...arrays.map((array) => array.ref));
  return {
    isAsync: true,
    warmup: Math.min(warmup(name), 3000),
    note: kNotes[name],
    async run() {
      for (const result of resultsOf(call())) {
        await result.blockUntilReady();
        result.dispose();
      }
    },
    async checksum() {
      const results = resultsOf(call());
      for (const unused of results.slice(0, -1)) unused.dispose();
      return meanOf(await results.at(-1).data());
    },
    free: () => arrays.forEach((array) => array.dispose()),
  };
};

const casesOf = (computes, inputs, warmup) =>
  Object.fromEntries(Object.entries(computes).map(([name, compute]) => [name, caseOf(name, compute, inputs, warmup)]));

export const expressionsOfJaxJs = {
  ...casesOf(functions, kInputs, warmupOf),
  ...casesOf(growthFunctions(functions), kGrowthInputs, growthWarmup),
};
