// Cases, as in expression-cases.mjs, for quantiles, counts and segments.
import {
  bincount,
  histogram,
  median,
  quantile,
  searchSorted,
  segmentMax,
  segmentMean,
  segmentMin,
  segmentProd,
  segmentSum,
  takeAlongAxis,
  unsortedSegmentMax,
  unsortedSegmentMean,
  unsortedSegmentMin,
  unsortedSegmentProd,
  unsortedSegmentSum,
} from "@onebuffer/eigen";
import { encodedTensor, encodedValues, isFloat } from "./expression-values.mjs";

const kUnsorted = { unsortedSegmentSum, unsortedSegmentProd, unsortedSegmentMax, unsortedSegmentMin, unsortedSegmentMean };
const kSorted = { segmentSum, segmentProd, segmentMax, segmentMin, segmentMean };

/** Ids of both dtypes: `list` of sizes `dims`. */
const idsOf = (dtype, dims, list) => encodedValues(dtype, dims, dtype === "int64" ? list.map(BigInt) : list);

function* segmentCases(dice) {
  for (const dtype of ["float32", "float64", "float16", "int8", "int32", "int64", "uint16", "complex64"]) {
    const named = (functions) =>
      Object.entries(functions).filter(([op]) => {
        if (op.endsWith("Mean")) return isFloat(dtype);
        return dtype !== "complex64" || /Sum$/.test(op);
      });
    const element = { low: -3, high: 3, whole: true };
    for (const [op, make] of named(kUnsorted)) {
      for (const [dims, idDims, list] of [
        [[6], [6], [2, 0, -1, 2, 2, 4]],
        [[6, 19], [6], [4, 4, 0, -7, 0, 1]],
        [
          [2, 3, 5],
          [2, 3],
          [1, 1, -1, 0, 3, 1],
        ],
        [[0, 3], [0], []],
      ]) {
        const inputs = [encodedTensor(dtype, dims, dice, element), idsOf(dice.below(2) === 0 ? "int32" : "int64", idDims, list)];
        yield { op, dtype, inputs, args: [5], tensorflow: true, build: ([x, ids]) => make(x, ids, 5) };
      }
    }
    for (const [op, make] of named(kSorted)) {
      for (const [dims, list] of [
        [[6], [0, 0, 1, 3, 3, 3]],
        [
          [5, 18],
          [1, 1, 2, 6, 6],
        ],
      ]) {
        const inputs = [encodedTensor(dtype, dims, dice, element), idsOf(dice.below(2) === 0 ? "int32" : "int64", [dims[0]], list)];
        yield { op, dtype, inputs, args: [], tensorflow: true, build: ([x, ids]) => make(x, ids) };
      }
    }
  }
  const infinities = encodedValues("float32", [4], [-Infinity, -Infinity, Infinity, Infinity]);
  for (const [op, make] of Object.entries({ segmentMax, segmentMin })) {
    const inputs = [infinities, idsOf("int32", [4], [0, 0, 2, 2])];
    yield { op, dtype: "float32", inputs, args: [], tensorflow: true, build: ([x, ids]) => make(x, ids) };
  }
  for (const [op, make] of Object.entries({ unsortedSegmentMax, unsortedSegmentMin })) {
    const inputs = [infinities, idsOf("int32", [4], [0, 0, 2, 2])];
    yield { op, dtype: "float32", inputs, args: [3], tensorflow: true, build: ([x, ids]) => make(x, ids, 3) };
  }
}

