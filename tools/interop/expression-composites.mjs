// Cases, as in expression-cases.mjs, for trees of operations that have a name in TensorFlow, and for calls that both sides refuse.
import { oneHot } from "@onebuffer/eigen";
import { indices, method } from "./expression-cases.mjs";
import { Dice, isInteger, encodedTensor, encodedValues } from "./expression-values.mjs";

const kFractions = ["float32", "float64"];

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

export function* compositeCases() {
  const dice = new Dice(11);
  for (const [op, [dtypes, list]] of Object.entries(kComposites)) {
    for (const dtype of dtypes) {
      for (const [dims, args] of list) {
        const inputs = [encodedTensor(dtype, dims, dice, isInteger(dtype) ? {} : { low: -4, high: 4 })];
        yield { op, dtype, inputs, args, tensorflow: true, build: method(op, ...args) };
      }
    }
  }
  for (const dtype of ["float32", "int32", "uint8"]) {
    const inputs = [encodedTensor(dtype, [4, 9], dice, { low: -4, high: 4, whole: true })];
    yield { op: "topK", dtype, inputs, args: [3], tensorflow: true, build: ([x]) => x.topK(3).values };
    yield { op: "topKIndices", dtype, inputs, args: [3], tensorflow: true, build: ([x]) => x.topK(3).indices };
  }
  for (const dtype of ["float32", "int8", "float64"]) {
    const inputs = [encodedValues("int32", [2, 3], [0, 3, 5, -1, 2, 4])];
    yield { op: "oneHot", dtype, inputs, args: [5, dtype], tensorflow: true, build: ([x]) => oneHot(x, 5, dtype) };
  }
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
