/** cholesky-attributes: the attributes of Cholesky factors, the error for matrices that have none, and what they get instead. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { CustomCall } from "@onebuffer/expression/internal";
import { matrixSizes } from "./matrix-sizes.ts";
import { shownMatrix } from "./shown-matrix.ts";

/** The attributes: whether a matrix that is not positive definite is an error; otherwise its lower triangle becomes NaN. */
export interface CholeskyAttributes {
  readonly check: boolean;
}

/** Returns the error for a matrix that is not positive definite. */
export function indefiniteError({ inputs }: CustomCall<CholeskyAttributes>, matrix: number, pivot: number): Error {
  const { batch } = matrixSizes(inputs[0]!.dimensions);
  return new InvalidArgumentError(
    `cholesky: the matrix is not positive definite (${shownMatrix(batch, matrix)}pivot ${pivot} is not positive); { check: false } gives NaN instead`,
  );
}

/** An element of the factor of a matrix that has none: NaN below and on the diagonal, 0 above. */
export const lostElement = (index: number, n: number): number => (index % n > Math.floor(index / n) ? 0 : NaN);
