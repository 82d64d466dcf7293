/** signs: the absolute value and its opposite. */
import type { Gradients, OpRecords, References } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Signs = {
  readonly neg: readonly ["unary", "numbers"];
  readonly abs: readonly ["unary", "numbers"];
  readonly sign: readonly ["unary", "numbers"];
};

/** The facts that all of them have. */
const shared = {
  class: "unary",
  dtypes: "numbers",
  cost: "light",
  raises: false,
  accuracy: "exact",
  domain: "all",
  units: null,
  xla: null,
} as const;

/** The records of the absolute value and its opposite. */
export const signs: OpRecords<Signs> = {
  neg: {
    ...shared,
    result: "same",
    comment: "-x; integers wrap around, unsigned ones too.",
    edgeCases: "unsigned integers wrap; the lowest signed integer maps to itself",
    exactOnComplex: true,
    inexact: "monotonic",
    tensorflow: "negative",
    numpy: { exact: "np.negative", wide: null },
  },
  abs: {
    ...shared,
    result: "real",
    comment: "|x|; the smallest signed integer stays as it is. For a complex number the modulus, in the real dtype.",
    edgeCases: "the lowest integer maps to itself; complex numbers give the modulus",
    exactOnComplex: false,
    inexact: "slope",
    tensorflow: "abs",
    numpy: { exact: "np.abs", wide: "np.abs" },
  },
  sign: {
    ...shared,
    result: "same",
    comment: "-1, 0 or 1; NaN stays NaN, -0 becomes 0. For a complex number z / |z|.",
    edgeCases: "-0 gives 0, NaN gives NaN; a complex z gives z / abs(z), and 0 for 0",
    exactOnComplex: false,
    inexact: "monotonic",
    tensorflow: "sign",
    numpy: { exact: "np_sign", wide: "lambda x: np.where(x == 0, 0, x / np.abs(x))" },
  },
};

/** What the evaluator computes for the absolute value and its opposite. */
export const signReferences: References<Signs> = {
  neg: {
    float: (x) => -x,
    integer: (x) => 0 - x,
    big: (x) => -x,
    complex: ([re, im]) => [-re, -im],
  },
  abs: {
    float: Math.abs,
    integer: Math.abs,
    big: (x) => (x < 0n ? -x : x),
    complex: ([re, im]) => Math.hypot(re, im),
  },
  sign: {
    float: (x) => Math.sign(x) + 0,
    integer: Math.sign,
    big: (x) => (x < 0n ? -1n : x > 0n ? 1n : 0n),
    complex: complex.sign,
  },
};

/** The gradients of the absolute value and its opposite. */
export const signGradients: Gradients<Signs> = {
  neg: ({ g }) => g.neg(),
  abs: ({ g, x }) => g.cast(x.dtype).mul(x.sign()),
  // A sign is constant but for that of a complex number, which moves along the unit circle: only the part of g across it counts.
  sign: ({ g, x, y, at: { isComplex, select } }) => {
    if (!isComplex(x)) return null;
    const along = y.mul(y.conj().mul(g).real().cast(x.dtype));
    const size = x.abs();
    return select(size.equal(0), 0, g.sub(along).div(size.cast(x.dtype)));
  },
};
