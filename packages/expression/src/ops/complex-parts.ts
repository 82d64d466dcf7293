/** complex-parts: the parts of complex numbers. */
import type { OpRecords, PartFacts, References } from "./op-record.ts";

type ComplexParts = {
  readonly conj: readonly ["unary", "complex"];
  readonly real: readonly ["unary", "complex"];
  readonly imag: readonly ["unary", "complex"];
};

/** The records of the parts of complex numbers. */
export const complexParts: OpRecords<ComplexParts, PartFacts> = {
  conj: {
    class: "unary",
    part: null,
    dtypes: "complex",
    result: "same",
    cost: "light",
    raises: false,
    comment: "The complex conjugate: the imaginary part is negated.",
    accuracy: "exact",
    edgeCases: "negates the imaginary part",
    exactOnComplex: true,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "math.conj",
    numpy: { exact: "np.conj", wide: null },
    units: null,
    xla: null,
  },
  real: {
    class: "unary",
    part: 0,
    dtypes: "complex",
    result: "real",
    cost: "light",
    raises: false,
    comment: "The real part of a complex number, in the real dtype.",
    accuracy: "exact",
    edgeCases: "the parts",
    exactOnComplex: true,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "math.real",
    numpy: { exact: "np.real", wide: null },
    units: null,
    xla: null,
  },
  imag: {
    class: "unary",
    part: 1,
    dtypes: "complex",
    result: "real",
    cost: "light",
    raises: false,
    comment: "The imaginary part of a complex number, in the real dtype.",
    accuracy: "exact",
    edgeCases: "the parts",
    exactOnComplex: true,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "math.imag",
    numpy: { exact: "np.imag", wide: null },
    units: null,
    xla: null,
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
