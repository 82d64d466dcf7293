// Quantiles, histograms, counts and segments: the values that NumPy and TensorFlow give, and their errors.
import { expect, test } from "@jest/globals";
import {
  bincount,
  evaluate,
  histogram,
  median,
  nthElements,
  quantile,
  searchSorted,
  segmentMax,
  segmentMean,
  segmentMin,
  segmentProd,
  segmentSum,
  tensorMap,
  treeOf,
  unsortedSegmentMax,
  unsortedSegmentMean,
  unsortedSegmentMin,
  unsortedSegmentSum,
} from "@onebuffer/eigen";
import { treeOrder } from "@onebuffer/expression/src/tree/tree-order";
import { refusal } from "@onebuffer/test-support";

const floats = (list: readonly number[], dims: readonly number[] = [list.length]) => tensorMap("float32", Float32Array.from(list), dims);
const integers = (list: readonly number[]) => tensorMap("int32", Int32Array.from(list), [list.length]);

test("quantiles are interpolated, or one of the two elements", () => {
  const x = floats([4, 1, 3, 2]);
  const at = (method: "linear" | "lower" | "higher" | "nearest" | "midpoint"): unknown =>
    evaluate(quantile(x, [0, 0.4, 0.5, 1], { method })).toArray();
  expect(at("linear")).toEqual([1, Math.fround(2.2), 2.5, 4]);
  expect(at("lower")).toEqual([1, 2, 2, 4]);
  expect(at("higher")).toEqual([1, 3, 3, 4]);
  expect(at("nearest")).toEqual([1, 2, 3, 4]);
  expect(at("midpoint")).toEqual([1, 2.5, 2.5, 4]);
});

test("quantiles over axes keep the other axes, or sizes of 1", () => {
  const x = floats([1, 5, 3, 9, 7, 8, 2, 2, 2, 6, 4, 0], [2, 3, 2]);
  expect(evaluate(median(x, { axes: [0, 2] })).toArray()).toEqual([2, 4.5, 5.5]);
  expect(median(x, { axes: [0, 2], keepDims: true }).dimensions).toEqual([1, 3, 1]);
  expect(quantile(x, [0.1, 0.9], { axes: -1 }).dimensions).toEqual([2, 2, 3]);
  expect(evaluate(median(x, { axes: [] })).toArray()).toEqual(x.toArray());
});

test("a NaN makes the quantiles of its row NaN, infinities do not", () => {
  const x = floats([NaN, 1, 2, Infinity, Infinity, Infinity, -Infinity, 0, Infinity], [3, 3]);
  expect(evaluate(median(x, { axes: 1 })).toArray()).toEqual([NaN, Infinity, 0]);
  expect(evaluate(quantile(x, 0.25, { axes: 1 })).toArray()).toEqual([NaN, Infinity, -Infinity]);
});

test("a median is the mean of the two elements in the middle, also where their difference or sum is too large", () => {
  const medianOf = (...list: number[]): unknown => evaluate(median(tensorMap("float64", Float64Array.from(list), [list.length]))).toArray();
  expect(medianOf(-1.5e308, 1.5e308)).toBe(0);
  expect(medianOf(1.5e308, 1.7e308)).toBe(1.6e308);
  expect(medianOf(-1, 1 + 2 ** -52)).toBe(2 ** -53);
  expect(medianOf(Number.MIN_VALUE, Number.MIN_VALUE)).toBe(Number.MIN_VALUE);
  expect(medianOf(-Infinity, Infinity)).toBe(NaN);
});

test("quantiles of integers are float64", () => {
  const { dtype } = quantile(integers([1, 2]), 0.5);
  expect([dtype, evaluate(quantile(integers([1, 2]), 0.5)).at()]).toEqual(["float64", 1.5]);
});

