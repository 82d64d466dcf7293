// Subjects of composed methods and functions, by their names. What has no gradient is listed with the reason.
import * as eigen from "@onebuffer/eigen";
import { tensorMap } from "@onebuffer/eigen";
import type { Built, OperandSpec, Subject } from "./subject.ts";
import { of } from "./subject.ts";

const int32 = (...values: number[]): Built => tensorMap("int32", Int32Array.from(values), [values.length]);

/** A case of a composed operation: the sizes of its operands and the function. */
type Case = readonly [operands: readonly (readonly number[] | OperandSpec)[], make: (...operands: Built[]) => Built];

/** The cases of methods. */
const methods: Readonly<Record<string, readonly Case[]>> = {
  saturateCast: [[[[3]], (x) => x.saturateCast("float64")]],
  expandDims: [[[[2, 3]], (x) => x.exp().expandDims(1)]],
  squeeze: [[[[2, 1, 3]], (x) => x.exp().squeeze()]],
  transpose: [
    [[[2, 3]], (x) => x.exp().transpose()],
    [[[2, 3, 1]], (x) => x.exp().transpose([1, 2, 0])],
  ],
  unstack: [[[[3, 2]], (x) => x.exp().unstack(0)[1].mul(x.unstack(1)[0].sum())]],
  tile: [[[[2, 3]], (x) => x.tile([2, 2]).square()]],
  pad: (["constant", "reflect", "symmetric"] as const).map(
    (mode): Case => [
      [[3, 3]],
      (x) =>
        x
          .pad(
            [
              [1, 2],
              [0, 1],
            ],
            { mode },
          )
          .square(),
    ],
  ),
  roll: [[[[3, 4]], (x) => x.roll([1, -2], [0, 1]).square()]],
  contract: [
    [
      [
        [2, 3, 4],
        [3, 4, 2],
      ],
      (x, z) =>
        x.contract(z, [
          [1, 0],
          [2, 1],
        ]),
    ],
    [[[3], [2]], (x, z) => x.contract(z, [])],
    [
      [
        [3, 2],
        [2, 3],
      ],
      (x, z) =>
        x.contract(z, [
          [0, 1],
          [1, 0],
        ]),
    ],
  ],
  matVec: [
    [[[2, 3], [3]], (x, z) => x.matVec(z)],
    [[[2, 2, 3], [3]], (x, z) => x.matVec(z)],
  ],
  dot: [
    [[[3], [3]], (x, z) => x.dot(z)],
    [[[3], [3, 2]], (x, z) => x.dot(z)],
  ],
  topK: [[[[2, 4]], (x) => x.topK(2).values]],
  diag: [[[[3]], (x) => x.diag(1).square()]],
  diagPart: [[[[3, 4]], (x) => x.diagPart(1).square()]],
  tril: [[[[3, 4]], (x) => x.tril(-1).square()]],
  triu: [[[[2, 3, 3]], (x) => x.triu().square()]],
  outer: [[[[3], [2]], (x, z) => x.outer(z)]],
  variance: [[[[3, 4]], (x) => x.variance([1])]],
  std: [[[[3, 4]], (x) => x.std([0], { keepDims: true })]],
  moments: [[[[3, 4]], (x) => x.moments([1]).variance.mul(x.moments([1]).mean)]],
  norm: [[[[3, 4]], (x) => x.norm([1])]],
  logSumExp: [
    [[[3, 4]], (x) => x.logSumExp([1])],
    [[[3, 4]], (x) => x.logSumExp(null, { keepDims: true })],
    [[[2, 3, 2]], (x) => x.logSumExp([0, 2])],
  ],
  softmax: [
    [[[3, 4]], (x) => x.softmax()],
    [[[3, 4]], (x) => x.mul(2).softmax(0)],
    [[[3, 1]], (x) => x.softmax().add(x)],
  ],
  logSoftmax: [
    [[[3, 4]], (x) => x.logSoftmax()],
    [[[2, 3, 2]], (x) => x.logSoftmax(1)],
  ],
  layerNorm: [
    [[[3, 4]], (x) => x.layerNorm()],
    [[[2, 4], [4], [4]], (x, scale, offset) => x.layerNorm({ scale, offset })],
  ],
  l2Normalize: [[[[3, 4]], (x) => x.l2Normalize([1])]],
  angle: [[[{ dims: [3], dtype: "complex128" }], (x) => x.angle()]],
  relu: [[[[3, 4]], (x) => x.relu()]],
  leakyRelu: [[[[3, 4]], (x) => x.leakyRelu(0.3)]],
  silu: [[[[3, 4]], (x) => x.silu()]],
  gelu: [
    [[[3, 4]], (x) => x.gelu()],
    [[[3, 4]], (x) => x.gelu({ approximate: true })],
  ],
  clip: [
    [[[3, 4]], (x) => x.clip(-0.5, 1)],
    [[[3, 4], of([4], [-0.55, -0.45]), of([4], [0.95, 1.05])], (x, low, high) => x.clip(low, high)],
  ],
};

