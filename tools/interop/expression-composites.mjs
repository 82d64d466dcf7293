// Cases, as in expression-cases.mjs, for trees of operations that have a name in TensorFlow, and for calls that both sides refuse.
import { booleanMask, meshgrid, nonzero, oneHot, stack, where } from "@onebuffer/eigen";
import { indices, method } from "./expression-cases.mjs";
import { productCases } from "./expression-products.mjs";
import { statisticsCases } from "./expression-statistics.mjs";
import { Dice, isInteger, encodedTensor, encodedValues } from "./expression-values.mjs";

const kFractions = ["float32", "float64"];

/** The composites for diagonals and triangles, of every diagonal that TensorFlow has, some of them outside the matrix. */
function matrixComposites() {
  const dtypes = ["float32", "float16", "int8", "int64", "complex64", "bool"];
  const triangles = [
    [5, 7],
    [2, 4, 3],
    [0, 3],
  ].flatMap((dims) => [-9, -2, 0, 1, 9].map((k) => [dims, [k]]));
  const diagonals = [
    [5, 7],
    [2, 4, 7],
  ].flatMap((dims) => [-3, -1, 0, 2, 6].map((k) => [dims, [k]]));
  const vectors = [[6], [3, 4]].flatMap((dims) => [-2, 0, 1].map((k) => [dims, [k]]));
  return { tril: [dtypes, triangles], triu: [dtypes, triangles], diagPart: [dtypes, diagonals], diag: [dtypes, vectors] };
}

/** Operations with several operands, or with a result whose size depends on the elements. */
function* listCases(dice) {
  for (const dtype of ["float32", "int64", "complex64", "bool"]) {
    const inputs = [0, 1, 2].map(() => encodedTensor(dtype, [2, 3], dice));
    for (const axis of [0, 1, 2, -1, -3])
      yield { op: "stack", dtype, inputs, args: [axis], tensorflow: true, build: (parts) => stack(parts, axis) };
    for (const axis of [0, 1, -1])
      yield { op: "unstack", dtype, inputs: [inputs[0]], args: [axis], tensorflow: true, build: ([x]) => x.unstack(axis)[1] };
    const vectors = [4, 3, 2].map((size) => encodedTensor(dtype, [size], dice));
    for (const indexing of ["xy", "ij"])
      for (const k of [0, 1, 2])
        yield {
          op: "meshgrid",
          dtype,
          inputs: vectors,
          args: [indexing, k],
          tensorflow: true,
          build: (list) => meshgrid(list, indexing)[k],
        };
    const mask = encodedTensor("bool", [3, 4], dice);
    const flags = encodedTensor("bool", [3], dice);
    const x = encodedTensor(dtype, [3, 4, 2], dice);
    for (const [chosen, axis] of [
      [mask, 0],
      [flags, 0],
    ])
      yield { op: "booleanMask", dtype, inputs: [x, chosen], args: [axis], tensorflow: true, build: ([a, m]) => booleanMask(a, m, axis) };
  }
  for (const dtype of ["float32", "float64", "int32", "uint8"]) {
    const inputs = [7, 5].map((size) => encodedTensor(dtype, [size], dice, { low: -4, high: 4 }));
    yield { op: "outer", dtype, inputs, args: [], tensorflow: true, build: ([x, y]) => x.outer(y) };
  }
  for (const dtype of ["bool", "float32", "int8", "int64", "complex64"]) {
    for (const dims of [[23], [3, 5], [2, 0, 3]]) {
      const inputs = [encodedTensor(dtype, dims, dice, { low: -1, high: 1, whole: true })];
      yield { op: "where", dtype, inputs, args: [], tensorflow: true, build: ([x]) => where(x) };
      yield { op: "nonzero", dtype, inputs, args: [], tensorflow: true, build: ([x]) => nonzero(x)[0] };
    }
  }
}

