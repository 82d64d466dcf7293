/** cholesky-attributes: the attributes of Cholesky factors, the error for matrices that have none, and what they get instead. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { CustomCall } from "@onebuffer/expression/internal";
import { matrixSizes } from "./matrix-sizes.ts";
import { shownMatrix } from "./shown-matrix.ts";

/** The functions that factor matrices, with the remedy that messages advise: an option of that function. */
const kRemedies = {
  cholesky: "{ check: false } gives NaN instead",
  lstsq: "{ rcond } in place of { fast: true } takes matrices that do not have full rank",
};

/** What is not positive definite, in messages: the operand, or what the function makes of it. */
const kSubjects = { cholesky: "the matrix", lstsq: "the matrix of the normal equations" };

/**
 * The attributes: the function that is named in messages, and whether a matrix that is not positive definite is an error; otherwise its lower
 * triangle becomes NaN.
 */
export interface CholeskyAttributes {
  readonly call: keyof typeof kRemedies;
  readonly check: boolean;
}

/** Returns the error for a matrix that is not positive definite. */
export function indefiniteError({ inputs, attributes: { call } }: CustomCall<CholeskyAttributes>, matrix: number, pivot: number): Error {
  const where = `${shownMatrix(matrixSizes(inputs[0]!.dimensions).batch, matrix)}pivot ${pivot}`;
  return new InvalidArgumentError(`${call}: ${kSubjects[call]} is not positive definite (${where} is not positive); ${kRemedies[call]}`);
}

/** An element of the factor of a matrix that has none: NaN below and on the diagonal, 0 above. */
export const lostElement = (index: number, n: number): number => (index % n > Math.floor(index / n) ? 0 : NaN);
