/**
 * The cases that are not run: differences on purpose (`exceptions.json`) and operations of later issues (`later.json`).
 *
 * All are counted as skipped and printed with their reason, never passed over in silence. An exception names a case by
 * its id, or an operation and the arguments that make the difference; a later entry names an operation, `bfc.*` for a family.
 */
import { readFileSync } from "node:fs";
import { mismatch } from "./compare.ts";
import { RunnerError } from "./vector.ts";
import type { Json, JsonObject, VectorCase } from "./vector.ts";

/** A difference on purpose. */
export interface Exception {
  /** The case, if it is one case. */
  readonly id?: string;
  /** The operation, if it is a kind of case; then `args` are those that make the difference. */
  readonly op?: string;
  readonly args?: JsonObject;
  readonly reason: string;
}

/** An operation, or with a `*` at the end a family of them, that a later issue brings. */
export interface Later {
  readonly op: string;
  readonly reason: string;
}

/** How many differences on purpose there may be over all vector files together. */
export const kMaxExceptions = 10;

function matchesOp(pattern: string, op: string): boolean {
  return pattern.endsWith("*") ? op.startsWith(pattern.slice(0, -1)) : op === pattern;
}

function matchesException(exception: Exception, vector: VectorCase): boolean {
  if (exception.id !== undefined) return exception.id === vector.id;
  return exception.op === vector.op && mismatch(vector.args, exception.args ?? {}) === null;
}

/** The lists of cases that are not run. */
export class SkipList {
  readonly #exceptions: readonly Exception[];
  readonly #later: readonly Later[];

  constructor(exceptions: readonly Exception[], later: readonly Later[]) {
    if (exceptions.length > kMaxExceptions) throw new RunnerError(`${exceptions.length} exceptions, at most ${kMaxExceptions} are allowed`);
    this.#exceptions = exceptions;
    this.#later = later;
  }

  /** The lists of the files `exceptions.json` and `later.json` of a folder. */
  static read(folder: URL): SkipList {
    const read = (name: string): Json => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Json;
    return new SkipList(read("exceptions.json") as unknown as Exception[], read("later.json") as unknown as Later[]);
  }

  /** Why the case is not run, or undefined when it is. */
  reasonFor(vector: VectorCase): string | undefined {
    const later = this.#later.find(({ op }) => matchesOp(op, vector.op));
    if (later !== undefined) return `later: ${later.reason}`;
    const exception = this.#exceptions.find((entry) => matchesException(entry, vector));
    return exception === undefined ? undefined : `on purpose: ${exception.reason}`;
  }
}
