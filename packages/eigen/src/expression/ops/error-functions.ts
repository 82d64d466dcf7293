/** error-functions: the error function. */
import type { OpRecords, References } from "./op-record.ts";
import { erf } from "../scalars/erf.ts";

type ErrorFunctions = {
  readonly erf: readonly ["unary", "floats"];
};

/** The records of the error function. */
export const errorFunctions: OpRecords<ErrorFunctions> = {
  erf: {
    class: "unary",
    dtypes: "floats",
    result: "same",
    cost: "function",
    raises: false,
    comment: "The error function, within 2 ulp.",
    accuracy: [2, 2],
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: -6, high: 6 },
    tensorflow: "math.erf",
    numpy: { exact: null, wide: "wide_erf" },
    units: null,
    xla: [6, 6],
  },
};

/** What the evaluator computes for the error function. */
export const errorFunctionReferences: References<ErrorFunctions> = {
  erf: {
    float: erf,
  },
};
