// Negative axes count from the end wherever an axis is an argument. The test searches for axis arguments instead of listing them: in the
// attributes of operations and in the parameter names of methods. Each that it finds must have a call in `methods`.
import { describe, expect, test } from "@jest/globals";
import { markedCumsum, scaledCumsum } from "@onebuffer/expression/internal";
import { concatenate, evaluate, extractPatches, iota, oneHot, opNames, stack, stridedMap, tensorMap } from "@onebuffer/eigen";
import { assignByReference, freshMap } from "@onebuffer/eigen/internal";
import { expectStatus, isLong } from "@onebuffer/test-support";
import { opCases, smallElements } from "./op-cases.ts";

/** Trees are built from tables here, which static types cannot follow. */
type Any = ReturnType<typeof JSON.parse>;

const floats = (): Any =>
  tensorMap(
    "float32",
    Float32Array.from({ length: 24 }, (_, k) => (k * 7) % 24),
    [2, 3, 4],
  );
const ones = (): Any => tensorMap("float32", Float32Array.of(5), [1, 1, 1]);
const index = tensorMap("int32", Int32Array.of(1, 0), [2]) as Any;

/** A call with an axis; `extra` is added to the rank in which the axis counts, `list` is true if it accepts several axes. */
interface Call {
  readonly call: (x: Any, axis: Any) => Any;
  readonly make?: () => Any;
  readonly extra?: number;
  readonly list?: boolean;
}

const methods: Readonly<Record<string, Call>> = {
  ...Object.fromEntries(
    ["sum", "prod", "mean", "max", "min", "variance", "std", "norm", "logSumExp", "l2Normalize"].map((op) => [
      op,
      { call: (x: Any, axis: Any) => x[op](axis), list: true } as Call,
    ]),
  ),
  ...Object.fromEntries(["any", "all"].map((op) => [op, { call: (x: Any, axis: Any) => x.greater(11)[op](axis), list: true } as Call])),
  ...Object.fromEntries(
    ["argmax", "argmin", "cumsum", "cumprod", "cummax", "cummin", "softmax", "logSoftmax"].map((op) => [
      op,
      { call: (x: Any, axis: Any) => x[op](axis) },
    ]),
  ),
  sort: { call: (x, axis) => x.sort(axis) },
  argsort: { call: (x, axis) => x.argsort(axis, { descending: true }) },
  moments: { call: (x, axis) => x.moments(axis).variance, list: true },
  shuffle: { call: (x, axis) => x.shuffle([axis, ...[0, 1, 2].filter((d) => !isAxis(axis, d))]) },
  permute: { call: (x, axis) => x.strided().permute([axis, ...[0, 1, 2].filter((d) => !isAxis(axis, d))]) },
  transpose: { call: (x, axis) => x.transpose([axis, ...[0, 1, 2].filter((d) => !isAxis(axis, d))]) },
  reverse: { call: (x, axis) => x.reverse(Array.isArray(axis) ? axis : [axis]), list: true },
  squeeze: { call: (x, axis) => x.squeeze(Array.isArray(axis) ? axis : [axis]), make: ones, list: true },
  expandDims: { call: (x, axis) => x.expandDims(axis), extra: 1 },
  unstack: { call: (x, axis) => x.unstack(axis)[1] },
  stack: { call: (x, axis) => stack([x, x.neg()], axis), extra: 1 },
  chip: { call: (x, axis) => x.chip(1, axis) },
  roll: { call: (x, axis) => x.roll(1, axis) },
  gather: { call: (x, axis) => x.gather(index, axis) },
  scatter: { call: (x, axis) => x.scatter(tensorMap("int32", Int32Array.of(0, 1), [2]), twoRows(x, axis), axis) },
  extractPatches: {
    call: (x, axis) => extractPatches(x, Array.isArray(axis) ? axis.map(() => 1) : [1], { axes: Array.isArray(axis) ? axis : [axis] }),
    list: true,
  },
  scaledCumsum: { call: (x, axis) => scaledCumsum(x, x, x, axis, {}) },
  markedCumsum: { call: (x, axis) => markedCumsum(x, x, x, axis, {}) },
  concatenate: { call: (x, axis) => concatenate([x, x.neg()], axis) },
  iota: { call: (x, axis) => iota("int32", x.dimensions, axis) },
  oneHot: { call: (x, axis) => oneHot(x.cast("int32"), 5, "float32", { axis }), extra: 1 },
};

/** Methods whose parameter `dims`, or one of a similar name, holds sizes. */
const takesSizes = new Set(["reshape", "reshapeView", "broadcast", "whyNotReshape", "withStrides", "withoutStrides", "makeElementwise"]);
/** Internal methods, whose axes are checked already, and methods whose argument is an index. */
const notForCallers = new Set(["chipOf", "sameRank", "constructor", "dimension", "squeezed", "fillers", "mirrors"]);

const isAxis = (axis: unknown, d: number): boolean => axis === d || axis === d - 3;

/** Returns a map with the sizes of `x`, except for size 2 along an axis. */
function twoRows(x: Any, axis: Any): Any {
  const dims = [...x.dimensions];
  if (Number.isInteger(axis) && axis >= -3 && axis < 3) dims[axis < 0 ? axis + 3 : axis] = 2;
  return tensorMap("float32", new Float32Array(dims.reduce((a: number, b: number) => a * b, 1)), dims);
}