/** The composites: trees of operations of the op table, by their TensorFlow name. */
const kComposites = {
  relu: [[...kFractions, "int32", "int8", "uint8"], [[[203], []]]],
  leakyRelu: [kFractions, [[[203], []]]],
  silu: [kFractions, [[[203], []]]],
  gelu: [
    kFractions,
    [
      [[203], [false]],
      [[203], [true]],
    ],
  ],
  clip: [[...kFractions, "int32"], [[[203], [-1, 2]]]],
  softmax: [
    kFractions,
    [
      [[5, 37], []],
      [[9, 4], [0]],
    ],
  ],
  logSoftmax: [kFractions, [[[5, 37], []]]],
  logSumExp: [
    kFractions,
    [
      [[5, 37], [[1]]],
      [[5, 37], [[0]]],
    ],
  ],
  layerNorm: [kFractions, [[[5, 64], []]]],
  variance: [
    kFractions,
    [
      [[5, 37], [[1]]],
      [[5, 37], [[0]]],
    ],
  ],
  std: [
    kFractions,
    [
      [[5, 37], [[1]]],
      [[5, 37], [[0]]],
    ],
  ],
  ...matrixComposites(),
  norm: [kFractions, [[[5, 37], [[1]]]]],
  l2Normalize: [kFractions, [[[5, 37], [[1]]]]],
  tile: [
    ["float32", "int64", "bool"],
    [
      [[3, 4], [[2, 3]]],
      [[3, 4], [[0, 1]]],
    ],
  ],
  roll: [
    ["float32", "int64", "bool"],
    [
      [
        [5, 7],
        [
          [1, -2],
          [0, 1],
        ],
      ],
    ],
  ],
  pad: [
    ["float32", "int64", "bool"],
    ["constant", "reflect", "symmetric"].map((mode) => [
      [5, 7],
      [
        [
          [1, 2],
          [3, 0],
        ],
        mode,
      ],
    ]),
  ],
};

/** The arguments of methods that take options, from those for Python. */
const kCalls = {
  gelu: (approximate) => [{ approximate }],
  pad: (paddings, mode) => [paddings, { mode }],
};

export function* compositeCases() {
  const dice = new Dice(11);
  for (const [op, [dtypes, list]] of Object.entries(kComposites)) {
    for (const dtype of dtypes) {
      for (const [dims, args] of list) {
        const inputs = [encodedTensor(dtype, dims, dice, isInteger(dtype) ? {} : { low: -4, high: 4 })];
        yield { op, dtype, inputs, args, tensorflow: true, build: method(op, ...(kCalls[op]?.(...args) ?? args)) };
      }
    }
  }
  for (const dtype of ["float32", "int32", "uint8"]) {
    const inputs = [encodedTensor(dtype, [4, 9], dice, { low: -4, high: 4, whole: true })];
    yield { op: "topK", dtype, inputs, args: [3], tensorflow: true, build: ([x]) => x.topK(3).values };
    yield { op: "topKIndices", dtype, inputs, args: [3], tensorflow: true, build: ([x]) => x.topK(3).indices };
  }
  // A long row of whole numbers, many of them equal, from which the first few are selected.
  for (const dtype of ["float32", "float64", "int16", "uint32", "int64"]) {
    const inputs = [encodedTensor(dtype, [2, 2500], dice, { low: 0, high: 100, whole: true })];
    yield { op: "topK", dtype, inputs, args: [7], tensorflow: true, build: ([x]) => x.topK(7).values };
    yield { op: "topKIndices", dtype, inputs, args: [7], tensorflow: true, build: ([x]) => x.topK(7).indices };
  }
  for (const dtype of ["float32", "int8", "float64"]) {
    const inputs = [encodedValues("int32", [2, 3], [0, 3, 5, -1, 2, 4])];
    yield { op: "oneHot", dtype, inputs, args: [5, dtype], tensorflow: true, build: ([x]) => oneHot(x, 5, dtype) };
  }
  yield* listCases(dice);
  yield* productCases(dice);
  yield* statisticsCases(dice);
}

/** The calls that both sides refuse: [op, dtype, inputs, args, build]. */
export function* refusedCases() {
  for (const dtype of ["int8", "int32", "int64", "uint8"])
    for (const op of ["div", "floorDiv", "mod"]) {
      const list = (a, b) => [a, b].map((v) => (dtype === "int64" ? BigInt(v) : v));
      yield {
        op,
        dtype,
        inputs: [encodedValues(dtype, [2], list(7, 1)), encodedValues(dtype, [2], list(2, 0))],
        args: [],
        build: method(op),
      };
    }
  for (const dtype of ["int32", "int64"]) {
    const list = (a, b) => [a, b].map((v) => (dtype === "int64" ? BigInt(v) : v));
    yield {
      op: "pow",
      dtype,
      inputs: [encodedValues(dtype, [2], list(2, 1)), encodedValues(dtype, [2], list(3, -1))],
      args: [],
      build: method("pow"),
    };
  }
  const x = encodedValues("float32", [2, 2], [1, 2, 3, 4]);
  for (const list of [[0, 2], [-1]])
    yield { op: "gather", dtype: "float32", inputs: [x, indices(list)], args: [0], build: method("gather", 0) };
  yield { op: "scatter", dtype: "float32", inputs: [x, indices([0, 4]), x], args: ["update"], build: method("scatter", 0) };
}