test("a value is put before the elements equal to it, or after them; NaN is last", () => {
  const x = floats([-Infinity, -1, 0, 0, 2, Infinity, NaN, NaN]);
  const values = floats([-Infinity, -2, -0, 0, 1, 2, 3, Infinity, NaN]);
  expect(evaluate(searchSorted(x, values)).toArray()).toEqual([0, 1, 2, 2, 4, 4, 5, 5, 6]);
  expect(evaluate(searchSorted(x, values, { side: "right" })).toArray()).toEqual([1, 1, 4, 4, 4, 5, 5, 6, 8]);
});

test("values of any sizes have places in one vector, and in rows of their own", () => {
  const values = floats([5, 0, 9, 2, 1, 7], [1, 2, 3]);
  expect(evaluate(searchSorted(floats([1, 5, 7]), values)).toArray()).toEqual([
    [
      [1, 0, 3],
      [1, 0, 2],
    ],
  ]);
  expect(evaluate(searchSorted(floats([1, 5, 7, 0, 1, 2], [1, 2, 3]), values, { side: "right" })).toArray()).toEqual([
    [
      [2, 0, 3],
      [3, 2, 3],
    ],
  ]);
  expect(evaluate(searchSorted(floats([]), values)).toArray()).toEqual([
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  ]);
  const longs = tensorMap("int64", BigInt64Array.of(-(2n ** 63n), 2n ** 53n, 2n ** 53n + 1n), [3]);
  expect(evaluate(searchSorted(longs, longs)).toArray()).toEqual([0, 1, 2]);
});

test("the places in sorted rows of each number of bits are the numbers of elements before", () => {
  for (const length of [1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 33]) {
    const sorted = Int32Array.from({ length }, (_, i) => ((i * i) % 7) - 3).sort();
    const values = Array.from({ length: 9 }, (_, i) => i - 4);
    const x = tensorMap("int32", sorted, [length]);
    const count = (isBefore: (element: number, value: number) => boolean): number[] =>
      values.map((value) => sorted.filter((element) => isBefore(element, value)).length);
    expect(evaluate(searchSorted(x, integers(values))).toArray()).toEqual(count((a, b) => a < b));
    expect(evaluate(searchSorted(x, integers(values), { side: "right" })).toArray()).toEqual(count((a, b) => a <= b));
  }
});

test("counts of integers of 64 bits leave out those of 2^63 and more", () => {
  const unsigned = tensorMap("uint64", BigUint64Array.of(2n ** 63n, 1n, 2n ** 64n - 1n, 3n, 2n ** 32n + 1n), [5]);
  expect(evaluate(bincount(unsigned, 3)).toArray()).toEqual([0, 1, 0]);
  const signed = tensorMap("int64", BigInt64Array.of(2n ** 62n, 1n, 2n ** 63n - 1n), [3]);
  expect(evaluate(bincount(signed, 3)).toArray()).toEqual([0, 1, 0]);
});

test("a histogram of elements further apart than the largest number counts none", () => {
  const x = tensorMap("float64", Float64Array.of(-1e308, 0, 1e308), [3]);
  expect(evaluate(histogram(x, 4).counts).toArray()).toEqual([0, 0, 0, 0]);
  const near = tensorMap("float64", Float64Array.of(-8e307, 0, 8e307), [3]);
  expect(evaluate(histogram(near, 4).counts).toArray()).toEqual([1, 0, 1, 1]);
});

test("a histogram has both edges in its last bin, and counts neither NaN nor elements outside", () => {
  const x = floats([0, 0.1, 0.2, 0.3, 1, 1.0000001, -0.001, NaN, Infinity]);
  expect(evaluate(histogram(x, 10, { range: [0, 1] }).counts).toArray()).toEqual([1, 1, 1, 1, 0, 0, 0, 0, 0, 1]);
  const { counts, edges } = histogram(integers([3, 3, 3]), 2);
  expect([evaluate(counts).toArray(), evaluate(edges).toArray()]).toEqual([
    [0, 3],
    [2.5, 3, 3.5],
  ]);
});

