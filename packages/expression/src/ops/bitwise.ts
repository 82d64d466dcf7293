/** bitwise: operations on the bits of integers, and shifts. */
import type { OpRecords, References, ScalarContext } from "./op-record.ts";

type Bitwise = {
  readonly invert: readonly ["unary", "integers"];
  readonly bitwiseAnd: readonly ["binary", "integers"];
  readonly bitwiseOr: readonly ["binary", "integers"];
  readonly bitwiseXor: readonly ["binary", "integers"];
  readonly leftShift: readonly ["binary", "integers"];
  readonly rightShift: readonly ["binary", "integers"];
};

/** The records of operations on the bits of integers, and shifts. */
export const bitwise: OpRecords<Bitwise> = {
  invert: {
    class: "unary",
    dtypes: "integers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "~x: flips every bit (`tf.bitwise.invert`).",
    accuracy: "exact",
    edgeCases: "inverts every bit",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "bitwise.invert",
    numpy: { exact: "np.invert", wide: null },
    units: null,
    xla: null,
  },
  bitwiseAnd: {
    class: "binary",
    dtypes: "integers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x & y.",
    accuracy: "exact",
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "bitwise.bitwise_and",
    numpy: { exact: "np.bitwise_and", wide: null },
    units: null,
    xla: null,
  },
  bitwiseOr: {
    class: "binary",
    dtypes: "integers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x | y.",
    accuracy: "exact",
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "bitwise.bitwise_or",
    numpy: { exact: "np.bitwise_or", wide: null },
    units: null,
    xla: null,
  },
  bitwiseXor: {
    class: "binary",
    dtypes: "integers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x ^ y.",
    accuracy: "exact",
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "all",
    tensorflow: "bitwise.bitwise_xor",
    numpy: { exact: "np.bitwise_xor", wide: null },
    units: null,
    xla: null,
  },
  leftShift: {
    class: "binary",
    dtypes: "integers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x << y; y is first clamped to [0, bits - 1], as in TensorFlow's kernel.",
    accuracy: "exact",
    edgeCases: "the count is clamped to [0, bits - 1]; rightShift of signed integers keeps the sign",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "count",
    tensorflow: "bitwise.left_shift",
    numpy: { exact: "np_shift(np.left_shift)", wide: null },
    units: null,
    xla: null,
  },
  rightShift: {
    class: "binary",
    dtypes: "integers",
    result: "same",
    cost: "light",
    raises: false,
    comment: "x >> y; signed integers keep their sign; y is clamped as for `leftShift`.",
    accuracy: "exact",
    edgeCases: "the count is clamped to [0, bits - 1]; rightShift of signed integers keeps the sign",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: "count",
    tensorflow: "bitwise.right_shift",
    numpy: { exact: "np_shift(np.right_shift)", wide: null },
    units: null,
    xla: null,
  },
};

/** Returns a shift count clamped to [0, bits - 1]. */
function clamped(y: number, { bits }: ScalarContext): number {
  return y < 0 ? 0 : y > bits - 1 ? bits - 1 : y;
}

/** Returns a shift count clamped to [0, 63]. */
function bigClamped(y: bigint): bigint {
  return y < 0n ? 0n : y > 63n ? 63n : y;
}

/** What the evaluator computes for operations on the bits of integers, and shifts. */
export const bitwiseReferences: References<Bitwise> = {
  invert: {
    integer: (x) => ~x,
    big: (x) => ~x,
  },
  bitwiseAnd: {
    integer: (x, y) => x & y,
    big: (x, y) => x & y,
  },
  bitwiseOr: {
    integer: (x, y) => x | y,
    big: (x, y) => x | y,
  },
  bitwiseXor: {
    integer: (x, y) => x ^ y,
    big: (x, y) => x ^ y,
  },
  leftShift: {
    integer: (x, y, at) => x << clamped(y, at),
    big: (x, y) => x << bigClamped(y),
  },
  rightShift: {
    integer: (x, y, at) => (at.dtype === "uint32" ? x >>> clamped(y, at) : x >> clamped(y, at)),
    big: (x, y) => x >> bigClamped(y),
  },
};
