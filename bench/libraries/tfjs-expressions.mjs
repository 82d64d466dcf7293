// TensorFlow.js: one kernel per operation; `tidy` releases temporaries.
import * as tf from "@tensorflow/tfjs-core";
import { kBatch, kRate, networkData } from "../network.mjs";
import { kDeviations, kEpsilon, expressionCases, kImageDims, imageBytes, kMeans, meanOf } from "../expressions-data.mjs";
import { growthCases } from "../growth/growth-data.mjs";

const expChain = (a, b, c) => tf.tidy(() => tf.exp(tf.add(tf.mul(a, b), c)));
const product = (a, b) => tf.matMul(a, b);
const gelu = (x) =>
  tf.tidy(() => {
    const inner = tf.mul(tf.add(x, tf.mul(tf.mul(tf.mul(x, x), x), 0.044715)), Math.sqrt(2 / Math.PI));
    return tf.mul(tf.mul(x, 0.5), tf.add(tf.tanh(inner), 1));
  });

const functions = {
  "add 100": (a, b) => tf.add(a, b),
  "add 1e4": (a, b) => tf.add(a, b),
  "exp(a*b+c) 1e4": expChain,
  "exp(a*b+c) 1e6": expChain,
  "exp(a*b+c) 1e7": expChain,
  "relu chain": (a, b) => tf.tidy(() => tf.relu(tf.add(tf.mul(tf.sub(a, b), 1.5), 0.25))),
  sigmoid: (x) => tf.sigmoid(x),
  tanh: (x) => tf.tanh(x),
  gelu,
  "sum all": (a) => tf.sum(a),
  "max all": (a) => tf.max(a),
  "sum axis 0": (a) => tf.sum(a, 0),
  "sum axis 1": (a) => tf.sum(a, 1),
  "sum rows of 8": (a) => tf.sum(a, 1),
  "argmax rows": (a) => tf.argMax(a, 1),
  "mean and variance rows": (a) => {
    const { mean, variance } = tf.moments(a, 1);
    return [mean, variance];
  },
  softmax: (a) => tf.softmax(a),
  layerNorm: (a, scale, offset) =>
    tf.tidy(() => {
      const { mean, variance } = tf.moments(a, 1, true);
      return tf.add(tf.mul(tf.mul(tf.sub(a, mean), tf.rsqrt(tf.add(variance, kEpsilon))), scale), offset);
    }),
  "transpose copy": (a) => tf.transpose(a),
  "conv2d small": (images, filters) => tf.conv2d(images, filters, 1, "same"),
  "matMul 4": product,
  "matMul 16": product,
  "matMul 64": product,
  "matMul 256": product,
  "matMul 511": product,
  "matMul 512": product,
  "matMul 1024": product,
  "matMul batch": product,
  "matMul vector": product,
  "matMul transposed 512": (a, b) => tf.matMul(a, b, true),
  "concatenate two [64,64]": (a, b) => tf.concat([a, b], 0),
  "softmax [100,10]": (a) => tf.softmax(a),
  "softmax transposed 256": (a) => tf.tidy(() => tf.softmax(tf.transpose(a))),
  "variance axis 0 [256,8]": (a) => tf.tidy(() => tf.moments(a, 0).variance),
  "sum 10": (a) => tf.sum(a),
  "cumsum 10": (a) => tf.cumsum(a),
  "HWC to CHW [64,64,3]": (a) => tf.transpose(a, [2, 0, 1]),
  "pad [64,64]": (a) =>
    tf.pad(a, [
      [1, 1],
      [1, 1],
    ]), // prettier-ignore
  "stack two [64,64]": (a, b) => tf.stack([a, b]),
  "matMul by transposed 512": (a, b) => tf.matMul(a, b, false, true),
  "matMul both transposed 512": (a, b) => tf.matMul(a, b, true, true),
  "dot 1000": (a, b) => tf.dot(a, b),
  "outer 64": (a, b) => tf.outerProduct(a, b),
  conv2d: (images, filters) => tf.conv2d(images, filters, 1, "same"),
  "bincount 1e6": (a) => tf.bincount(a, [], 1000),
  "gather 200 rows": (a, rows) => tf.gather(a, rows),
  "gather 1e5 rows": (a, rows) => tf.gather(a, rows),
  "one-hot [100,10]": (a) => tf.oneHot(a, 10),
  "reverse [512,512]": (a) => tf.reverse(a),
  "max pool": (images) => tf.maxPool(images, 2, 2, "valid"),
};

/** A step of the network; returns the new weights of the first layer. */
function networkStep({ x, y, w1, b1, w2, b2 }) {
  return tf.tidy(() => {
    const hidden = tf.relu(tf.add(tf.matMul(x, w1), b1));
    const error = tf.div(tf.sub(tf.softmax(tf.add(tf.matMul(hidden, w2), b2)), y), kBatch);
    const hiddenError = tf.where(tf.greater(hidden, 0), tf.matMul(error, w2, false, true), tf.zerosLike(hidden));
    const moved = (weights, gradient) => tf.sub(weights, tf.mul(gradient, kRate));
    moved(w2, tf.matMul(hidden, error, true));
    moved(b2, tf.sum(error, 0));
    moved(b1, tf.sum(hiddenError, 0));
    return moved(w1, tf.matMul(x, hiddenError, true));
  });
}

/** How tensors are made, read and released, beside the functions. */
const kOperations = {
  functions,
  make: (data, dims) => tf.tensor(data, dims, data instanceof Int32Array ? "int32" : "float32"),
  read: (tensor) => tensor.dataSync(),
  dispose: (tensor) => tensor.dispose(),
};

export const expressionsOfTfjs = {
  "network step"() {
    const operands = Object.fromEntries(Object.entries(networkData()).map(([name, [data, dims]]) => [name, tf.tensor(data, dims)]));
    return {
      run: () => networkStep(operands).dispose(),
      checksum() {
        const weights = networkStep(operands);
        const mean = meanOf(weights.dataSync());
        weights.dispose();
        return mean;
      },
      free: () => Object.values(operands).forEach((tensor) => tensor.dispose()),
    };
  },
  ...expressionCases(kOperations),
  ...growthCases(kOperations),
  image() {
    const [image, means, deviations] = [
      tf.tensor(Int32Array.from(imageBytes()), kImageDims, "int32"),
      tf.tensor1d(kMeans),
      tf.tensor1d(kDeviations),
    ];
    const compute = () => tf.tidy(() => tf.div(tf.sub(tf.div(tf.cast(image, "float32"), 255), means), deviations));
    return {
      note: "from int32: it has no bytes",
      run: () => compute().dispose(),
      checksum() {
        const tensor = compute();
        const sum = meanOf(tensor.dataSync());
        tensor.dispose();
        return sum;
      },
      free: () => [image, means, deviations].forEach((tensor) => tensor.dispose()),
    };
  },
};
