// TensorFlow.js's convolutions, pooling and resizing.
import * as tf from "@tensorflow/tfjs-core";
import { expressionCases } from "../expressions-data.mjs";
import { kWindowInputs, windowFunctions, windowWarmup } from "../windows-data.mjs";

const functions = windowFunctions({
  conv2d: (x, filters, stride) => tf.conv2d(x, filters, stride, "same"),
  depthwise: (x, filters, stride) => tf.depthwiseConv2d(x, filters, stride, "same"),
  maxPool: (x, stride) => tf.maxPool(x, 3, stride, "same"),
  meanPool: (x, stride) => tf.avgPool(x, 3, stride, "same"),
  resize: (x, side) => tf.image.resizeBilinear(x, [side, side], false, true),
  matMul: (a, b) => tf.matMul(a, b),
});

export const windowsOfTfjs = expressionCases({
  functions,
  inputs: kWindowInputs,
  warmup: windowWarmup,
  make: (data, dims) => tf.tensor(data, dims, "float32"),
  read: (tensor) => tensor.dataSync(),
  dispose: (tensor) => tensor.dispose(),
});
