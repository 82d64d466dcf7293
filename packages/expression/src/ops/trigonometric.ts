/** trigonometric: the sine, the cosine, the tangent and their inverses. */
import type { Gradients, OpRecords, References } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";
import type { GradientValue } from "../tree/gradient-rule.ts";

type Trigonometric = {
  readonly sin: readonly ["unary", "floats, complex"];
  readonly cos: readonly ["unary", "floats, complex"];
  readonly tan: readonly ["unary", "floats, complex"];
  readonly asin: readonly ["unary", "floats, complex"];
  readonly acos: readonly ["unary", "floats, complex"];
  readonly atan: readonly ["unary", "floats, complex"];
  readonly atan2: readonly ["binary", "floats"];
};

/** The facts that all of them have. */
const shared = {
  result: "same",
  cost: "function",
  raises: false,
  accuracy: [2, 2],
  exactOnComplex: false,
  units: null,
} as const;

/** The records of the sine, the cosine, the tangent and their inverses. */
export const trigonometric: OpRecords<Trigonometric> = {
  sin: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "The sine of x radians, within 2 ulp; NaN at the infinities.",
    edgeCases: "any argument, however large; infinities give NaN",
    inexact: "wave",
    domain: "all",
    tensorflow: "sin",
    numpy: { exact: null, wide: "np.sin" },
    xla: [2, 2],
  },
  cos: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "The cosine of x radians; accuracy and infinities as `sin`.",
    edgeCases: "any argument, however large; infinities give NaN",
    inexact: "wave",
    domain: "all",
    tensorflow: "cos",
    numpy: { exact: null, wide: "np.cos" },
    xla: [2, 2],
  },
  tan: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "The tangent of x radians; accuracy and infinities as `sin`.",
    edgeCases: "any argument, however large; infinities give NaN",
    inexact: "tan",
    domain: "all",
    tensorflow: "tan",
    numpy: { exact: null, wide: "np.tan" },
    xla: [3, 3, 16],
  },
  asin: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "The arc sine in [-π/2, π/2], within 2 ulp; NaN outside [-1, 1].",
    edgeCases: "NaN outside [-1, 1]",
    inexact: "monotonic",
    domain: { low: -1, high: 1 },
    tensorflow: "asin",
    numpy: { exact: null, wide: "np.arcsin" },
    xla: [4, 4, 12],
  },
  acos: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "The arc cosine in [0, π], within 2 ulp; NaN outside [-1, 1].",
    edgeCases: "NaN outside [-1, 1]",
    inexact: "monotonic",
    domain: { low: -1, high: 1 },
    tensorflow: "acos",
    numpy: { exact: null, wide: "np.arccos" },
    xla: [4, 4, 12],
  },
  atan: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "The arc tangent in [-π/2, π/2], within 2 ulp.",
    edgeCases: "",
    inexact: "monotonic",
    domain: "all",
    tensorflow: "atan",
    numpy: { exact: null, wide: "np.arctan" },
    xla: [3, 3, 12],
  },
  atan2: {
    ...shared,
    class: "binary",
    dtypes: "floats",
    comment: "The angle of the point (x, y) in [-π, π], where y is this operand; within 2 ulp.",
    edgeCases: "`y.atan2(x)`; the signs of zeros matter",
    inexact: "unknown",
    domain: "moderate",
    tensorflow: "atan2",
    numpy: { exact: null, wide: "np.arctan2" },
    xla: [4, 4],
  },
};

/** What the evaluator computes for the sine, the cosine, the tangent and their inverses. */
export const trigonometricReferences: References<Trigonometric> = {
  sin: {
    float: Math.sin,
    complex: complex.sin,
  },
  cos: {
    float: Math.cos,
    complex: complex.cos,
  },
  tan: {
    float: Math.tan,
    complex: complex.tan,
  },
  asin: {
    float: Math.asin,
    complex: complex.asin,
  },
  acos: {
    float: Math.acos,
    complex: complex.acos,
  },
  atan: {
    float: Math.atan,
    complex: complex.atan,
  },
  atan2: {
    float: Math.atan2,
  },
};

/** The gradients of trigonometric functions. */
export const trigonometricGradients: Gradients<Trigonometric> = {
  sin: ({ g, x, at: { conjugate } }) => g.mul(conjugate(x.cos())),
  cos: ({ g, x, at: { conjugate } }) => g.mul(conjugate(x.sin())).neg(),
  tan: ({ g, y, at: { conjugate } }) => g.mul(conjugate(y.square().add(1))),
  asin: ({ g, x, at: { conjugate } }) => g.mul(conjugate(slopeOfAsin(x))),
  acos: ({ g, x, at: { conjugate } }) => g.mul(conjugate(slopeOfAsin(x))).neg(),
  atan: ({ g, x, at: { conjugate } }) => g.div(conjugate(x.square().add(1))),
  atan2: ({ g, x, z }) => {
    const scaled = g.div(x.square().add(z.square()));
    return [() => scaled.mul(z), () => scaled.mul(x).neg()];
  },
};

/**
 * Returns (1 - x^2)^(-1/2). To subtract -1 leaves the imaginary part of a complex -x^2 as it is: to add 1 would lose the sign of a zero, which says
 * on which side of the branch cut x is.
 */
function slopeOfAsin(x: GradientValue): GradientValue {
  return x.square().neg().sub(-1).rsqrt();
}
