/**
 * The type of an operation of the vectors: the arguments it knows, and a function that calls the public exports of a package.
 */
import type { Args } from "./args.ts";
import type { CaseScope } from "./case-scope.ts";

/** One operation of the vector files. */
export interface Operation {
  /** The names of its arguments. A case with another argument fails. */
  readonly args: readonly string[];
  /** The key of the yes-or-no result, if the operation returns an object. */
  readonly answer?: string;
  /** Calls the packages and returns the result. Everything that must be disposed goes into `scope`. */
  run(args: Args, scope: CaseScope): unknown;
}

/** Operations by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** Makes an operation from its parts. */
export function operation(args: readonly string[], run: (args: Args, scope: CaseScope) => unknown, answer?: string): Operation {
  return answer === undefined ? { args, run } : { args, run, answer };
}