test("equal elements too large for a range of width 1 are in the last bin", () => {
  for (const value of [2 ** 53, 2 ** 60, -1e300]) {
    const { counts, edges } = histogram(tensorMap("float64", Float64Array.of(value, value), [2]), 3);
    expect(evaluate(counts).toArray()).toEqual([0, 0, 2]);
    expect(evaluate(edges).toArray()).toEqual([value, value, value, value]);
  }
  const large = tensorMap("uint64", BigUint64Array.of(2n ** 60n), [1]);
  expect(evaluate(histogram(large, 1).counts).toArray()).toEqual([1]);
});

test("segments that ascend are combined at once, also infinities", () => {
  const ids = integers([0, 0, 2, 2]);
  expect(segmentSum(floats([1, 2, 4, 8]), ids).toArray()).toEqual([3, 0, 12]);
  expect(segmentProd(floats([1, 2, 4, 8]), ids).toArray()).toEqual([2, 1, 32]);
  expect(segmentMean(floats([1, 2, 4, 8]), ids).toArray()).toEqual([1.5, 0, 6]);
  const infinite = floats([-Infinity, -Infinity, Infinity, Infinity]);
  expect(segmentMax(infinite, ids).toArray()).toEqual([-Infinity, 0, Infinity]);
  expect(segmentMin(infinite, ids).toArray()).toEqual([-Infinity, 0, Infinity]);
  expect(segmentSum(floats([], [0, 2]), integers([])).dimensions).toEqual([0, 2]);
});

test("unsorted segments drop negative ids, and begin with the ends of the dtype", () => {
  const x = floats([1, 2, 3, 4, 5, 6], [3, 2]);
  const ids = integers([2, -1, 2]);
  expect(evaluate(unsortedSegmentSum(x, ids, 3)).toArray()).toEqual([
    [0, 0],
    [0, 0],
    [6, 8],
  ]);
  const limit = Math.fround(3.4028234663852886e38);
  expect(evaluate(unsortedSegmentMax(x, ids, 3)).toArray()).toEqual([
    [-limit, -limit],
    [-limit, -limit],
    [5, 6],
  ]);
  expect(evaluate(unsortedSegmentMin(x, ids, 3)).toArray()).toEqual([
    [limit, limit],
    [limit, limit],
    [1, 2],
  ]);
  expect(evaluate(unsortedSegmentMean(x, ids, 3)).toArray()).toEqual([
    [0, 0],
    [0, 0],
    [3, 4],
  ]);
});

test("the rows of a mean are counted as integers, which float32 has only to 2^24", () => {
  const mean = treeOf(unsortedSegmentMean(floats([1, 2, 4]), integers([0, 0, 1]), 2));
  const scattered = treeOrder([mean]).filter(({ op }) => op === "scatter");
  expect(scattered.map(({ dtype }) => dtype).sort()).toEqual(["float32", "int32"]);
});

const x = floats([1, 2, 3]);