/** Quantiles, medians, counts and histograms. */
export function* statisticsCases(dice) {
  for (const dtype of ["float32", "float64", "int16", "uint8", "int64"]) {
    const inputs = [encodedTensor(dtype, [7, 12], dice, { low: -50, high: 50 })];
    const judged = { dtype, inputs, tensorflow: false };
    for (const axes of [[1], [0], [0, 1]]) {
      yield { ...judged, op: "median", args: [axes], build: ([x]) => median(x, { axes }) };
      for (const method of ["linear", "lower", "higher", "midpoint"])
        for (const q of [0, 0.3, 0.75, 1])
          yield { ...judged, op: "quantile", args: [q, axes, method], build: ([x]) => quantile(x, q, { axes, method }) };
    }
    for (const bins of [1, 7, 50]) {
      yield { ...judged, op: "histogram", args: [bins, null], build: ([x]) => histogram(x, bins).counts };
      // NumPy computes edges of float32 in float32, here they are computed in float64 and rounded.
      if (dtype !== "float32") yield { ...judged, op: "histogramEdges", args: [bins, null], build: ([x]) => histogram(x, bins).edges };
      yield { ...judged, op: "histogram", args: [bins, [-20, 30.5]], build: ([x]) => histogram(x, bins, { range: [-20, 30.5] }).counts };
      yield {
        ...judged,
        op: "histogramEdges",
        args: [bins, [-20, 30.5]],
        build: ([x]) => histogram(x, bins, { range: [-20, 30.5] }).edges,
      };
    }
    // NumPy has other edges in float32.
    if (dtype === "float32") continue;
    const tenths = [
      encodedValues(
        dtype,
        [60],
        Array.from({ length: 60 }, (_, k) => (isFloat(dtype) ? k / 10 : dtype === "int64" ? BigInt(k) : k)),
      ),
    ];
    yield {
      ...judged,
      op: "histogram",
      inputs: tenths,
      args: [59, [0, 5.9]],
      build: ([x]) => histogram(x, 59, { range: [0, 5.9] }).counts,
    };
  }
  for (const dtype of ["int32", "int64", "uint8", "int16"]) {
    const inputs = [encodedTensor(dtype, [900], dice, { low: 0, high: 40, whole: true })];
    for (const length of [0, 1, 12, 90])
      yield { op: "bincount", dtype, inputs, args: [length], tensorflow: true, build: ([x]) => bincount(x, length) };
  }
  yield* searchCases(dice);
  yield* takeCases(dice);
  yield* segmentCases(dice);
}

/** Elements at places of their own along each axis; sizes of 1 are repeated. */
function* takeCases(dice) {
  const sizes = [4, 3, 5];
  for (const dtype of ["float32", "int8", "complex64", "bool"]) {
    for (const [axis, ...places] of [
      [0, 9, 3, 5],
      [0, 2, 1, 5],
      [1, 4, 6, 1],
      [1, 4, 3, 5],
      [2, 1, 3, 2],
      [-1, 4, 1, 7],
    ]) {
      for (const ids of ["int32", "int64"]) {
        const range = { low: 0, high: sizes.at(axis) - 1, whole: true };
        const inputs = [encodedTensor(dtype, sizes, dice), encodedTensor(ids, places, dice, range)];
        yield { op: "takeAlongAxis", dtype, inputs, args: [axis], tensorflow: false, build: ([x, at]) => takeAlongAxis(x, at, axis) };
      }
    }
  }
}

/** Places in sorted vectors by both sides, with equal elements, and in sorted rows, which NumPy has not. */
function* searchCases(dice) {
  for (const dtype of ["float32", "float64", "float16", "int32", "int64", "uint8"]) {
    const range = { low: 0, high: 60, whole: true };
    for (const length of [1, 2, 7, 64, 900]) {
      const inputs = [encodedTensor(dtype, [length], dice, range), encodedTensor(dtype, [30, 11], dice, range)];
      for (const side of ["left", "right"]) {
        yield {
          op: "searchSorted",
          dtype,
          inputs,
          args: [side],
          tensorflow: false,
          build: ([x, v]) => searchSorted(x.sort(), v, { side }),
        };
      }
    }
    if (dtype === "float16" || dtype === "uint8") continue;
    const rows = [encodedTensor(dtype, [3, 5, 33], dice, range), encodedTensor(dtype, [3, 5, 9], dice, range)];
    for (const side of ["left", "right"]) {
      yield {
        op: "searchSortedRows",
        dtype,
        inputs: rows,
        args: [side],
        tensorflow: true,
        build: ([x, v]) => searchSorted(x.sort(), v, { side }),
      };
    }
  }
}
