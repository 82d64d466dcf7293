// onebuffer's expressions: built again for every result, which is a fresh tensor.
import { concatenate, oneHot, Tensor, tensorsOf } from "onebuffer";
import { setKernelHooks } from "onebuffer/debug";
import { bincount, convolve, histogram, maxPool, median as medianOf, unsortedSegmentSum } from "onebuffer/eigen";
import {
  kDeviations,
  kEpsilon,
  expressionCases,
  kImageDims,
  imageBytes,
  kInputs,
  dataOf,
  kMeans,
  meanOf,
  warmupOf,
} from "../expressions-data.mjs";
import { growthCases } from "../growth/growth-data.mjs";
import { median } from "../report.mjs";
import { dispose, mapOf } from "./ours-maps.mjs";

const make = (data, dims) => mapOf(Tensor.from(data, { shape: dims }));

/** Returns a map over a JavaScript array outside the arena. */
const wrap = (data, dims) => mapOf(Tensor.wrap(data.slice(), dims));

const result = (expression) => Tensor.evaluate(expression);
const expChain = (a, b, c) => result(a.mul(b).add(c).exp());
const add = (a, b) => result(a.add(b));
const product = (a, b) => result(a.matMul(b));

const functions = {
  "add 100": add,
  "add 1e4": add,
  "exp(a*b+c) 1e4": expChain,
  "exp(a*b+c) 1e6": expChain,
  "exp(a*b+c) 1e7": expChain,
  "relu chain": (a, b) => result(a.sub(b).mul(1.5).add(0.25).relu()),
  sigmoid: (a) => result(a.sigmoid()),
  tanh: (a) => result(a.tanh()),
  gelu: (a) => result(a.gelu({ approximate: true })),
  "sum all": (a) => result(a.sum()),
  "max all": (a) => result(a.max()),
  "sum axis 0": (a) => result(a.sum(0)),
  "sum axis 1": (a) => result(a.sum(1)),
  "sum rows of 8": (a) => result(a.sum(1)),
  "argmax rows": (a) => result(a.argmax(1, { outputType: "int32" })),
  "mean and variance rows": (a) => tensorsOf([a.mean(1), a.variance(1)]),
  softmax: (a) => result(a.softmax()),
  layerNorm: (a, scale, offset) => result(a.layerNorm({ scale, offset, epsilon: kEpsilon })),
  "transpose copy": (a) => result(a.shuffle()),
  conv2d: (images, filters) => result(convolve(images, filters, { padding: "same" })),
  "max pool": (images) => result(maxPool(images, 2)),
  "cumsum 1e6": (a) => result(a.cumsum(0)),
  "cumsum axis 0": (a) => result(a.cumsum(0)),
  "cumsum 1000": (a) => result(a.cumsum(0)),
  "topK 10 of 1e6": (a) => result(a.topK(10).values),
  "concatenate two [64,64]": (a, b) => result(concatenate([a, b], 0)),
  "roll [256,256]": (a) => result(a.roll([10, 20], [0, 1])),
  "f32 to f16": (a) => result(a.cast("float16")),
  "f32 to bf16": (a) => result(a.cast("bfloat16")),
  "conv2d small": (images, filters) => result(convolve(images, filters, { padding: "same" })),
  "matMul 4": product,
  "matMul 16": product,
  "matMul 64": product,
  "matMul 256": product,
  "matMul 511": product,
  "matMul 512": product,
  "matMul 1024": product,
  "matMul batch": product,
  "matMul vector": product,
  "matMul transposed 512": (a, b) => result(a.shuffle().matMul(b)),
  "matMul by transposed 512": (a, b) => result(a.matMul(b, { transposeB: true })),
  "matMul both transposed 512": (a, b) => result(a.matMul(b, { transposeA: true, transposeB: true })),
  "matMul float64 512": product,
  "matMul int8 512": (a, b) => result(a.matMul(b, { outputType: "int32" })),
  "dot 1000": (a, b) => result(a.dot(b)),
  "outer 64": (a, b) => result(a.outer(b)),
  "sort 1000": (a) => result(a.sort()),
  "sort 1e6": (a) => result(a.sort()),
  "argsort 1e6": (a) => result(a.argsort()),
  "sort int32 1e6": (a) => result(a.sort()),
  "sort float64 1e6": (a) => result(a.sort()),
  "sort columns": (a) => result(a.sort(0)),
  "median 1e6": (a) => result(medianOf(a)),
  "bincount 1e6": (a) => result(bincount(a, 1000)),
  "histogram 1e6": (a) => result(histogram(a, 100).counts),
  "segment sums 1e6": (a, ids) => result(unsortedSegmentSum(a, ids, 1000)),
  "cummax 1e6": (a) => result(a.cummax()),
  "gather 200 rows": (a, rows) => result(a.gather(rows)),
  "gather 1e5 rows": (a, rows) => result(a.gather(rows)),
  "scatter add 1e5 rows": (a, rows, updates) => result(a.scatter(rows, updates, 0, { reduction: "add" })),
  "one-hot [100,10]": (a) => result(oneHot(a, 10, "float32")),
  "reverse [512,512]": (a) => result(a.reverse()),
  "roll uint8 [256,256]": (a) => result(a.roll([10, 20], [0, 1])),
};

