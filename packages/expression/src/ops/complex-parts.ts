/** complex-parts: the parts of complex numbers. */
import type { Gradients, OpRecords, PartFacts, References } from "./op-record.ts";

type ComplexParts = {
  readonly conj: readonly ["unary", "complex"];
  readonly real: readonly ["unary", "complex"];
  readonly imag: readonly ["unary", "complex"];
};

/** The facts that all of them have. */
const shared = {
  class: "unary",
  dtypes: "complex",
  cost: "light",
  raises: false,
  accuracy: "exact",
  exactOnComplex: true,
  inexact: "monotonic",
  domain: "all",
  units: null,
  xla: null,
} as const;

/** The records of the parts of complex numbers. */
export const complexParts: OpRecords<ComplexParts, PartFacts> = {
  conj: {
    ...shared,
    part: null,
    result: "same",
    comment: "The complex conjugate: the imaginary part is negated.",
    edgeCases: "negates the imaginary part",
    tensorflow: "math.conj",
    numpy: { exact: "np.conj", wide: null },
  },
  real: {
    ...shared,
    part: 0,
    result: "real",
    comment: "The real part of a complex number, in the real dtype.",
    edgeCases: "the parts",
    tensorflow: "math.real",
    numpy: { exact: "np.real", wide: null },
  },
  imag: {
    ...shared,
    part: 1,
    result: "real",
    comment: "The imaginary part of a complex number, in the real dtype.",
    edgeCases: "the parts",
    tensorflow: "math.imag",
    numpy: { exact: "np.imag", wide: null },
  },
};

/** What the evaluator computes for the parts of complex numbers. */
export const complexPartReferences: References<ComplexParts> = {
  conj: {
    complex: ([re, im]) => [re, -im],
  },
  real: {
    complex: ([re]) => re,
  },
  imag: {
    complex: ([, im]) => im,
  },
};

/** The gradients of the parts of complex numbers. */
export const complexPartGradients: Gradients<ComplexParts> = {
  conj: ({ g }) => g.conj(),
  real: ({ g, x }) => g.cast(x.dtype),
  imag: ({ g, x }) => g.cast(x.dtype).mul([0, 1]),
};
