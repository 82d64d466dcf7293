/** bitwise: operations on the bits of integers, and shifts. */
import type { FormulaValue } from "../formulas/formula-value.ts";
import type { ElementFormula, Gradients, OpRecords, References, ScalarContext } from "./op-record.ts";

type Bitwise = {
  readonly invert: readonly ["unary", "integers"];
  readonly populationCount: readonly ["unary", "integers"];
  readonly bitwiseAnd: readonly ["binary", "integers"];
  readonly bitwiseOr: readonly ["binary", "integers"];
  readonly bitwiseXor: readonly ["binary", "integers"];
  readonly leftShift: readonly ["binary", "integers"];
  readonly rightShift: readonly ["binary", "integers"];
};

/** The facts that all of them have. */
const shared = {
  dtypes: "integers",
  result: "same",
  cost: "light",
  raises: false,
  accuracy: "exact",
  exactOnComplex: false,
  inexact: "monotonic",
  units: null,
  xla: null,
} as const;

/** The records of operations on the bits of integers, and shifts. */
export const bitwise: OpRecords<Bitwise> = {
  invert: {
    ...shared,
    class: "unary",
    comment: "~x: flips every bit (`tf.bitwise.invert`).",
    edgeCases: "inverts every bit",
    domain: "all",
    tensorflow: "bitwise.invert",
    numpy: { exact: "np.invert", wide: null },
  },
  populationCount: {
    class: "unary",
    dtypes: "integers",
    result: "uint8",
    cost: "slow",
    raises: false,
    comment: "The number of bits that are set (`tf.raw_ops.PopulationCount`).",
    accuracy: "exact",
    edgeCases: "a negative number has its sign bit set",
    exactOnComplex: false,
    inexact: "unknown",
    domain: "all",
    tensorflow: "raw_ops.PopulationCount",
    numpy: { exact: "lambda x: np.bitwise_count(x.view(f'u{x.itemsize}'))", wide: null },
    units: null,
    xla: null,
  },
  bitwiseAnd: {
    ...shared,
    class: "binary",
    comment: "x & y.",
    edgeCases: "",
    domain: "all",
    tensorflow: "bitwise.bitwise_and",
    numpy: { exact: "np.bitwise_and", wide: null },
  },
  bitwiseOr: {
    ...shared,
    class: "binary",
    comment: "x | y.",
    edgeCases: "",
    domain: "all",
    tensorflow: "bitwise.bitwise_or",
    numpy: { exact: "np.bitwise_or", wide: null },
  },
  bitwiseXor: {
    ...shared,
    class: "binary",
    comment: "x ^ y.",
    edgeCases: "",
    domain: "all",
    tensorflow: "bitwise.bitwise_xor",
    numpy: { exact: "np.bitwise_xor", wide: null },
  },
  leftShift: {
    ...shared,
    class: "binary",
    comment: "x << y; y is first clamped to [0, bits - 1], as in TensorFlow's kernel.",
    edgeCases: "the count is clamped to [0, bits - 1]; rightShift of signed integers keeps the sign",
    domain: "count",
    tensorflow: "bitwise.left_shift",
    numpy: { exact: "np_shift(np.left_shift)", wide: null },
  },
  rightShift: {
    ...shared,
    class: "binary",
    comment: "x >> y; signed integers keep their sign; y is clamped as for `leftShift`.",
    edgeCases: "the count is clamped to [0, bits - 1]; rightShift of signed integers keeps the sign",
    domain: "count",
    tensorflow: "bitwise.right_shift",
    numpy: { exact: "np_shift(np.right_shift)", wide: null },
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

/** Returns the number of bits that are set in a number that is not negative. */
function setBits(x: bigint): number {
  return x.toString(2).replaceAll("0", "").length;
}

/** What the evaluator computes for operations on the bits of integers, and shifts. */
export const bitwiseReferences: References<Bitwise> = {
  invert: {
    integer: (x) => ~x,
    big: (x) => ~x,
  },
  populationCount: {
    integer: (x, { bits }) => setBits(BigInt.asUintN(bits, BigInt(x))),
    big: (x) => setBits(BigInt.asUintN(64, x)),
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

/** The operations on bits in steps of others. */
export const bitwiseFormulas: { readonly populationCount: ElementFormula } = {
  // Adds neighboring bits, then the sums of two, then those of four; a product adds the bytes.
  populationCount: (x) => {
    const add = (sums: FormulaValue, width: number, mask: FormulaValue): FormulaValue =>
      sums.to("bitwiseAnd", mask).add(x.shiftRight(sums, width).to("bitwiseAnd", mask));
    const bytes = [0x55, 0x33, 0x0f].reduce((sums: FormulaValue, mask, k) => add(sums, 1 << k, x.repeated(mask)), x);
    return x.itemBytes === 1 ? bytes : x.shiftRight(bytes.mul(x.repeated(1)), 8 * x.itemBytes - 8);
  },
};

/** The gradients of bits. */
export const bitwiseGradients: Gradients<Bitwise> = {
  invert: "none",
  populationCount: "none",
  bitwiseAnd: "none",
  bitwiseOr: "none",
  bitwiseXor: "none",
  leftShift: "none",
  rightShift: "none",
};
