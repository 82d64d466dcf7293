/** rounding: numbers rounded to integers. */
import type { Gradients, OpRecords, References } from "./op-record.ts";

type Rounding = {
  readonly floor: readonly ["unary", "floats"];
  readonly ceil: readonly ["unary", "floats"];
  readonly round: readonly ["unary", "reals"];
};

/** The facts that all of them have. */
const shared = {
  class: "unary",
  result: "same",
  cost: "light",
  raises: false,
  accuracy: "exact",
  exactOnComplex: false,
  inexact: "monotonic",
  domain: "all",
  units: null,
  xla: null,
} as const;

/** The records of numbers rounded to integers. */
export const rounding: OpRecords<Rounding> = {
  floor: {
    ...shared,
    dtypes: "floats",
    comment: "The largest integer not above x. Exact; -0 stays -0.",
    edgeCases: "-0 gives -0",
    tensorflow: "floor",
    numpy: { exact: "by_float32(np.floor)", wide: null },
  },
  ceil: {
    ...shared,
    dtypes: "floats",
    comment: "The smallest integer not below x. Exact; -0 stays -0.",
    edgeCases: "-0 gives -0",
    tensorflow: "math.ceil",
    numpy: { exact: "by_float32(np.ceil)", wide: null },
  },
  round: {
    ...shared,
    dtypes: "reals",
    comment: "The nearest integer, ties to even. Exact; integer dtypes are unchanged.",
    edgeCases: "ties to even; integers are unchanged",
    tensorflow: "round",
    numpy: { exact: "by_float32(lambda x: x if is_integer(x) else np.rint(x))", wide: null },
  },
};

/** Returns the nearest integer, ties to even; -0 stays -0. */
function roundHalfEven(x: number): number {
  const floor = Math.floor(x);
  const fraction = x - floor;
  if (fraction < 0.5 || (fraction === 0.5 && floor % 2 === 0)) return floor === 0 && x < 0 ? -0 : floor;
  const up = floor + 1;
  return up === 0 ? -0 : up;
}

/** What the evaluator computes for numbers rounded to integers. */
export const roundingReferences: References<Rounding> = {
  floor: {
    float: Math.floor,
  },
  ceil: {
    float: Math.ceil,
  },
  round: {
    float: roundHalfEven,
    integer: (x) => x,
    big: (x) => x,
  },
};

/** The gradients of rounding. */
export const roundingGradients: Gradients<Rounding> = {
  floor: "none",
  ceil: "none",
  round: "none",
};
