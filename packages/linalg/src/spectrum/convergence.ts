/** convergence: the error of an iteration that does not end. */
import { InvalidArgumentError } from "@onebuffer/base";

/** Returns the error for an iteration after which some elements beside the diagonal are not zero, with their number. */
export function failedToConverge(what: string, beside: Float64Array): InvalidArgumentError {
  const left = beside.reduce((count, each) => (each === 0 ? count : count + 1), 0);
  return new InvalidArgumentError(`${what} was not successful. The input might not be valid. (${left} values did not converge)`);
}
