// Cases for the checks of expressions: every operation of the op table for every dtype that it accepts.
//
// A case is { op, dtype, inputs: encoded tensors, args: the arguments for Python, build(maps) -> expression }. `tensorflow: false`
// leaves TensorFlow out of cases that would crash it.
import {
  concatenate,
  constant,
  extractPatches,
  iota,
  linspace,
  nthElements,
  opNames,
  opTable,
  select,
  statelessNormal,
  statelessUniform,
} from "@onebuffer/eigen";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { dataTypeOf } from "@onebuffer/base";
import { records } from "./operation-records.mjs";
import {
  Dice,
  isComplex,
  isFloat,
  isInteger,
  specialPairs,
  encodedBits,
  encodedTensor,
  encodedValues,
  values,
} from "./expression-values.mjs";

/** Returns a builder that calls an operation on its first operand. */
export const method =
  (op, ...args) =>
  ([first, ...others]) =>
    first[op](...others, ...args);

/** Shapes: a vector of odd size, a matrix, a scalar, and two without elements. */
const kShapes = [[203], [3, 5], [], [0], [2, 0, 3]];

/** Returns the range of arguments of a unary operation. Huge ones are tested where no range is given. */
const rangeOf = (domain) => (domain === "all" ? { wild: true } : { wild: false, ...domain });

function* unaryCases(op, dtype, dice) {
  // Complex arguments are small: for larger ones the C libraries disagree with each other.
  const range = isComplex(dtype) ? { low: -2, high: 2 } : { specials: true, ...rangeOf(records[op]?.domain ?? "all") };
  for (const dims of kShapes)
    yield { inputs: [encodedTensor(dtype, dims, dice, dims.length === 0 ? { low: 1, high: 2 } : range)], build: method(op) };
}

/** Returns divisors and exponents to test: not 0 or negative where that is an error. */
function secondOperand(op, dtype, list) {
  if (!isInteger(dtype)) return list;
  const one = dtype.endsWith("64") ? 1n : 1;
  if (records[op].domain === "exponent") return list.map((y) => (typeof y === "bigint" ? ((y % 9n) + 9n) % 9n : ((y % 9) + 9) % 9));
  if (records[op].domain === "divisor") return list.map((y) => (y === 0 || y === 0n ? one : y));
  return list;
}

function* binaryCases(op, dtype, dice) {
  const build = method(op);
  const { domain, raises } = records[op];
  const wild = { wild: domain === "all" || domain === "divisor" };
  const range = isComplex(dtype) ? { low: -2, high: 2 } : domain === "count" ? { low: -3, high: 70 } : isInteger(dtype) ? {} : wild;
  const firstRange = domain === "count" ? {} : domain === "order" ? { low: 0, high: 8, whole: true } : range;
  for (const [a, b] of [
    [[203], [203]],
    [[4, 9], [9]],
    [
      [4, 1],
      [3, 1, 5],
    ],
    [[], [7]],
    [[7], []],
    [[0, 3], [3]],
    [[2, 1], [0]],
  ]) {
    const n = b.reduce((x, y) => x * y, 1);
    const second = secondOperand(op, dtype, values(dtype, n, dice, range));
    yield { inputs: [encodedTensor(dtype, a, dice, firstRange), encodedValues(dtype, b, second)], build };
  }
  if (!isFloat(dtype) && !isInteger(dtype)) return;
  const [x, y] = specialPairs(dtype);
  if (isFloat(dtype) || !raises) yield { inputs: [x, y], build };
  // The smallest integer divided by -1 raises a signal that ends TensorFlow's process.
}

/** Returns the option with which sums and products of small integers wrap around. */
const wrapping = (op) => (["sum", "prod", "cumsum", "cumprod"].includes(op) ? { wraps: true } : {});

