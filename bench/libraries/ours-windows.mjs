// onebuffer's convolutions, pooling and resizing: built again for every result, which is a fresh tensor.
import { Tensor } from "onebuffer";
import { avgPool, convolve, maxPool, resize } from "onebuffer/eigen";
import { expressionCases } from "../expressions-data.mjs";
import { dispose, mapOf } from "./ours-maps.mjs";
import { kWindowInputs, windowFunctions, windowWarmup } from "../windows-data.mjs";

const make = (data, dims) => mapOf(Tensor.from(data, { shape: dims }));

const result = (expression) => Tensor.evaluate(expression);
const same = (strides) => ({ padding: "same", strides });

/** Filters [height, width, channels, 1], one for each channel, as convolve takes them with as many groups: [height, width, 1, channels]. */
const depthwise = (x, filters, stride) => {
  const [height, width, channels] = filters.dimensions;
  return convolve(x, filters.reshape([height, width, 1, channels]), { ...same(stride), groups: channels });
};

const functions = windowFunctions({
  conv2d: (x, filters, stride) => result(convolve(x, filters, same(stride))),
  depthwise: (x, filters, stride) => result(depthwise(x, filters, stride)),
  maxPool: (x, stride) => result(maxPool(x, 3, same(stride))),
  meanPool: (x, stride) => result(avgPool(x, 3, same(stride))),
  resize: (x, side) => result(resize(x, [side, side])),
  matMul: (a, b) => result(a.matMul(b)),
});

export const windowsOfOurs = expressionCases({
  functions,
  inputs: kWindowInputs,
  warmup: windowWarmup,
  make,
  dispose,
  read: (tensor) => tensor.flat().data,
});