test.each<[string, () => unknown, string, string]>([
  ["nthElements", () => nthElements(x, [1, 1]), "INVALID_ARGUMENT", "the places are ascending"],
  ["nthElements", () => nthElements(x, [3]), "INVALID_ARGUMENT", "from 0 to 2"],
  ["quantile", () => quantile(x, 1.5), "INVALID_ARGUMENT", "such, got 1.5"],
  ["quantile", () => quantile(x, new Array(1e9) as number[]), "INVALID_ARGUMENT", "at most 1000"],
  ["nthElements", () => nthElements(x, new Array(2) as number[]), "INVALID_ARGUMENT", "the places are ascending"],
  ["nthElements", () => nthElements(x, new Array(1e9) as number[]), "INVALID_ARGUMENT", "the places are ascending"],
  ["quantile", () => quantile(x, 0.5, { method: "best" as "linear" }), "INVALID_ARGUMENT", 'got "best"'],
  ["quantile", () => quantile(floats([]), 0.5), "INVALID_ARGUMENT", "no elements along the axes [0]"],
  ["median", () => median(x, { method: "lower" } as object), "INVALID_ARGUMENT", 'unknown option "method"'],
  ["histogram", () => histogram(x, 0), "INVALID_ARGUMENT", "the number of bins is an integer from 1"],
  ["histogram", () => histogram(x, 3, { range: [2, 1] }), "INVALID_ARGUMENT", "the range is [low, high] of finite numbers"],
  ["histogram", () => histogram(x, 3, { range: [-1e308, 1e308] }), "INVALID_ARGUMENT", "with a finite width, got an array of 2"],
  ["bincount", () => bincount(integers([1]), 2 ** 31), "INVALID_ARGUMENT", "from 0 to 2147483647"],
  ["bincount", () => bincount(x as never, 3), "INVALID_ARGUMENT", "bincount is not defined for float32"],
  ["searchSorted", () => searchSorted(x, integers([1]) as never), "INVALID_ARGUMENT", "different dtypes"],
  ["searchSorted", () => searchSorted(floats([1], []), x), "INVALID_ARGUMENT", "at least one dimension"],
  ["searchSorted", () => searchSorted(floats([1, 2], [2, 1]), x), "INVALID_ARGUMENT", "the same sizes but for the last"],
  ["searchSorted", () => searchSorted(floats([1, 2], [2, 1]), floats([1], [1, 1])), "INVALID_ARGUMENT", "the same sizes but for the last"],
  ["searchSorted", () => searchSorted(x, x, { side: "middle" as "left" }), "INVALID_ARGUMENT", 'left or right, got "middle"'],
  ["searchSorted", () => searchSorted(x, x, { right: true } as object), "INVALID_ARGUMENT", 'unknown option "right"'],
  ["a negative element", () => evaluate(bincount(integers([-1]), 3)), "INVALID_ARGUMENT", "indices[0] = -1 is not in [0, 3)"],
  [
    "descending ids",
    () => segmentSum(x, integers([0, 2, 1])),
    "INVALID_ARGUMENT",
    "ids[2] is 1; unsortedSegmentSum takes them in any order",
  ],
  ["negative ids", () => segmentSum(x, integers([-1, 0, 1])), "INVALID_ARGUMENT", "not increasing from 0, ids[0] is -1"],
  ["too few ids", () => segmentMax(x, integers([0, 1])), "INVALID_ARGUMENT", "one id for each row"],
  ["a huge id", () => segmentSum(x, integers([0, 1, 2 ** 31 - 1])), "RESOURCE_EXHAUSTED", "2147483648 segments of 3 rows"],
  ["a huge id of empty rows", () => segmentSum(floats([], [1, 0]), integers([2 ** 31 - 1])), "RESOURCE_EXHAUSTED", "2147483648 segments"],
  ["ids of other sizes", () => unsortedSegmentSum(x, integers([1]), 3), "INVALID_ARGUMENT", "the sizes of the ids"],
  ["no count", () => unsortedSegmentSum(x, integers([0, 0, 0]), -1), "INVALID_ARGUMENT", "the number of segments is an integer"],
  ["a bigint", () => unsortedSegmentMean(x, integers([0, 0, 0]), 2n as never), "INVALID_ARGUMENT", "the number of segments is an integer"],
  ["a symbol", () => unsortedSegmentMean(x, integers([0, 0, 0]), Symbol("two") as never), "INVALID_ARGUMENT", "the number of segments is"],
  ["means of integers", () => unsortedSegmentMean(integers([1]) as never, integers([0]), 3), "INVALID_ARGUMENT", "unsortedSegmentMean"],
])("%s is refused", (_, call, code, words) => {
  const error = refusal(call);
  expect([error.code, error.message]).toEqual([code, expect.stringContaining(words)]);
});
