/**
 * families: the records of all families, and the evaluator's functions of all operations.
 *
 * The order of the families, and of the operations in each, is the order of the op table. Only the generator of derived files
 * (tools/generate-operations.mjs), tests and tools read the records, so that users' bundles hold none of them.
 */
import { arithmetic, arithmeticReferences } from "./arithmetic.ts";
import { bitwise, bitwiseFormulas, bitwiseReferences } from "./bitwise.ts";
import { comparisonReferences, comparisons } from "./comparisons.ts";
import { complexPartReferences, complexParts } from "./complex-parts.ts";
import { divisionFormulas, divisionReferences, divisions } from "./divisions.ts";
import { errorFunctionFormulas, errorFunctionReferences, errorFunctions } from "./error-functions.ts";
import { exponentialReferences, exponentials } from "./exponentials.ts";
import { extremeReferences, extremes } from "./extremes.ts";
import { floatNeighborFormulas, floatNeighborReferences, floatNeighbors } from "./float-neighbors.ts";
import { floatClassReferences, floatClasses } from "./float-classes.ts";
import { gammaFunctionFormulas, gammaFunctionReferences, gammaFunctions } from "./gamma-functions.ts";
import { hyperbolic, hyperbolicFormulas, hyperbolicReferences } from "./hyperbolic.ts";
import { logarithmFormulas, logarithmReferences, logarithms } from "./logarithms.ts";
import { logical, logicalReferences } from "./logical.ts";
import { powerFormulas, powerReferences, powers } from "./powers.ts";
import { rounding, roundingReferences } from "./rounding.ts";
import { signReferences, signs } from "./signs.ts";
import { squaredDifferenceReferences, squaredDifferences } from "./squared-difference.ts";
import { casts, choices, movements } from "./movements.ts";
import { contractions, orderings, reductions, scans } from "./over-axes.ts";
import { generators, leaves, randomNumbers } from "./sources.ts";
import { trigonometric, trigonometricReferences } from "./trigonometric.ts";
import type { AnyOpRecord, AnyReference, ElementFormula } from "./op-record.ts";
import type { AnyWholeRecord } from "./whole-record.ts";

/** The families of elementwise operations in the order of the op table. */
export const families: readonly Readonly<Record<string, AnyOpRecord>>[] = [
  signs,
  arithmetic,
  divisions,
  powers,
  exponentials,
  logarithms,
  trigonometric,
  hyperbolic,
  errorFunctions,
  gammaFunctions,
  rounding,
  floatClasses,
  floatNeighbors,
  extremes,
  squaredDifferences,
  comparisons,
  logical,
  bitwise,
  complexParts,
];

/** The records of the other operations. */
export const wholeFamilies: readonly Readonly<Record<string, AnyWholeRecord>>[] = [
  leaves,
  generators,
  randomNumbers,
  casts,
  choices,
  movements,
  reductions,
  scans,
  contractions,
  orderings,
];

/** The evaluator's functions by operation. */
export const references: Readonly<Record<string, AnyReference>> = {
  ...signReferences,
  ...arithmeticReferences,
  ...divisionReferences,
  ...powerReferences,
  ...exponentialReferences,
  ...logarithmReferences,
  ...trigonometricReferences,
  ...hyperbolicReferences,
  ...errorFunctionReferences,
  ...gammaFunctionReferences,
  ...roundingReferences,
  ...floatClassReferences,
  ...floatNeighborReferences,
  ...extremeReferences,
  ...squaredDifferenceReferences,
  ...comparisonReferences,
  ...logicalReferences,
  ...bitwiseReferences,
  ...complexPartReferences,
};

/** The formulas of the operations on floats that have one. */
export const formulas: Readonly<Partial<Record<string, ElementFormula>>> = {
  ...divisionFormulas,
  ...powerFormulas,
  ...logarithmFormulas,
  ...hyperbolicFormulas,
  ...errorFunctionFormulas,
  ...gammaFunctionFormulas,
  ...floatNeighborFormulas,
  ...bitwiseFormulas,
};