function* reductionCases(op, dtype, dice) {
  const range = isInteger(dtype) ? {} : { low: -3, high: 3 };
  if (op === "argmax" || op === "argmin") {
    for (const [dims, axis] of [
      [[203], 0],
      [[5, 9], 1],
      [[9, 5], 0],
      [[3, 4, 2], 1],
      [[0, 3], 1],
    ])
      for (const outputType of ["int64", "int32"])
        yield {
          inputs: [encodedTensor(dtype, dims, dice, dims[0] === 203 ? { specials: true } : { low: -2, high: 2, whole: true })],
          args: [axis, outputType],
          build: method(op, axis, { outputType }),
        };
    return;
  }
  for (const [dims, axes, keep] of [
    [[257], null, false],
    [[7, 9], [0], false],
    [[7, 9], [1], true],
    [[3, 4, 5], [0, 2], false],
    [[3, 0, 2], [1], false],
    [[0], null, false],
    [[4, 3], [], false],
    [[], null, false],
  ])
    yield {
      inputs: [encodedTensor(dtype, dims, dice, range)],
      args: [axes, keep],
      build: method(op, axes, { keepDims: keep, ...wrapping(op) }),
    };
  if (op === "max" || op === "min")
    yield { inputs: [encodedTensor(dtype, [24, 3], dice, { specials: true })], args: [[1], false], build: method(op, [1]) };
}

function* scanCases(op, dtype, dice) {
  for (const [dims, axis] of [
    [[37], 0],
    [[3, 5], 0],
    [[3, 5], 1],
    [[0, 3], 0],
    [[4, 37], 0],
  ])
    for (const exclusive of [false, true])
      for (const reverse of [false, true])
        yield {
          inputs: [encodedTensor(dtype, dims, dice, isInteger(dtype) ? {} : { low: -2, high: 2 })],
          args: [axis, exclusive, reverse],
          build: method(op, axis, { exclusive, reverse, ...wrapping(op) }),
        };
}

const casesOfThree = (scan) =>
  function* (dtype, dice) {
    for (const [dims, axis] of [
      [[37], 0],
      [[3, 5], 0],
      [[0, 3], 0],
      [[4, 37], 1],
    ])
      for (const exclusive of [false, true])
        for (const reverse of [false, true])
          yield {
            inputs: [1, 2, 2].map((high) => encodedTensor(dtype, dims, dice, { low: -2, high })),
            args: [axis, exclusive, reverse],
            build: ([x, second, third]) => scan(x, second, third, axis, { exclusive, reverse }),
          };
  };

function* orderingCases(op, dtype, dice) {
  for (const dims of [[29], [3, 8], [2, 0]])
    for (const descending of [false, true])
      yield {
        inputs: [encodedTensor(dtype, dims, dice, { low: -4, high: 4, whole: true })],
        args: [descending],
        build: method(op, -1, { descending }),
      };
  const nan = isFloat(dtype) ? { specials: true } : {};
  for (const descending of [false, true])
    yield {
      inputs: [encodedTensor(dtype, [40], dice, nan)],
      args: [descending],
      build: method(op, -1, { descending }),
      tensorflow: !isFloat(dtype),
    };
}

export const indices = (list, dims = [list.length]) => encodedValues("int32", dims, list);

