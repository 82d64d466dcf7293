/** error-functions: the error function and its complement. */
import type { FormulaValue } from "../formulas/formula-value.ts";
import { polynomial } from "../formulas/polynomial.ts";
import { erf, erfc } from "../scalars/erf.ts";
import type { FloatFormula, OpRecords, References } from "./op-record.ts";

type ErrorFunctions = {
  readonly erf: readonly ["unary", "floats"];
  readonly erfc: readonly ["unary", "floats"];
};

/** The records of the error function and its complement. */
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
  erfc: {
    class: "unary",
    dtypes: "floats",
    result: "same",
    cost: "function",
    raises: false,
    comment: "The complementary error function 1 - erf(x), accurate also where erf(x) is near 1 (`tf.math.erfc`).",
    accuracy: [1, 6],
    edgeCases: "",
    exactOnComplex: false,
    inexact: "monotonic",
    domain: { low: -6, high: 28 },
    tensorflow: "math.erfc",
    numpy: { exact: null, wide: "wide_erfc" },
    units: null,
    xla: [2, 8],
  },
};

/** What the evaluator computes for the error function and its complement. */
export const errorFunctionReferences: References<ErrorFunctions> = {
  erf: {
    float: erf,
  },
  erfc: {
    float: erfc,
  },
};

/** Coefficients of (1 + 2x) e^(x^2) erfc(x) in (x - kMiddle) / (x + kMiddle), for x from kMeeting to 28. */
const kFar: readonly number[] = [
  2.4179822619878264e-8, 1.3595590210940613e-8, -2.3916965819785024e-7, -4.545180563696694e-8, 1.7363580816376992e-6, -9.817703321527262e-7,
  -1.1436615799661487e-5, 2.238777715819318e-5, 5.164669963736431e-5, -0.00029015504350861295, 0.0002937141580991349, 0.0017556260165350764,
  -0.009746579621146424, 0.028362277402366073, -0.058693398584917, 0.09230432116129143, -0.10880393014192975, 0.0822767384901225,
  0.0035854154854671303, -0.1402405985855468, 1.2375126308378275,
];
const kMiddle = 3.75;
/** Below this number erfc is 1 - erf. */
const kMeeting = 0.5;
/** From this number on, erfc of float64 is 0. */
const kEnd = 27.5;

/** Returns e^(x^2) erfc(x) for x from kMeeting to kEnd. */
function scaledComplement(x: FormulaValue): FormulaValue {
  return polynomial(x.sub(kMiddle).div(x.add(kMiddle)), kFar).div(x.add(x).add(1));
}

/** The functions in steps of others, in float64. */
export const errorFunctionFormulas: { readonly erfc: FloatFormula } = {
  erfc: (x) =>
    x.inFloat64((x) => {
      const far = x.is("less", kEnd).select(x, kEnd);
      // x^2 in two parts, of which the first is exact.
      const high = far
        .mul(64)
        .to("floor")
        .mul(1 / 64);
      const low = far.sub(high).mul(far.add(high));
      const value = scaledComplement(far).mul(low.neg().to("exp")).mul(high.mul(high).neg().to("exp"));
      return x.is("greaterEqual", kMeeting).select(value, x.number(1).sub(x.to("erf")));
    }),
};
