/**
 * Functions on permutations (xla/permutation_util.h).
 *
 * A permutation is a list of the numbers 0..n-1, each once. `permute` gathers, `permuteInverse` scatters:
 *
 *     permute(x, p)[i] = x[p[i]]            permuteInverse(x, p)[p[i]] = x[i]
 *
 * Quirk: in XLA of 2017 and 2018 the name Permute meant what PermuteInverse means today. The functions here have today's
 * meaning; to port code of that time, write `permuteInverse` for its Permute.
 */
import { checkArray } from "@onebuffer/base/internal";
import { InvalidArgumentError } from "@onebuffer/base";
import { checkNumbers } from "./argument-check.ts";
import { shownList } from "./shown-list.ts";

/**
 * Returns true if a list holds each of 0..n-1 exactly once (`IsPermutation`). The empty list is a permutation.
 *
 * @example
 * isPermutation([1, 2, 0]); // => true
 * isPermutation([0, 0]); // => false
 * isPermutation([]); // => true
 */
export function isPermutation(permutation: readonly number[]): boolean {
  checkNumbers(permutation, "permutation");
  const seen = new Uint8Array(permutation.length);
  for (const i of permutation) {
    if (seen[i] !== 0) return false;
    seen[i] = 1;
  }
  return true;
}

/** Throws INVALID_ARGUMENT if a list is not a permutation of 0..rank-1. `what` names the list in the message. */
export function checkPermutation(permutation: readonly number[], rank: number, what: string): void {
  if (permutation.length !== rank) {
    throw new InvalidArgumentError(`${what} ${shownList(permutation)} has ${permutation.length} entries, but rank is ${rank}`);
  }
  if (!isPermutation(permutation))
    throw new InvalidArgumentError(`${what} ${shownList(permutation)} is not a permutation of 0..${rank - 1}`);
}

/**
 * Returns the list whose entry i is `input[permutation[i]]` (`Permute`). Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if `permutation` is not a permutation with as many entries as `input`.
 *
 * @example
 * permute(["a", "b", "c"], [1, 2, 0]); // => ["b", "c", "a"]
 * permute([1, 2], [0, 0]); // throws INVALID_ARGUMENT
 */
export function permute<T>(input: readonly T[], permutation: readonly number[]): T[] {
  checkArray(input, "an array");
  checkNumbers(permutation, "permutation");
  checkPermutation(permutation, input.length, "permutation");
  return permutation.map((from) => input[from] as T);
}

/**
 * Returns the list that has `input[i]` at position `permutation[i]` (`PermuteInverse`): the inverse of `permute`.
 * Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if `permutation` is not a permutation with as many entries as `input`.
 *
 * @example
 * permuteInverse(["a", "b", "c"], [1, 2, 0]); // => ["c", "a", "b"]
 * permuteInverse(permute([7, 8, 9], [1, 2, 0]), [1, 2, 0]); // => [7, 8, 9]
 */
export function permuteInverse<T>(input: readonly T[], permutation: readonly number[]): T[] {
  checkArray(input, "an array");
  checkNumbers(permutation, "permutation");
  checkPermutation(permutation, input.length, "permutation");
  const out = input.slice();
  permutation.forEach((to, i) => (out[to] = input[i] as T));
  return out;
}

/**
 * Returns the permutation q with q[p[i]] = i (`InversePermutation`). Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if `permutation` is not a permutation.
 *
 * @example
 * inversePermutation([1, 2, 0]); // => [2, 0, 1]
 * inversePermutation([1, 1]); // throws INVALID_ARGUMENT
 */
export function inversePermutation(permutation: readonly number[]): number[] {
  checkNumbers(permutation, "permutation");
  return permuteInverse(
    permutation.map((_, i) => i),
    permutation,
  );
}

/**
 * Returns the permutation r with r[i] = a[b[i]] (`ComposePermutations`): permuting by r equals permuting by a, then by b.
 * Copies: a new list.
 *
 * Throws INVALID_ARGUMENT if either list is not a permutation, or their lengths differ.
 *
 * @example
 * composePermutations([3, 1, 0, 2], [0, 2, 1, 3]); // => [3, 0, 1, 2]
 * composePermutations([0], [1, 0]); // throws INVALID_ARGUMENT
 */
export function composePermutations(a: readonly number[], b: readonly number[]): number[] {
  checkNumbers(a, "a");
  checkNumbers(b, "b");
  checkPermutation(a, a.length, "permutation");
  return permute(a, b);
}

/**
 * Returns true if a permutation leaves every entry at its position (`IsIdentityPermutation`).
 *
 * @example
 * isIdentityPermutation([0, 1, 2]); // => true
 * isIdentityPermutation([1, 0]); // => false
 */
export function isIdentityPermutation(permutation: readonly number[]): boolean {
  checkNumbers(permutation, "permutation");
  return permutation.every((from, to) => from === to);
}
