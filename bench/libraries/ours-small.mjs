// onebuffer's small operations and its network.
import { select, stack, Tensor } from "onebuffer";
import { einsum } from "onebuffer/eigen";
import { expressionCases, meanOf } from "../expressions-data.mjs";
import { floats } from "../data.mjs";
import { kBatch, kRate, networkData } from "../network.mjs";

const mapOf = (data, dims) => {
  const tensor = Tensor.from(data, { shape: dims });
  return dims.length === 0 ? tensor.scalar() : dims.length === 1 ? tensor.vec() : tensor.matrix();
};

/** Returns a case that assigns a prebuilt expression. */
function prebuilt(make) {
  const { out, expression } = make();
  return {
    warmup: 30_000,
    run: () => out.assign(expression),
    checksum() {
      out.assign(expression);
      return meanOf([...out]);
    },
  };
}

/** Returns a step of the network, which changes its weights, and the weights of the first layer. */
function network() {
  const [x, y, w1, b1, w2, b2] = Object.values(networkData()).map(([data, dims]) => mapOf(data, dims));
  const zeros = (...dims) => mapOf(new Float32Array(dims[0] * dims[1]), dims);
  const [hidden, classes, hiddenError, error] = [zeros(kBatch, 64), zeros(kBatch, 10), zeros(kBatch, 64), zeros(kBatch, 10)];
  const step = () => {
    hidden.assign(x.matMul(w1).add(b1).relu());
    classes.assign(hidden.matMul(w2).add(b2).softmax());
    error.assign(classes.sub(y).div(kBatch));
    hiddenError.assign(select(hidden.greater(0), error.matMul(w2.transpose()), 0));
    w2.subAssign(hidden.transpose().matMul(error).mul(kRate));
    b2.subAssign(error.sum([0]).mul(kRate));
    w1.subAssign(x.transpose().matMul(hiddenError).mul(kRate));
    b1.subAssign(hiddenError.sum([0]).mul(kRate));
  };
  return { step, weights: w1 };
}

export const smallOfOurs = {
  ...expressionCases({
    functions: {
      "softmax [100,10]": (a) => Tensor.evaluate(a.softmax()),
      "softmax transposed 256": (a) => Tensor.evaluate(a.shuffle().softmax()),
      "variance axis 0 [256,8]": (a) => Tensor.evaluate(a.variance(0)),
      "sum 10": (a) => Tensor.evaluate(a.sum()),
      "cumsum 10": (a) => Tensor.evaluate(a.cumsum()),
      "trace 64": (a) => Tensor.evaluate(einsum("ii->", a)),
      "HWC to CHW [64,64,3]": (a) => Tensor.evaluate(a.shuffle([2, 0, 1])),
      "pad [64,64]": (a) =>
        Tensor.evaluate(
          a.pad([
            [1, 1],
            [1, 1],
          ]),
        ), // prettier-ignore
      "stack two [64,64]": (a, b) => Tensor.evaluate(stack([a, b])),
    },
    make: (data, dims) => {
      const tensor = Tensor.from(data, { shape: dims });
      if (dims.length === 1) return tensor.vec();
      return dims.length === 2 ? tensor.matrix() : tensor.tensor(dims.length);
    },
    read: (tensor) => tensor.flat().data,
    // Operands are maps, which own nothing.
    dispose: (each) => each instanceof Tensor && each.dispose(),
  }),
  "assign prebuilt 1": () =>
    prebuilt(() => {
      const [a, b, out] = [1, 2, 3].map((seed) => mapOf(floats(1, seed), [1]));
      return { out, expression: a.add(b).mul(a).sub(b).add(2) };
    }),
  "assign steps": () =>
    prebuilt(() => {
      const [a, out] = [1, 2].map((seed) => mapOf(floats(100, seed), [10, 10]));
      return { out, expression: a.sub(a.mean([0])).div(a.max([1], { keepDims: true })) };
    }),
  "assign sum 10": () =>
    prebuilt(() => {
      const a = mapOf(floats(10, 1), [10]);
      return { out: mapOf(floats(1, 2), []), expression: a.sum() };
    }),
  "assign bias 10x10": () =>
    prebuilt(() => {
      const [a, out] = [1, 2].map((seed) => mapOf(floats(100, seed), [10, 10]));
      return { out, expression: a.add(mapOf(floats(10, 3), [10])) };
    }),
  "network step"() {
    const { step } = network();
    return {
      warmup: 2000,
      run: step,
      checksum() {
        const fresh = network();
        fresh.step();
        return meanOf([...fresh.weights]);
      },
    };
  },
  "network 450 steps cold"() {
    const { step } = network();
    return {
      value() {
        const start = performance.now();
        for (let k = 0; k < 450; k++) step();
        return (performance.now() - start) * 1e6;
      },
    };
  },
};
