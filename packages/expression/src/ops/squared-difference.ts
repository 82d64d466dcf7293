/** squared-difference: the square of a difference. */
import type { Gradients, OpRecords, References } from "./op-record.ts";

type SquaredDifferences = {
  readonly squaredDifference: readonly ["binary", "numbers"];
};

/** The records of the square of a difference. */
export const squaredDifferences: OpRecords<SquaredDifferences> = {
  squaredDifference: {
    class: "binary",
    dtypes: "numbers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "(x - y)^2.",
    accuracy: "rounded",
    edgeCases: "the difference is rounded, then its square",
    exactOnComplex: true,
    inexact: "difference",
    domain: "all",
    tensorflow: "math.squared_difference",
    numpy: { exact: "by_float32(lambda x, y: (x - y) * (x - y))", wide: "wide_squared_difference" },
    units: null,
    xla: null,
  },
};

/** What the evaluator computes for the square of a difference. */
export const squaredDifferenceReferences: References<SquaredDifferences> = {
  squaredDifference: {
    float: (x, y, at) => {
      const difference = at.round(x - y);
      return difference * difference;
    },
    integer: (x, y) => Math.imul(x - y, x - y),
    big: (x, y) => (x - y) * (x - y),
    // TensorFlow's functor multiplies the difference by its conjugate.
    complex: ([a, b], [c, d]) => [(a - c) * (a - c) + (b - d) * (b - d), 0],
  },
};

/** The gradients of the square of a difference. */
export const squaredDifferenceGradients: Gradients<SquaredDifferences> = {
  // The result of complex numbers is real, so that the imaginary part of its gradient does not count.
  squaredDifference: ({ g, x, z, at: { isComplex } }) => {
    const scale = isComplex(g) ? g.real().cast(g.dtype) : g;
    const slope = scale.mul(x.sub(z).mul(2));
    return [() => slope, () => slope.neg()];
  },
};