/** Returns the names of an object's methods that have an axis parameter. */
function methodsWithAxes(object: object): string[] {
  const found = new Set<string>();
  for (let at = Object.getPrototypeOf(object); at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      if (typeof value !== "function" || takesSizes.has(name) || notForCallers.has(name)) continue;
      const text = String(value);
      const parameters = text.slice(0, text.indexOf(") {"));
      if (/\b(axis|axes|dim|dims|permutation|order)\b/.test(parameters)) found.add(name);
    }
  }
  return [...found];
}

/** Returns the elements of a result, by kernels in `npm run long` and by the evaluator otherwise: an axis is counted before either begins. */
function elementsOf(result: Any): number[] {
  const copy = result.add(0);
  if (isLong) return [...evaluate(copy)].map(Number);
  const plain = freshMap("elementsOf", copy.dtype, copy.dimensions) as Any;
  assignByReference(plain, copy);
  return [...plain].map(Number);
}
const shown = (result: Any): unknown => [result.op, result.attributes, result.dimensions, elementsOf(result)];
/** Returns op, attributes, dimensions and elements of a result; elements are converted to numbers. */
const described = (result: Any): unknown => shown(result.dtype === "bool" || result.dtype === "int64" ? result.cast("int32") : result);

describe("every operation and method with an axis has a call", () => {
  test("operations whose nodes have an axis", () => {
    for (const op of opNames()) {
      const { build } = opCases.find((each) => each.op === op)!;
      const { attributes } = build((dtype, dims, place) => smallElements(dtype, dims, place) as Any, [3, 3, 3]) as Any;
      const has = ["axis", "axes", "permutation"].some((key) => key in attributes);
      if (has) expect([op, Object.keys(methods)]).toEqual([op, expect.arrayContaining([op])]);
    }
  });

  test("methods of expressions, maps and strided maps with an axis", () => {
    const objects = [
      floats(),
      floats().neg(),
      floats().strided(),
      floats().reshape([1, 1, 1, 2, 3, 2, 2]),
      stridedMap("int8", new Int8Array(4), [2, 2], [2, 1]),
    ];
    const found = new Set(objects.flatMap((object) => methodsWithAxes(object)));
    expect(found.size).toBeGreaterThan(20);
    for (const name of found) expect([name, Object.keys(methods)]).toEqual([name, expect.arrayContaining([name])]);
  });
});

/** The operand as a map, a strided map and an expression, with the same elements. */
const forms: readonly (readonly [string, (x: Any) => Any])[] = [
  ["a map", (x) => x],
  ["a strided map", (x) => x.strided()],
  ["an expression", (x) => x.neg().neg()],
];

describe.each(Object.entries(methods))("%s", (name, { call, make = floats, extra = 0, list = false }) => {
  const rank = 3 + extra;
  test.each(forms.filter(([form]) => name !== "permute" || form === "a map"))("%s: an axis counts from the end", (form, as) => {
    for (let axis = 0; axis < rank; axis++) {
      const x = as(make());
      // The three forms take the axes by turns, but `npm run long` all.
      if (!isLong && name !== "permute" && axis % forms.length !== forms.findIndex(([other]) => other === form)) continue;
      // The other chips of a map are strided maps, which the second form covers.
      if (name === "chip" && form === "a map" && axis > 0) continue;
      expect([axis, described(call(x, axis - rank))]).toEqual([axis, described(call(x, axis))]);
    }
    const x = as(make());
    const invalid = [rank, -rank - 1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 32];
    for (const bad of invalid.filter((_, k) => isLong || k % forms.length === forms.findIndex(([other]) => other === form))) {
      expectStatus(() => call(x, bad), "INVALID_ARGUMENT", `axis ${bad} is not in [${-rank}, ${rank})`);
    }
    if (list) expectStatus(() => call(x, [1, -2]), "INVALID_ARGUMENT", "axis 1 is named twice in [1,-2]");
  });
});

const kinds = [
  ["float32", Float32Array.of(1, 2, 3)],
  ["float16", Uint16Array.of(1, 2, 3)],
  ["complex64", Float32Array.of(1, 2, 3, 4, 5, 6)],
  ["string", [new Uint8Array(1), new Uint8Array(2), new Uint8Array(3)]],
] as const;

test("chip of a map of any rank accepts a negative dimension", () => {
  for (let rank = 1; rank <= 7; rank++) {
    const dims = Array.from({ length: rank }, (_, d) => (d === rank - 1 ? 3 : 1));
    for (const [dtype, elements] of kinds) {
      const map = tensorMap(dtype, elements as never, dims) as Any;
      for (let dim = 0; dim < rank; dim++) {
        const offset = dim === rank - 1 ? 2 : 0;
        const [got, wanted] = [map.chip(offset, dim - rank), map.chip(offset, dim)];
        expect([got.dimensions, got.toArray(), got.offset]).toEqual([wanted.dimensions, wanted.toArray(), wanted.offset]);
      }
      expectStatus(() => map.chip(0, -rank - 1), "INVALID_ARGUMENT", `axis ${-rank - 1} is not in [${-rank}, ${rank})`);
    }
  }
});
