/**
 * An operation of the vectors: its name, the arguments it knows, and the call of public exports it stands for.
 */
import type { Args } from "./args.ts";
import type { CaseScope } from "./case-scope.ts";

/** One operation of the vector files. */
export interface Operation {
  /** Every argument name it knows; a case with any other fails. */
  readonly args: readonly string[];
  /** The key of the answer that says yes or no, if the answer is an object. */
  readonly answer?: string;
  /** Calls the packages. What it makes and must give back goes into `scope`. */
  run(args: Args, scope: CaseScope): unknown;
}

/** Operations by name. */
export type Operations = Readonly<Record<string, Operation>>;

/** An operation that answers with one value. */
export function operation(args: readonly string[], run: (args: Args, scope: CaseScope) => unknown, answer?: string): Operation {
  return answer === undefined ? { args, run } : { args, run, answer };
}
