/** lu-attributes: the attributes of LU factorizations and of solutions by them, and the error for matrices that have none. */
import { InvalidArgumentError } from "@onebuffer/base";
import type { CustomCall } from "@onebuffer/expression/internal";
import { matrixSizes } from "./matrix-sizes.ts";
import { shownMatrix } from "./shown-matrix.ts";

/** What happens for a pivot that is 0 or NaN: an error, NaN in the whole result of the matrix, or factors with that pivot. */
export type SingularRule = "error" | "nan" | "keep";

/** The attributes: the function that is named in messages, and the rule for singular matrices. */
export interface LuAttributes {
  readonly call: string;
  readonly singular: SingularRule;
}

/** Returns the error for a matrix that cannot be inverted. */
export function singularError(
  { attributes: { call }, inputs }: CustomCall<LuAttributes>,
  matrix: number,
  pivot: number,
  value: number,
): Error {
  const { batch } = matrixSizes(inputs[0]!.dimensions);
  return new InvalidArgumentError(`${call}: Input matrix is not invertible. (${shownMatrix(batch, matrix)}pivot ${pivot} is ${value})`);
}

/** The attributes of solutions: whether A^H x = b is solved. */
export interface LuSolveAttributes {
  readonly adjoint: boolean;
}
