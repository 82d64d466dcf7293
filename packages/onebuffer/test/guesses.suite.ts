// First guesses of people who know NumPy, PyTorch, TensorFlow.js and MATLAB: each works, or its message has the call that works.
import { afterAll, describe, expect, test } from "@jest/globals";
import { concatenate, evaluate, gradients, readNpy, select, Tensor, tensorMap, tensorOf } from "onebuffer";
import { resize, searchSorted } from "onebuffer/eigen";
import { refusal } from "@onebuffer/test-support";

/** Programs that TypeScript does not check. */
type Any = ReturnType<typeof JSON.parse>;

const kTensor: Any = Tensor;
const a: Any = Tensor.from([
  [1, 2, 3],
  [4, 5, 6],
]);
const m: Any = a.matrix();
const line: Any = Tensor.from([1, 2, 3]);
const v: Any = line.vec();
const e: Any = m.add(1);

/** Returns dtype and elements of a tensor, and disposes of it. */
function shown(tensor: Tensor): unknown[] {
  using made = tensor;
  return [made.dtype, made.toArray()];
}

afterAll(() => {
  a.dispose();
  line.dispose();
});

const softplus = (x: Any): Any => x.add(x.abs()).div(2).add(x.abs().neg().exp().log1p());
const elu = (x: Any): Any => x.less(0).select(x.minimum(0).expm1(), x);
const divNoNan = (x: Any, y: Any): Any => select(y.equal(0), 0, x.div(select(y.equal(0), 1, y)));

test("what messages give in place of a function has its values", () => {
  const values = (expression: Any): unknown => evaluate(expression).toArray();
  const x: Any = tensorMap("float32", Float32Array.of(1, 2, 2, 3), [4]);
  const y: Any = tensorMap("float32", Float32Array.of(2, 0, 5), [3]);
  const large: Any = tensorMap("float32", Float32Array.of(-5, 100), [2]);
  // np.searchsorted(x, y), np.digitize(y, x), np.fmod(large, 3), tf.nn.softplus(large), tf.math.divide_no_nan(y, y).
  expect(values(searchSorted(x, y))).toEqual([1, 0, 4]);
  expect(values(searchSorted(x, y, { side: "right" }))).toEqual([3, 0, 4]);
  expect(values(large.truncateMod(3))).toEqual([-2, 1]);
  expect(values(softplus(large))).toEqual([Math.fround(Math.log1p(Math.exp(-5))), 100]);
  expect(values(elu(large))).toEqual([Math.fround(Math.expm1(-5)), 100]);
  expect(values(divNoNan(y, y))).toEqual([1, 0, 1]);
});

test("what messages give in place of a function has its gradients, where a part overflows and at 0", () => {
  const slopes = (f: (x: Any) => Any, ...elements: number[]): unknown => {
    const x: Any = tensorMap("float32", Float32Array.from(elements), [elements.length]);
    return evaluate((gradients as Any)(f(x).sum(), [x])[0]).toArray();
  };
  // Those of tf.nn.softplus, tf.nn.elu and tf.math.divide_no_nan.
  expect(slopes(softplus, 0, 200, -200)).toEqual([0.5, 1, 0]);
  expect(slopes(elu, 0, 200, -200)).toEqual([1, 1, 0]);
  expect(slopes((x) => divNoNan(x.add(1), x), 0, 2)).toEqual([0, -0.25]);
});

