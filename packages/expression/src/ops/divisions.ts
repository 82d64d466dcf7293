/** divisions: quotients and remainders. */
import type { DivisionFacts, ElementFormula, Gradients, OpRecords, References, ScalarContext } from "./op-record.ts";
import * as complex from "../scalars/complex-functions.ts";

type Divisions = {
  readonly div: readonly ["binary", "numbers"];
  readonly floorDiv: readonly ["binary", "reals"];
  readonly mod: readonly ["binary", "reals"];
  readonly truncateMod: readonly ["binary", "reals"];
  readonly xdivy: readonly ["binary", "floats"];
};

/** The facts that all of them have. */
const shared = {
  class: "binary",
  result: "same",
  cost: "slow",
  units: null,
  xla: null,
} as const;

/** The records of quotients and remainders. */
export const divisions: OpRecords<Divisions, DivisionFacts> = {
  div: {
    ...shared,
    division: { rounds: "to zero", gives: "quotient" },
    dtypes: "numbers",
    raises: true,
    comment: "x / y; integers truncate towards 0 (`tf.truncatediv`). `assign` throws INVALID_ARGUMENT for an integer division by 0.",
    accuracy: "rounded",
    edgeCases:
      "integers truncate towards 0 (`tf.truncatediv`) and throw INVALID_ARGUMENT for a divisor of 0; floats divided by 0 give ±Infinity or NaN",
    exactOnComplex: true,
    inexact: "divisor",
    domain: "divisor",
    tensorflow: "raw_ops.Div",
    numpy: { exact: "by_float32(np_div)", wide: "lambda x, y: x / y" },
  },
  floorDiv: {
    ...shared,
    division: { rounds: "down", gives: "quotient" },
    dtypes: "reals",
    raises: true,
    comment: "The largest integer not above x / y (`tf.math.floordiv`). Integer division by 0 throws as for `div`.",
    accuracy: "rounded",
    edgeCases: "towards -Infinity (`tf.math.floordiv`); floats: the floor of the rounded quotient; integers divided by 0 as div",
    exactOnComplex: false,
    inexact: "divisor",
    domain: "divisor",
    tensorflow: "math.floordiv",
    numpy: { exact: "by_float32(np_floor_div)", wide: null },
  },
  mod: {
    ...shared,
    division: { rounds: "down", gives: "remainder" },
    dtypes: "reals",
    raises: true,
    comment: "The remainder of `floorDiv`, with the sign of y (`tf.math.mod`). An integer modulo 0 throws as for `div`.",
    accuracy: "exact",
    edgeCases: "the remainder of floorDiv, with y's sign; floats modulo 0 give NaN, integers as div",
    exactOnComplex: false,
    inexact: "unknown",
    domain: "divisor",
    tensorflow: "math.floormod",
    numpy: { exact: "by_float32(np_mod)", wide: null },
  },
  truncateMod: {
    ...shared,
    division: { rounds: "to zero", gives: "remainder" },
    dtypes: "reals",
    raises: true,
    comment:
      "The remainder of truncating division, with the sign of x (`tf.truncatemod`): that of `div` for integers, C's fmod for floats.",
    accuracy: "exact",
    edgeCases: "C's fmod, with x's sign; modulo 0 as mod",
    exactOnComplex: false,
    inexact: "unknown",
    domain: "divisor",
    tensorflow: "truncatemod",
    numpy: { exact: "by_float32(lambda x, y: truncated(x, y)[1] if is_integer(x) else np.fmod(x, y))", wide: null },
  },
  xdivy: {
    ...shared,
    division: null,
    dtypes: "floats",
    raises: false,
    comment: "x / y; 0 where x is 0, even if y is 0 or NaN (`tf.math.xdivy`).",
    accuracy: "rounded",
    edgeCases: "0 where x is 0, whatever y is",
    exactOnComplex: false,
    inexact: "unknown",
    domain: "all",
    tensorflow: "math.xdivy",
    numpy: { exact: "by_float32(lambda x, y: np.where(x == 0, x.dtype.type(0), x / y))", wide: null },
  },
};

const kByZero = "Integer division by zero";

/** Returns `y`. Throws INVALID_ARGUMENT if it is 0, as TensorFlow does. */
function divisor(y: number, at: ScalarContext): number {
  return y === 0 ? at.refuse(kByZero) : y;
}

/** Returns `y`. Throws INVALID_ARGUMENT if it is 0, as TensorFlow does. */
function bigDivisor(y: bigint, at: ScalarContext): bigint {
  return y === 0n ? at.refuse(kByZero) : y;
}

/** Returns the remainder with the sign of y. */
function floorRemainder(x: number, y: number): number {
  const remainder = x % y;
  return remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder;
}

/** What the evaluator computes for quotients and remainders. */
export const divisionReferences: References<Divisions> = {
  div: {
    float: (x, y) => x / y,
    integer: (x, y, at) => Math.trunc(x / divisor(y, at)),
    big: (x, y, at) => x / bigDivisor(y, at),
    complex: complex.quotient,
  },
  floorDiv: {
    float: (x, y, at) => Math.floor(at.round(x / y)),
    integer: (x, y, at) => Math.floor(x / divisor(y, at)),
    big: (x, y, at) => {
      const quotient = x / bigDivisor(y, at);
      return x % y !== 0n && x < 0n !== y < 0n ? quotient - 1n : quotient;
    },
  },
  mod: {
    float: floorRemainder,
    integer: (x, y, at) => floorRemainder(x, divisor(y, at)),
    big: (x, y, at) => {
      const remainder = x % bigDivisor(y, at);
      return remainder !== 0n && remainder < 0n !== y < 0n ? remainder + y : remainder;
    },
  },
  truncateMod: {
    float: (x, y) => x % y,
    integer: (x, y, at) => x % divisor(y, at),
    big: (x, y, at) => x % bigDivisor(y, at),
  },
  xdivy: {
    float: (x, y) => (x === 0 ? 0 : x / y),
  },
};

/** The divisions in steps of others. */
export const divisionFormulas: { readonly xdivy: ElementFormula } = {
  xdivy: (x, y) => x.isZero().select(0, x.div(y)),
};

/** The gradients of divisions. */
export const divisionGradients: Gradients<Divisions> = {
  div: ({ g, z, y, at: { conjugate } }) => {
    const quotient = g.div(conjugate(z));
    return [() => quotient, () => quotient.mul(conjugate(y)).neg()];
  },
  floorDiv: "none",
  mod: ({ g, x, z }) => [() => g, () => g.mul(x.floorDiv(z)).neg()],
  truncateMod: ({ g, x, z, y }) => [() => g, () => g.mul(x.sub(y).div(z)).neg()],
  // As TensorFlow's: 0 where x is 0.
  xdivy: ({ g, x, z }) => [() => g.mul(x.notEqual(0).cast(x.dtype).xdivy(z)), () => g.mul(x.neg().xdivy(z.square()))],
};