/** Cases of operations with special operands or arguments. */
const kOwn = {
  *nthElements(dtype, dice) {
    for (const [dims, places] of [
      [[31], [0, 15, 30]],
      [[3, 200], [7]],
      [[2, 5], []],
    ]) {
      const inputs = [encodedTensor(dtype, dims, dice, { low: -60, high: 60 })];
      yield { inputs, args: [places], build: ([x]) => nthElements(x, places), tensorflow: places.length > 0 };
    }
    const inputs = [encodedTensor(dtype, [40], dice, isFloat(dtype) ? { specials: true } : {})];
    yield { inputs, args: [[1, 20, 39]], build: ([x]) => nthElements(x, [1, 20, 39]), tensorflow: !isFloat(dtype) };
  },
  *map(dtype, dice) {
    yield { inputs: [encodedBits(dtype, [3, 5], dice)], build: ([x]) => x, name: "reshape", args: [[3, 5]] };
  },
  *constant(dtype) {
    if (isFloat(dtype) || isInteger(dtype)) {
      const value = dtype.endsWith("64") && isInteger(dtype) ? 7n : 7;
      for (const dims of [[], [5], [0, 2]]) yield { args: [dtype, 7, dims], build: () => constant(dtype, value, dims) };
    }
  },
  *iota(dtype) {
    for (const [dims, axis] of [
      [[9], 0],
      [[3, 4], 0],
      [[3, 4], 1],
      [[0], 0],
    ])
      yield { args: [dtype, dims, axis], build: () => iota(dtype, dims, axis) };
  },
  *linspace(dtype) {
    for (const [start, stop, n] of [
      [0, 1, 5],
      [-1, 2.5, 9],
      [2, 2, 1],
    ])
      yield { args: [dtype, start, stop, n], build: () => linspace(dtype, start, stop, n) };
  },
  *randomUniform(dtype) {
    for (const seed of kSeeds) yield { args: [dtype, [3, 7], seed], build: () => statelessUniform(dtype, [3, 7], seed.map(BigInt)) };
  },
  *randomNormal(dtype) {
    for (const seed of kSeeds) yield { args: [dtype, [3, 7], seed], build: () => statelessNormal(dtype, [3, 7], seed.map(BigInt)) };
  },
  *randomUniformInt(dtype) {
    const bounds = dtype === "int32" ? ["-5", "10"] : dtype === "int64" ? [String(-(2n ** 40n)), String(2n ** 62n)] : [null, null];
    const bound = (text) => (text === null ? null : dtype.endsWith("64") ? BigInt(text) : Number(text));
    for (const seed of kSeeds)
      for (const [low, high] of [bounds, [null, null]])
        yield {
          args: [dtype, [9], seed, low, high],
          build: () => statelessUniform(dtype, [9], seed.map(BigInt), { minval: bound(low), maxval: bound(high) }),
        };
  },
  *cast(dtype, dice) {
    for (const target of opTable.cast.dtypes)
      for (const saturate of [false, true]) {
        if (saturate && (isComplex(dtype) || isComplex(target) || target === "bool")) continue;
        const plain = isFloat(dtype) || isInteger(dtype);
        for (const encoded of plain
          ? [encodedTensor(dtype, [203], dice, { specials: true, low: -300, high: 300 }), encodedTensor(dtype, [0, 2], dice)]
          : [narrowOperand(dtype, dice)])
          yield { inputs: [encoded], args: [target, saturate], build: method(saturate ? "saturateCast" : "cast", target), note: target };
      }
  },
  *select(dtype, dice) {
    for (const [c, a, b] of [
      [[203], [203], [203]],
      [[4, 1], [3], [4, 3]],
      [[], [5], []],
      [[0], [1], [0]],
    ])
      yield {
        inputs: [encodedTensor("bool", c, dice), encodedBits(dtype, a, dice), encodedBits(dtype, b, dice)],
        build: ([x, y, z]) => select(x, y, z),
      };
  },
  *shuffle(dtype, dice) {
    for (const [dims, permutation] of [
      [
        [7, 5],
        [1, 0],
      ],
      [
        [3, 4, 5],
        [2, 0, 1],
      ],
      [
        [3, 0],
        [1, 0],
      ],
    ])
      yield { inputs: [encodedBits(dtype, dims, dice)], args: [permutation], build: method("shuffle", permutation) };
  },
  *reshape(dtype, dice) {
    yield { inputs: [encodedBits(dtype, [6, 4], dice)], args: [[8, 3]], build: ([x]) => x.shuffle([0, 1]).reshape([8, 3]) };
  },
  *slice(dtype, dice) {
    // An end of null means the edge. TensorFlow uses masks for that, so the end is computed here.
    yield {
      inputs: [encodedBits(dtype, [7, 9], dice)],
      args: [
        [1, 0],
        [6, 9],
        [2, 3],
      ],
      build: ([x]) => x.shuffle([0, 1]).slice([1, 6, 2], [0, 9, 3]),
    };
    yield {
      inputs: [encodedBits(dtype, [7, 9], dice)],
      args: [
        [5, 8],
        [0, 1],
        [-2, -1],
      ],
      build: ([x]) => x.shuffle([0, 1]).slice([5, 0, -2], [8, 1, -1]),
    };
  },
  *chip(dtype, dice) {
    yield { inputs: [encodedBits(dtype, [3, 4, 5], dice)], args: [2, 1], build: ([x]) => x.shuffle([0, 1, 2]).chip(2, 1) };
  },
  *reverse(dtype, dice) {
    for (const axes of [[0], [1], [0, 1]])
      yield { inputs: [encodedBits(dtype, [5, 7], dice)], args: [axes], build: ([x]) => x.shuffle([0, 1]).reverse(axes) };
  },
  *broadcast(dtype, dice) {
    for (const [from, to] of [
      [
        [1, 5],
        [3, 2, 5],
      ],
      [
        [4, 1],
        [4, 6],
      ],
      [[], [3]],
      [[1], [0]],
    ])
      yield { inputs: [encodedBits(dtype, from, dice)], args: [to], build: ([x]) => x.reshape(from).broadcast(to) };
  },
  *concatenate(dtype, dice) {
    yield {
      inputs: [encodedBits(dtype, [2, 3], dice), encodedBits(dtype, [4, 3], dice)],
      args: [0],
      build: (list) => concatenate(list, 0),
    };
    yield {
      inputs: [encodedBits(dtype, [3, 2], dice), encodedBits(dtype, [3, 0], dice), encodedBits(dtype, [3, 5], dice)],
      args: [1],
      build: (list) => concatenate(list, 1),
    };
  },
  *extractPatches(dtype, dice) {
    for (const [sizes, axes, strides, dilations] of [
      [[2], [1], [1], [1]],
      [
        [3, 2],
        [1, 0],
        [2, 1],
        [1, 3],
      ],
    ])
      yield {
        inputs: [encodedBits(dtype, [4, 5], dice)],
        args: [sizes, axes, strides, dilations],
        build: ([x]) => extractPatches(x, sizes, { axes, strides, dilations }),
      };
  },
  scaledCumsum: casesOfThree(scaledCumsum),
  markedCumsum: casesOfThree(markedCumsum),
  *gather(dtype, dice) {
    for (const [axis, list, dims] of [
      [0, [3, 0, 1, 1], [2, 2]],
      [1, [4, 0, 2], [3]],
      [1, [], [0]],
    ])
      yield { inputs: [encodedBits(dtype, [4, 5], dice), indices(list, dims)], args: [axis], build: method("gather", axis) };
    // Rows of several vectors and an edge.
    yield { inputs: [encodedBits(dtype, [6, 37], dice), indices([5, 0, 0, 3], [4])], args: [0], build: method("gather", 0) };
  },
  *scatter(dtype, dice) {
    const x =
      isComplex(dtype) || isFloat(dtype) || isInteger(dtype)
        ? encodedTensor(dtype, [4, 5], dice, { whole: true })
        : encodedBits(dtype, [4, 5], dice);
    const updates =
      isComplex(dtype) || isFloat(dtype) || isInteger(dtype)
        ? encodedTensor(dtype, [2, 5], dice, { whole: true })
        : encodedBits(dtype, [2, 5], dice);
    const reductions =
      isFloat(dtype) || isInteger(dtype) ? ["update", "add", "mul", "min", "max"] : isComplex(dtype) ? ["update", "add"] : ["update"];
    for (const reduction of reductions)
      for (const list of reduction === "update"
        ? [[2, 0]]
        : [
            [2, 0],
            [1, 1],
          ])
        yield { inputs: [x, indices(list), updates], args: [reduction], build: method("scatter", 0, { reduction }) };
  },
  *matMul(dtype, dice) {
    const range = isInteger(dtype) ? {} : { low: -2, high: 2 };
    for (const [x, y, a, b] of [
      [[5, 7], [7, 3], false, false],
      [[7, 5], [3, 7], true, true],
      [[2, 4, 6], [2, 6, 3], false, false],
      [[2, 4, 6], [6, 3], false, false],
      [[3, 0], [0, 2], false, false],
    ])
      yield {
        inputs: [encodedTensor(dtype, x, dice, range), encodedTensor(dtype, y, dice, range)],
        args: [a, b],
        build: method("matMul", { transposeA: a, transposeB: b }),
      };
  },
};

const kSeeds = [
  ["1", "2"],
  ["-1", String(2n ** 40n)],
];

/** Returns an operand to cast, for dtypes that do not compute: random bits; true and false for bool, small numbers for complex. */
function narrowOperand(dtype, dice) {
  return dtype === "bool" || isComplex(dtype) ? encodedTensor(dtype, [37], dice, { low: 0, high: 100 }) : encodedBits(dtype, [37], dice);
}

const kByClass = { unary: unaryCases, binary: binaryCases, reduction: reductionCases, scan: scanCases, ordering: orderingCases };

/** Returns the cases of an operation for a dtype. */
export function casesOf(op, dtype) {
  const dice = new Dice(97 * dataTypeOf(dtype) + [...op].reduce((sum, c) => sum * 31 + c.charCodeAt(0), 7));
  const make = kOwn[op] ? kOwn[op](dtype, dice) : kByClass[opTable[op].class](op, dtype, dice);
  return [...make].map((one) => ({ op, dtype, inputs: [], args: [], tensorflow: true, ...one }));
}

export const tableOps = opNames();