describe("guesses that work", () => {
  test.each<[string, () => Any, unknown]>([
    ["f.shape[0]", () => a.shape[0], 2],
    ["f.shape[1]", () => a.shape[1], 3],
    ["f.shape.length", () => a.shape.length, 2],
    ["destructured sizes", () => [...a.shape], [2, 3]],
    ["a.slice(0, 1)", () => shown(a.slice(0, 1)), ["float32", [[1, 2, 3]]]],
    ["m @ v", () => evaluate(m.matMul(v)).toArray(), [14, 32]],
    ["v @ m.T", () => evaluate(v.matMul(m.transpose())).toArray(), [14, 32]],
    ["v @ v", () => evaluate(v.matMul(v)).at(), 14],
    ["m.dot(v)", () => evaluate(m.dot(v)).toArray(), [14, 32]],
    ["v.dot(v)", () => evaluate(v.dot(v)).at(), 14],
    ["m.dot(m.T)", () => evaluate(m.dot(m.transpose())).dimensions, [2, 2]],
    ["m.matVec(v)", () => evaluate(m.matVec(v)).toArray(), [14, 32]],
    ["v.outer(v)", () => evaluate(v.outer(v)).at(2, 1), 6],
    ["m.sub(m.mean(1, { keepDims: true }))", () => evaluate(m.sub(m.mean(1, { keepDims: true }))).at(0, 0), -1],
    ["m.sum(0)", () => evaluate(m.sum(0)).toArray(), [5, 7, 9]],
    [
      "Tensor.eye(2, { dtype })",
      () => shown(kTensor.eye(2, { dtype: "int32" })),
      [
        "int32",
        [
          [1, 0],
          [0, 1],
        ],
      ],
    ],
    ["Tensor.eye(2, 3, { dtype })", () => shown(kTensor.eye(1, 2, { dtype: "int32" })), ["int32", [[1, 0]]]],
    ["Tensor.arange(3, { dtype })", () => shown(kTensor.arange(3, { dtype: "int32" })), ["int32", [0, 1, 2]]],
    ["Tensor.arange(1, 3, { dtype })", () => shown(kTensor.arange(1, 3, { dtype: "int32" })), ["int32", [1, 2]]],
    ["Tensor.linspace(0, 1, 5)", () => shown(kTensor.linspace(0, 1, 5)), ["float32", [0, 0.25, 0.5, 0.75, 1]]],
    ["Tensor.random([2, 2])", () => shown(kTensor.random([2, 2]))[0], "float32"],
    [
      "Tensor.from(array, { shape })",
      () => shown(Tensor.from([1, 2, 3, 4], { shape: [2, 2] })),
      [
        "float32",
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ],
    ["m.clip(2, 3)", () => evaluate(m.clip(2, 3)).at(0, 0), 2],
    ["m.transpose()", () => evaluate(m.transpose()).dimensions, [3, 2]],
    ["m.argmax(1)", () => evaluate(m.argmax(1)).toArray(), [2n, 2n]],
    [
      "tensorOf(m.mul(2))",
      () => shown(tensorOf(m.mul(2))),
      [
        "float32",
        [
          [2, 4, 6],
          [8, 10, 12],
        ],
      ],
    ],
  ])("%s", (_, call, expected) => expect(call()).toEqual(expected));
});

describe("guesses whose message has the call", () => {
  test.each<[string, () => Any, string]>([
    // Those that were tried first.
    ["a.add(1)", () => a.add(1), "tensor.matrix().add(…)"],
    ["a.sum()", () => a.sum(), "tensor.matrix().sum(…)"],
    ["a.at(0, 1)", () => a.at(0, 1), "tensor.matrix().at(…)"],
    ["a.vec()", () => a.vec(), "tensor(2) or flat()"],
    ["m.at(0, 7)", () => m.at(0, 7), "index 7 of dimension 1 is not in [0, 3)"],
    ["m.sub(m.mean(1))", () => m.sub(m.mean(1)), "keepDims"],
    ['Tensor.zeros([2, 2], "int32")', () => kTensor.zeros([2, 2], "int32"), '{ dtype: "int32" }'],
    ["Tensor.from(array, [2, 2])", () => kTensor.from([1, 2, 3, 4], [2, 2]), "{ shape: [2, 2] }"],
    ["int32 + float32", () => m.add(m.cast("int32")), 'cast("float32")'],
    ["m.matMul(a)", () => m.matMul(a), "Matrix size-incompatible"],
    ["m.argMax(1)", () => m.argMax(1), "map.argmax(axis)"],
    ["m.gt(3)", () => m.gt(3), "map.greater(y)"],
    ["Tensor.randn([2, 2])", () => kTensor.randn([2, 2]), "statelessNormal("],
    ["m.concat(m, 0)", () => m.concat(m, 0), "concatenate([map, y], axis)"],
    ["m.solve(m)", () => m.solve(m), "solve(map, b) of onebuffer/linalg"],
    ["m.T", () => m.T, "map.transpose()"],
    ["a.T", () => a.T, "transpose()"],
    ["a.length", () => a.length, "tensor.numElements"],
    ["m.length", () => m.length, "map.size"],
    ["m.subtract(m)", () => m.subtract(m), "map.sub(y)"],
    ["m.multiply(2)", () => m.multiply(2), "map.mul(y)"],
    ["m.sum() of uint8", () => m.cast("uint8").sum(), 'cast("int32")'],
    ["m.mean() of int32", () => m.cast("int32").mean(), 'cast("float32")'],
    ["m.sum({ axis: 0 })", () => m.sum({ axis: 0 }), "sum(0, options)"],
    ["m.std({ ddof: 1 })", () => m.std({ ddof: 1 }), "std(0, options)"],
    ["m.norm(2)", () => m.norm(2), "norm(float32 [2, 3]): axis 2"],
    ["m.sum(0, { keepdims: true })", () => m.sum(0, { keepdims: true }), '"keepDims"'],
    ["m.reshape(3, 2)", () => m.reshape(3, 2), "such as [2, 3]"],
    ["m.transpose(1, 0)", () => m.transpose(1, 0), "such as [1, 0]"],
    ["a.reshape(3, 2)", () => a.reshape(3, 2), "such as [2, 3]"],
    ["m.slice(0, 1)", () => m.slice(0, 1), "[start, stop, step]"],
    ["a.slice([0, 0], [1, 2])", () => a.slice([0, 0], [1, 2]), "map.slice([start, stop, step], …)"],
    ["m.add([1, 2, 3])", () => m.add([1, 2, 3]), "Tensor.from(array)"],
    ['m.cast("float")', () => m.cast("float"), 'did you mean "float32"'],
    ["m.set([0, 0], 1)", () => m.set([0, 0], 1), "needs 2 indices"],
    ["m.dispose()", () => m.dispose(), "dispose of the tensor"],
    ["m.flat()", () => m.flat(), "map.reshape([-1])"],
    ["m.col(0)", () => m.col(0), "map.chip(j, 1)"],
    ["m.filter", () => m.filter((x: number) => x > 1), "booleanMask(map, mask)"],
    ["m.forEach", () => m.forEach(() => undefined), "the whole map"],
    ["m.get(0, 1)", () => m.get(0, 1), "map.at(i, j)"],
    ["tensorMap(array)", () => (tensorMap as Any)(Float32Array.of(1, 2)), 'tensorMap("float32", array, [2, 3])'],
    ["concatenate(m, m)", () => (concatenate as Any)(m, m), "concatenate([a, b])"],
    ["resize of one image", () => resize(m.reshape([2, 3, 1]) as never, [4, 4]), "reshape([1, height, width, channels])"],
    ["readNpy of a path", () => (readNpy as Any)("a.npy"), 'readFileSync("a.npy")'],
    ["evaluate([1, 2])", () => (evaluate as Any)([1, 2]), "Tensor.from(array)"],
    ["if (m.greater(0)) as a number", () => m.greater(0) > 0, "item(expression)"],
    ["m + 1", () => m + 1, "map.mul(2) computes with all of them"],
    ["1 + e", () => 1 + e, "item(expression)"],
    ["a + a", () => a + a, "tensor.matrix().mul(2) computes with all"],
    ["m.strided() + 1", () => m.strided() + 1, "String(…) is its text"],
    ['"m: " + m', () => `${"m: "}` + m, "String(…) is its text"],
    ["m == 1", () => m[Symbol.toPrimitive]("default"), "map.at(i)"],
    // NumPy.
    ["m.dim()", () => m.dim, "map.rank"],
    ["e.data", () => e.data, "evaluate(expression).data"],
    ["e[0]", () => e[0], "expression.chip(0) is a row"],
    ["e.tolist()", () => e.tolist(), "evaluate(expression).toArray()"],
    ["await e.array()", () => e.array(), "evaluate(expression).toArray()"],
    ["a.save(path)", () => a.save("a.npy"), "writeNpy(tensor)"],
    ["m.tobytes()", () => m.tobytes(), "writeNpy(tensorOf(map))"],
    ["m.view(3, 2)", () => m.view(3, 2), "map.reshape(sizes)"],
    ["m.svd()", () => m.svd(), "svd(map) of onebuffer/linalg"],
    ["m.partition(1)", () => m.partition(1), "nthElements(map, places)"],
    ["m.includes(3)", () => m.includes(3), "map.equal(value).any()"],
    ["m.onesLike()", () => m.onesLike(), "Tensor.ones(map.dimensions, { dtype })"],
    ["a.zerosLike()", () => a.zerosLike(), "Tensor.zeros(tensor.shape"],
    ["m.as1D()", () => m.as1D(), "map.reshape(sizes)"],
    ["m.mtimes(m)", () => m.mtimes(m), "map.matMul(y)"],
    ["Tensor.tensor2d", () => kTensor.tensor2d([[1]]), "Tensor.from(array, { shape })"],
    ["Tensor.vstack", () => kTensor.vstack([a, a]), "concat([a, b])"],
    ["Tensor.frombuffer", () => kTensor.frombuffer(new Uint8Array(4)), "Tensor.wrap(typedArray, sizes)"],
    ["Tensor.fromPixels", () => kTensor.fromPixels({}), "[height, width, 4]"],
    ["Tensor.seed", () => kTensor.seed(1), "takes its seed"],
    ["Tensor.full_like", () => kTensor.full_like(a, 1), "Tensor.full(other.shape"],
    ["m.shape", () => m.shape, "map.dimensions"],
    ["e.shape", () => e.shape, "expression.dimensions"],
    ["m.ndim", () => m.ndim, "map.rank"],
    ["a.ndim", () => a.ndim, "tensor.dims"],
    ["a.size", () => a.size, "tensor.numElements"],
    ["a.nbytes", () => a.nbytes, "tensor.totalBytes"],
    ["m.astype", () => m.astype("int32"), 'map.cast("float32")'],
    ["a.astype", () => a.astype("int32"), 'tensor.matrix().cast("float32")'],
    ["m.ravel()", () => m.ravel(), "map.reshape([-1])"],
    ["m.flatten()", () => m.flatten(), "map.reshape([-1])"],
    ["a.flatten()", () => a.flatten(), "tensor.reshape([-1])"],
    ["m.swapaxes(0, 1)", () => m.swapaxes(0, 1), "map.transpose(order)"],
    ["m.ptp()", () => m.ptp(), "map.max(axes).sub(map.min(axes))"],
    ["m.var()", () => m.var(), "map.variance(axes)"],
    ["m.nonzero()", () => m.nonzero(), "nonzero(map)"],
    ["m.dot of three dimensions", () => m.reshape([1, 2, 3]).dot(m), "matMul multiplies stacks"],
    ["m.take([0])", () => m.take([0]), "map.gather(indices, axis)"],
    ["m.repeat(2)", () => m.repeat(2), "map.tile(multiples)"],
    ["m.tolist()", () => m.tolist(), "map.toArray()"],
    ["m.copy()", () => m.copy(), "tensorOf(map)"],
    ["a.copy()", () => a.copy(), "deepCopy(tensor)"],
    ["m.conjugate()", () => m.conjugate(), "map.conj()"],
    ["m.diagonal()", () => m.diagonal(), "map.diagPart(k)"],
    ["m.trace()", () => m.trace(), "map.diagPart().sum()"],
    ["m.argwhere()", () => m.argwhere(), "nonzero(map)"],
    ["m.logical_and", () => m.logical_and(m), "map.logicalAnd(y)"],
    ["m.floor_divide", () => m.floor_divide(m), "map.floorDiv(y)"],
    ["m.arcsin()", () => m.arcsin(), "map.asin()"],
    ["m.isnan()", () => m.isnan(), "map.isNan()"],
    ["m.allclose(m)", () => m.allclose(m), "tensor.isClose(other)"],
    ["m.searchsorted", () => m.searchsorted(1), "searchSorted(map, values) of onebuffer/eigen"],
    ["m.digitize", () => m.digitize([1]), 'searchSorted(edges, map, { side: "right" })'],
    ["m.percentile(5)", () => m.percentile(5), "quantile(map, q, { axes })"],
    ["m.diff()", () => m.diff(), "map.slice([1])"],
    ["m.kron(m)", () => m.kron(m), "kron(map, y) of onebuffer/linalg"],
    ["m.cross(m)", () => m.cross(m), "cross(map, y) of onebuffer/linalg"],
    ["m.fmod(2)", () => m.fmod(2), "map.truncateMod(y)"],
    ["m.remainder(2)", () => m.remainder(2), "map.mod(y)"],
    ["m.around()", () => m.around(), "map.round()"],
    ["m.cumSum()", () => m.cumSum(), "map.cumsum(axis)"],
    ["m.inv()", () => m.inv(), "inverse(map) of onebuffer/linalg"],
    ["m.fft()", () => m.fft(), "fft(map) of onebuffer/signal"],
    ["m.std(0, true)", () => m.std(0, 1), "std: expected options such as { keepDims: … }"],
    ["Tensor.array", () => kTensor.array([1]), "Tensor.from(array)"],
    ["Tensor.of", () => kTensor.of(1, 2), "Tensor.from([1, 2, 3])"],
    ["Tensor.empty", () => kTensor.empty([1]), "new Tensor(dtype, sizes)"],
    ["Tensor.identity", () => kTensor.identity(2), "Tensor.eye(n)"],
    ["Tensor.range", () => kTensor.range(2), "Tensor.arange(start, stop, step)"],
    ["Tensor.zeros_like", () => kTensor.zeros_like(a), "Tensor.zeros(other.shape"],
    ["Tensor.rand", () => kTensor.rand([2]), "Tensor.random(sizes)"],
    ["Tensor.zeros(2, 2)", () => kTensor.zeros(2, 2), "[2, 2]"],
    // TensorFlow.js.
    ["a.print()", () => a.print(), "console.log(tensor)"],
    ["a.dataSync()", () => a.dataSync(), "tensor.flat().data"],
    ["a.arraySync()", () => a.arraySync(), "tensor.toArray()"],
    ["m.arraySync()", () => m.arraySync(), "map.toArray()"],
    ["a.clone()", () => a.clone(), "tensor.share()"],
    ["a.rank", () => a.rank, "tensor.dims"],
    ["m.toFloat()", () => m.toFloat(), 'map.cast("float32")'],
    ["m.asType", () => m.asType("int32"), "map.cast("],
    ["m.greaterThan", () => m.greaterThan(1), "map.greater(y)"],
    ["m.notequal", () => m.not_equal(1), "map.notEqual(y)"],
    ["m.clipByValue", () => m.clipByValue(0, 1), "map.clip(low, high)"],
    ["m.stack", () => m.stack(m), "stack([map, y], axis)"],
    ["m.split", () => m.split(2), "map.unstack(axis)"],
    ["m.oneHot(3)", () => m.oneHot(3), "oneHot(map, depth)"],
    ["m.conv2d", () => m.conv2d(m), "convolve(map, filters)"],
    ["m.maxPool", () => m.maxPool(2), "maxPool(map, sizes)"],
    ["m.resizeBilinear", () => m.resizeBilinear([2, 2]), "resize(map, [height, width])"],
    ["m.squaredDifference typo", () => m.squared_difference(m), "map.squaredDifference(y)"],
    ["m.broadcastTo", () => m.broadcastTo([2, 3]), "map.broadcast(sizes)"],
    ["m.logSumExp name", () => m.logsumexp(), "map.logSumExp(axes)"],
    ["m.divNoNan", () => m.divNoNan(m), "select(y.equal(0), 0, map.div(select(y.equal(0), 1, y)))"],
    ["m.softplus()", () => m.softplus(), "map.add(map.abs()).div(2).add(map.abs().neg().exp().log1p())"],
    ["m.elu()", () => m.elu(), "map.less(0).select(map.minimum(0).expm1(), map)"],
    ["m.batchNorm()", () => m.batchNorm(), "rsqrt()"],
    ["m.gatherND", () => m.gatherND(m), "gather(places)"],
    ["Tensor.fromArray", () => kTensor.fromArray([1]), "Tensor.from(array)"],
    ["Tensor.tensor", () => kTensor.tensor([1]), "Tensor.from(array, { shape })"],
    ["Tensor.randomNormal", () => kTensor.randomNormal([2]), "statelessNormal("],
    ["Tensor.scalar", () => kTensor.scalar(1), "Tensor.from(number)"],
    ["Tensor.fill", () => kTensor.fill([2], 1), "Tensor.full(sizes, value)"],
    // PyTorch.
    ["m.unsqueeze(0)", () => m.unsqueeze(0), "map.expandDims(axis)"],
    ["m.permute", () => e.permute([1, 0]), "expression.transpose(order)"],
    ["m.mm(m)", () => m.mm(m), "map.matMul(y)"],
    ["m.bmm(m)", () => m.bmm(m), "map.matMul(y)"],
    ["m.mv(v)", () => m.mv(v), "map.matVec(vector)"],
    ["m.t()", () => m.t(), "map.transpose()"],
    ["m.clamp(0, 1)", () => m.clamp(0, 1), "map.clip(low, high)"],
    ["m.masked_fill", () => m.masked_fill(m, 0), "select(mask, value, map)"],
    ["m.numel()", () => m.numel, "map.size"],
    ["m.detach()", () => m.detach(), "stopGradient(map)"],
    ["m.backward()", () => m.backward(), "gradients(loss, [variable])"],
    ["m.cuda()", () => m.cuda(), "map.device(device)"],
    ["m.numpy()", () => m.numpy(), "map.toArray()"],
    ["a.numpy()", () => a.numpy(), "writeNpy(tensor)"],
    ["m.add_(1)", () => m.add_(1), "a.addAssign(y)"],
    ["m.zero_()", () => m.zero_(), "map.fill(0)"],
    ["m.contiguous()", () => m.contiguous(), "tensorOf(map)"],
    ["m.expand(2, 3)", () => m.expand(2, 3), "map.broadcast(sizes)"],
    ["m.cat(m)", () => m.cat(m), "concatenate([map, y], axis)"],
    ["m.topk(2)", () => m.topk(2), "map.topK(k)"],
    ["m.amax()", () => m.amax(), "map.max(axes)"],
    ["m.log_softmax()", () => m.log_softmax(), "map.logSoftmax()"],
    ["m.index_select", () => m.index_select(0, m), "map.gather(indices, axis)"],
    ["m.float()", () => m.float(), 'map.cast("float32")'],
    ["m.long()", () => m.long(), 'map.cast("int32")'],
    ["m.eq(m)", () => m.eq(m), "map.equal(y)"],
    ["m.chunk(2)", () => m.chunk(2), "map.slice([from, to])"],
    // MATLAB.
    ["m.times(2)", () => m.times(2), "map.mul(y)"],
    ["m.plus(2)", () => m.plus(2), "map.add(y)"],
    ["m.minus(2)", () => m.minus(2), "map.sub(y)"],
    ["m.mldivide(m)", () => m.mldivide(m), "solve(map, b)"],
    ["m.circshift(1)", () => m.circshift(1), "map.roll(shift, axis)"],
    ["m.fliplr()", () => m.fliplr(), "map.reverse([1])"],
    ["m.det()", () => m.det(), "determinant(map)"],
    // Expressions are no values.
    ["e.at(0, 0)", () => e.at(0, 0), "evaluate(expression).at(…)"],
    ["e > 3", () => e > 3, "item(expression)"],
    ["m * 2", () => m * 2, "map.mul(2)"],
    ["a * 2", () => a * 2, "tensor.matrix().mul(2)"],
    ["m[0]", () => m[0], "map.at(0, …)"],
    ["a[0]", () => a[0], "tensor.matrix().chip(0)"],
    ["e.subtract", () => e.subtract(1), "expression.sub(y)"],
    ["a shape's map", () => a.shape.map((x: number) => x), "shape.dimSizes.map(…)"],
    ["a shape's join", () => a.shape.join("x"), "shape.dimSizes.join(…)"],
  ])("%s", (_, call, words) => {
    const { code, message } = refusal(call);
    expect([code, message]).toEqual([expect.stringMatching(/^(INVALID_ARGUMENT|OUT_OF_RANGE)$/), expect.stringContaining(words)]);
  });

  test("a tensor, a map or an expression that is posted names the handle", () => {
    for (const value of [a, m, e]) expect(() => structuredClone(value)).toThrow("post the handle shareTensor(tensor)");
  });
});