/** The operations of `firstUse`, which builds a new expression for each number: its digits choose the operations. */
const steps = [(x) => x.mul(2), (x) => x.abs(), (x) => x.add(1), (x) => x.square(), (x) => x.maximum(0.5), (x) => x.tanh()];
let next = 7;

function firstUse(operand, out) {
  const start = performance.now();
  let x = operand;
  for (let n = next++; n > 0; n = Math.floor(n / steps.length)) x = steps[n % steps.length](x);
  out.assign(x);
  return (performance.now() - start) * 1e6;
}

/**
 * Returns eight operations over an operand, chosen by the digits of a number below 4,096: 4,096 different kernels, none of which is
 * a prefix of another.
 */
function digitsOf(operand, number) {
  let x = operand;
  for (let k = 0; k < 4; k++) {
    x = steps[(number >> (3 * k)) & 3](x);
    x = (number >> (3 * k + 2)) & 1 ? x.neg() : x.sqrt();
  }
  return x;
}

/** Returns a case that assigns the sum of a workload's inputs into existing memory. */
function assignments(name, how) {
  const [a, b, out] = [...kInputs[name], kInputs[name][0]].map((one) => how(dataOf(one), one.dims));
  return {
    warmup: warmupOf(name),
    run: () => out.assign(a.add(b)),
    checksum: () => meanOf(out.data),
    free: () => [a, b, out].forEach(dispose),
  };
}

export const expressionsOfOurs = {
  ...expressionCases({ functions, make, dispose, read: (tensor) => tensor.flat().data }),
  ...growthCases({ functions, make, dispose, read: (tensor) => tensor.flat().data }),
  "matMul added 512"() {
    const [a, b] = kInputs["matMul added 512"].map((one) => make(dataOf(one), one.dims));
    const out = make(new Float32Array(512 * 512), [512, 512]);
    const add = () => out.assign(out.add(a.matMul(b)));
    return { warmup: 5, run: add, free: () => [a, b, out].forEach(dispose) };
  },
  "matMul float16 512"() {
    const [a, b] = kInputs["matMul float16 512"].map((one) => {
      const wide = make(dataOf(one), one.dims);
      const narrow = mapOf(result(wide.cast("float16")));
      dispose(wide);
      return narrow;
    });
    return { warmup: 5, run: () => product(a, b).dispose(), free: () => [a, b].forEach(dispose) };
  },
  image() {
    const [image, means, deviations] = [
      make(imageBytes(), kImageDims),
      make(Float32Array.from(kMeans), [3]),
      make(Float32Array.from(kDeviations), [3]),
    ];
    const compute = () => result(image.cast("float32").div(255).sub(means).div(deviations));
    return {
      run: () => compute().dispose(),
      checksum() {
        const tensor = compute();
        const sum = meanOf(tensor.flat().data);
        tensor.dispose();
        return sum;
      },
      free: () => [image, means, deviations].forEach(dispose),
    };
  },
  "first use"() {
    const [operand, out] = kInputs["add 100"].map((one) => make(dataOf(one), one.dims));
    let kernels = 0;
    const before = setKernelHooks({ onKernelCompiled: () => void kernels++ });
    out.assign(operand.add(1));
    return {
      value() {
        kernels = 0;
        const times = Array.from({ length: 40 }, () => firstUse(operand, out));
        if (kernels < 40) throw new Error(`${kernels} kernels were compiled for 40 expressions`);
        return median(times);
      },
      free() {
        setKernelHooks(before);
        [operand, out].forEach(dispose);
      },
    };
  },
  "lower 1000-deep shared chain"() {
    const [leaf, out] = [Int32Array.of(1, 2, 3, 4, 5, 6), new Int32Array(6)].map((data) => make(data, [2, 3]));
    const assign = () => {
      let chain = leaf.add(0);
      for (let level = 0; level < 1000; level++) chain = chain.add(chain.reverse([1]));
      const start = performance.now();
      out.assign(chain);
      return (performance.now() - start) * 1e6;
    };
    assign();
    return { value: () => median(Array.from({ length: 5 }, assign)), free: () => [leaf, out].forEach(dispose) };
  },
  "4,096 kernels in turn"() {
    const [operand, out] = kInputs["add 100"].map((one) => make(dataOf(one), one.dims));
    const round = () => {
      const start = performance.now();
      for (let n = 0; n < 4096; n++) out.assign(digitsOf(operand, n));
      return ((performance.now() - start) * 1e6) / 4096;
    };
    round();
    let kernels = 0;
    const before = setKernelHooks({ onKernelCompiled: () => void kernels++ });
    return {
      value() {
        const times = Array.from({ length: 5 }, round);
        if (kernels > 0) throw new Error(`${kernels} of 4,096 kernels were compiled again`);
        return median(times);
      },
      free() {
        setKernelHooks(before);
        [operand, out].forEach(dispose);
      },
    };
  },
  "assign 100": () => assignments("add 100", make),
  "assign 1000": () => assignments("add 1000", make),
  "assign wrapped 1000": () => assignments("add 1000", wrap),
};