/** The members of expressions that are not differentiable operations. */
export const otherMembers: readonly string[] = [
  ...["constructor", "inputs", "attributes", "dimensions", "rank", "size", "toString", "dispose"],
  ...["at", "toArray", "item", "data"],
  ...[
    "makeNode",
    "makeElementwise",
    "node",
    "operand",
    "unary",
    "binary",
    "fillers",
    "mirrors",
    "factors",
    "vectorProduct",
    "triangle",
    "rowsAndColumns",
  ],
  ...["squeezed", "checkedSizes", "makeDeferred"],
];

const convolutions: readonly Case[] = (
  [
    [[1, 5, 4, 2], [3, 2, 2, 5], {}],
    [[1, 5, 4, 2], [3, 2, 2, 2], { padding: "same" }],
    [[1, 7, 6, 1], [3, 3, 1, 2], { strides: 2 }],
    [[1, 6, 6, 2], [3, 2, 2, 3], { strides: [2, 1], padding: "same" }],
    [[1, 6, 6, 1], [3, 3, 1, 4], { dilations: 2, padding: "same" }],
    [[1, 7, 5, 1], [3, 2, 1, 2], { dilations: [3, 1] }],
    [[1, 4, 4, 4], [2, 2, 2, 6], { groups: 2 }],
    [[1, 4, 4, 3], [2, 3, 1, 3], { groups: 3, padding: "same" }],
    [[1, 5, 5, 4], [3, 3, 1, 8], { groups: 4, strides: 2 }],
    [
      [2, 4, 4, 1],
      [2, 2, 1, 2],
      {
        padding: [
          [1, 0],
          [2, 1],
        ],
      },
    ],
    [[2, 2, 4, 3], [2, 2, 2, 3], { dataFormat: "channelsFirst" }],
    [[2, 6, 2], [3, 2, 3], { strides: 2, padding: "same" }],
    [[1, 3, 4, 3, 1], [2, 2, 2, 1, 2], {}],
    [[2, 1, 1, 3], [1, 1, 3, 2], {}],
    [[1, 3, 3, 2], [1, 1, 2, 4], { strides: 2 }],
    [[0, 3, 3, 2], [2, 2, 2, 3], {}],
  ] as const
).map(([images, filters, options]) => [[images, filters], (x, w) => eigen.convolve(x, w, options as never)]);

const pools = (pool: "maxPool" | "avgPool"): readonly Case[] =>
  (
    [
      [[1, 4, 4, 2], 2, {}],
      [[1, 5, 5, 2], 2, {}],
      [[1, 5, 5, 1], 3, { strides: 2, padding: "same" }],
      [[1, 5, 4, 2], [3, 2], { strides: 1 }],
      [[2, 7, 1], [2], { strides: 3, dilations: 2 }],
      [[1, 2, 4, 4], 2, { dataFormat: "channelsFirst" }],
      [[1, 5, 5, 1], 2, { strides: [1, 3], padding: "same" }],
      [[0, 4, 4, 2], 2, {}],
    ] as const
  ).map(([dims, window, options]): Case => [[dims], (x) => (eigen[pool] as Built)(x, window, options)]);

const segments = int32(1, 0, 1, -1);

const segment = (name: "Sum" | "Mean" | "Max" | "Min" | "Prod"): readonly Case[] => [
  [[[4, 2]], (x) => (eigen[`unsortedSegment${name}`] as Built)(x, segments, 2)],
];

