/** logarithms: logarithms to the bases e, 2 and 10. */
import type { ElementFormula, Gradients, OpRecords, References } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Logarithms = {
  readonly log: readonly ["unary", "floats, complex"];
  readonly log2: readonly ["unary", "floats"];
  readonly log10: readonly ["unary", "floats"];
  readonly log1p: readonly ["unary", "floats, complex"];
  readonly xlogy: readonly ["binary", "floats"];
};

/** The facts that all of them have. */
const shared = {
  result: "same",
  cost: "function",
  raises: false,
  exactOnComplex: false,
  units: null,
} as const;

/** The records of logarithms to the bases e, 2 and 10. */
export const logarithms: OpRecords<Logarithms> = {
  log: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "The natural logarithm, within 1 ulp; -Infinity at 0, NaN for negative x.",
    accuracy: [1, 1],
    edgeCases: "±0 gives -Infinity, numbers below 0 give NaN",
    inexact: "monotonic",
    domain: { low: 0, high: 100 },
    tensorflow: "math.log",
    numpy: { exact: null, wide: "np.log" },
    xla: [2, 2],
  },
  log2: {
    ...shared,
    class: "unary",
    dtypes: "floats",
    comment: "The logarithm to base 2, within 1 ulp.",
    accuracy: [1, 1],
    edgeCases: "as log",
    inexact: "monotonic",
    domain: { low: 0, high: 100 },
    tensorflow: null,
    numpy: { exact: null, wide: "np.log2" },
    xla: [3, 3],
  },
  log10: {
    ...shared,
    class: "unary",
    dtypes: "floats",
    comment: "The logarithm to base 10, within 1 ulp.",
    accuracy: [1, 1],
    edgeCases: "as log",
    inexact: "monotonic",
    domain: { low: 0, high: 100 },
    tensorflow: null,
    numpy: { exact: null, wide: "np.log10" },
    xla: [3, 4],
  },
  log1p: {
    ...shared,
    class: "unary",
    dtypes: "floats, complex",
    comment: "log(1 + x) without cancellation near 0, within 1 ulp.",
    accuracy: [1, 1],
    edgeCases: "no loss of digits near 0; -1 gives -Infinity, numbers below -1 give NaN",
    inexact: "monotonic",
    domain: { low: -1, high: 100 },
    tensorflow: "math.log1p",
    numpy: { exact: null, wide: "np.log1p" },
    xla: [5, 5, 12],
  },
  xlogy: {
    ...shared,
    class: "binary",
    dtypes: "floats",
    comment: "x * log(y), within 3 ulp; 0 where x is 0, even if y is 0, negative or NaN (`tf.math.xlogy`).",
    accuracy: [3, 3],
    edgeCases: "0 where x is 0, whatever y is",
    inexact: "unknown",
    domain: "moderate",
    tensorflow: "math.xlogy",
    numpy: { exact: null, wide: "lambda x, y: np.where(x == 0, 0, x * np.log(y))" },
    xla: [6, 6],
  },
};

/** What the evaluator computes for logarithms to the bases e, 2 and 10. */
export const logarithmReferences: References<Logarithms> = {
  log: {
    float: Math.log,
    complex: complex.log,
  },
  log2: {
    float: Math.log2,
  },
  log10: {
    float: Math.log10,
  },
  log1p: {
    float: Math.log1p,
    complex: complex.log1p,
  },
  xlogy: {
    float: (x, y) => (x === 0 ? 0 : x * Math.log(y)),
  },
};

/** The operations in steps of others. */
export const logarithmFormulas: { readonly xlogy: ElementFormula } = {
  xlogy: (x, y) => x.isZero().select(0, x.mul(y.to("log"))),
};

/** The gradients of logarithms. */
export const logarithmGradients: Gradients<Logarithms> = {
  log: ({ g, x, at: { conjugate } }) => g.div(conjugate(x)),
  log2: ({ g, x }) => g.div(x.mul(Math.LN2)),
  log10: ({ g, x }) => g.div(x.mul(Math.LN10)),
  log1p: ({ g, x, at: { conjugate } }) => g.div(conjugate(x.add(1))),
  // As TensorFlow's: 0 where x is 0.
  xlogy: ({ g, x, z }) => [() => g.mul(x.notEqual(0).cast(x.dtype).xlogy(z)), () => g.mul(x.xdivy(z))],
};
