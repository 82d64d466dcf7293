/** elementwise-gradients: the gradients of all elementwise operations, which stand beside their records. */
import { signGradients } from "../ops/signs.ts";
import { arithmeticGradients } from "../ops/arithmetic.ts";
import { divisionGradients } from "../ops/divisions.ts";
import { powerGradients } from "../ops/powers.ts";
import { exponentialGradients } from "../ops/exponentials.ts";
import { logarithmGradients } from "../ops/logarithms.ts";
import { trigonometricGradients } from "../ops/trigonometric.ts";
import { hyperbolicGradients } from "../ops/hyperbolic.ts";
import { errorFunctionGradients } from "../ops/error-functions.ts";
import { gammaFunctionGradients } from "../ops/gamma-functions.ts";
import { roundingGradients } from "../ops/rounding.ts";
import { floatClassGradients } from "../ops/float-classes.ts";
import { floatNeighborGradients } from "../ops/float-neighbors.ts";
import { extremeGradients } from "../ops/extremes.ts";
import { squaredDifferenceGradients } from "../ops/squared-difference.ts";
import { comparisonGradients } from "../ops/comparisons.ts";
import { logicalGradients } from "../ops/logical.ts";
import { bitwiseGradients } from "../ops/bitwise.ts";
import { complexPartGradients } from "../ops/complex-parts.ts";
import type { BinaryName, UnaryName } from "../generated/op-names.ts";
import type { BinaryGradient, UnaryGradient } from "../tree/gradient-rule.ts";

/** The rules by operation. */
export const elementwiseGradients: {
  readonly [K in UnaryName]: UnaryGradient | "none";
} & {
  readonly [K in BinaryName]: BinaryGradient | "none";
} = {
  ...signGradients,
  ...arithmeticGradients,
  ...divisionGradients,
  ...powerGradients,
  ...exponentialGradients,
  ...logarithmGradients,
  ...trigonometricGradients,
  ...hyperbolicGradients,
  ...errorFunctionGradients,
  ...gammaFunctionGradients,
  ...roundingGradients,
  ...floatClassGradients,
  ...floatNeighborGradients,
  ...extremeGradients,
  ...squaredDifferenceGradients,
  ...comparisonGradients,
  ...logicalGradients,
  ...bitwiseGradients,
  ...complexPartGradients,
};