/** The cases of functions. */
const functions: Readonly<Record<string, readonly Case[]>> = {
  concatenate: [[[[2], [3]], (x, z) => eigen.concatenate([x, z], 0)]],
  select: [[[[3], [3]], (x, z) => eigen.select(x.less(z), x, z)]],
  stack: [
    [
      [
        [2, 3],
        [2, 3],
      ],
      (x, z) => (eigen.stack([x, z], 1) as Built).square(),
    ],
  ],
  takeAlongAxis: [
    [[[2, 3]], (x) => (eigen.takeAlongAxis(x.exp(), eigen.tensorMap("int32", Int32Array.of(2, 2, 0, 1), [2, 2])) as Built).square()],
    [[[3, 2]], (x) => (eigen.takeAlongAxis(x.exp(), eigen.tensorMap("int32", Int32Array.of(2, 0), [2, 1]), 0) as Built).square()],
  ],
  meshgrid: [[[[2], [3]], (x, z) => (eigen.meshgrid([x, z]) as Built).reduce((a: Built, b: Built) => a.mul(b))]],
  einsum: [
    [
      [
        [2, 3],
        [3, 2],
      ],
      (a, b) => eigen.einsum("ij,jk->ki", a, b),
    ],
    [
      [
        [2, 3, 4],
        [2, 4, 2],
      ],
      (a, b) => eigen.einsum("bij,bjk->bik", a, b),
    ],
    [[[3, 3]], (a) => eigen.einsum("ii->i", a).square()],
    [[[3, 3]], (a) => eigen.einsum("ii", a).square()],
    [[[2, 3]], (a) => eigen.einsum("ij->j", a).square()],
    [[[2, 3], [3], [2]], (a, b, c) => eigen.einsum("ij,j,i->i", a, b, c)],
    [
      [
        [2, 2, 3],
        [3, 2],
      ],
      (a, b) => eigen.einsum("...ij,jk->...ik", a, b),
    ],
  ],
  convolve: convolutions,
  extractPatches: [[[[3, 4]], (x) => (eigen.extractPatches(x, [2, 2]) as Built).square()]],
  extractImagePatches: [[[[1, 4, 4, 2]], (x) => eigen.extractImagePatches(x, [2, 2], { strides: 2, padding: "same" }).square()]],
  maxPool: pools("maxPool"),
  avgPool: pools("avgPool"),
  nthElements: [[[[5]], (x) => eigen.nthElements(x, [0, 4])]],
  median: [
    [[[7]], (x) => eigen.median(x)],
    [[[2, 4]], (x) => eigen.median(x, { axes: 1 })],
  ],
  quantile: (["linear", "lower", "higher", "nearest", "midpoint"] as const).map(
    (method): Case => [[[2, 5]], (x) => eigen.quantile(x, [0.3, 0.8], { axes: [1], method })],
  ),
  unsortedSegmentSum: segment("Sum"),
  unsortedSegmentMean: segment("Mean"),
  unsortedSegmentMax: segment("Max"),
  unsortedSegmentMin: segment("Min"),
  unsortedSegmentProd: segment("Prod"),
  resize: [[[[1, 3, 3, 2]], (x) => eigen.resize(x, [5, 2], { method: "nearest" })]],
};

/** The functions without a gradient, or without operands that have one. */
export const otherFunctions: Readonly<Record<string, readonly string[]>> = {
  "make no node of an operand": [
    ...["DefaultDevice", "ThreadPoolDevice", "assignTogether", "updateTogether", "evaluate", "item", "ready", "holdMemory", "numpyText"],
    ...["servePoolWorker", "treeOf", "opNames", "tensorMap", "stridedMap", "constStridedMap", "stridedMapFromLayout"],
  ],
  "are computed at once": [
    "booleanMask",
    "nonzero",
    "where",
    "unique",
    "segmentSum",
    "segmentMean",
    "segmentMax",
    "segmentMin",
    "segmentProd",
  ],
  "have no float operands": ["constant", "iota", "linspace", "oneHot", "statelessNormal", "statelessUniform"],
  "count elements": ["bincount", "histogram", "searchSorted"],
};

const subjectsOf = (table: Readonly<Record<string, readonly Case[]>>): Subject[] =>
  Object.entries(table).flatMap(([name, cases]) =>
    cases.map(([operands, make], k) => ({
      name: `${name} ${k}`,
      operands: operands.map((each) => ("dims" in each ? each : of(each))),
      make,
    })),
  );

/** The composed methods and functions with a gradient, each with its cases. */
export const compositeNames: { readonly methods: readonly string[]; readonly functions: readonly string[] } = {
  methods: Object.keys(methods),
  functions: Object.keys(functions),
};

/** A resize computes in float32. It is linear, so that a large step has no error. */
const bilinear: Subject = {
  name: "resize bilinear",
  operands: [of([1, 3, 3, 2])],
  make: (x) => eigen.resize(x, [5, 2]).cast("float64"),
  options: { step: 0.25, tolerance: 1e-5 },
};

/** The subjects of composed operations. */
export const compositeSubjects: readonly Subject[] = [...subjectsOf(methods), ...subjectsOf(functions), bilinear];
