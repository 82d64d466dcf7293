/**
 * The cases that are skipped: intended differences from TensorFlow (`exceptions.json`) and operations that are not implemented yet
 * (`later.json`).
 *
 * Each is counted as skipped and printed with its reason. An exception names a case by its id, or an operation and the arguments that make
 * the difference. An entry of later.json names an operation, or a family of them (`bfc.*`).
 */
import { readFileSync } from "node:fs";
import { mismatch } from "./compare.ts";
import { RunnerError } from "./vector.ts";
import type { Json, JsonObject, VectorCase } from "./vector.ts";

/** An intended difference from TensorFlow: one case (`id`), or all cases of an operation with some arguments (`op`, `args`). */
export interface Exception {
  /** The id of the case. */
  readonly id?: string;
  /** The operation. A case matches if it has at least the arguments `args`. */
  readonly op?: string;
  readonly args?: JsonObject;
  readonly reason: string;
}

/** An operation that is not implemented yet, or with a `*` at the end a family of operations. */
export interface Later {
  readonly op: string;
  readonly reason: string;
}

/** The largest number of exceptions, over all vector files together. */
export const kMaxExceptions = 10;

function matchesOp(pattern: string, op: string): boolean {
  return pattern.endsWith("*") ? op.startsWith(pattern.slice(0, -1)) : op === pattern;
}

function matchesException(exception: Exception, vector: VectorCase): boolean {
  if (exception.id !== undefined) return exception.id === vector.id;
  return exception.op === vector.op && mismatch(vector.args, exception.args ?? {}) === null;
}

/** The lists of skipped cases. The constructor throws RunnerError for more than kMaxExceptions exceptions. */
export class SkipList {
  readonly #exceptions: readonly Exception[];
  readonly #later: readonly Later[];

  constructor(exceptions: readonly Exception[], later: readonly Later[]) {
    if (exceptions.length > kMaxExceptions) throw new RunnerError(`${exceptions.length} exceptions, at most ${kMaxExceptions} are allowed`);
    this.#exceptions = exceptions;
    this.#later = later;
  }

  /** Reads the files `exceptions.json` and `later.json` of a folder. */
  static read(folder: URL): SkipList {
    const read = (name: string): Json => JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Json;
    return new SkipList(read("exceptions.json") as unknown as Exception[], read("later.json") as unknown as Later[]);
  }

  /** Returns the reason why a case is skipped, or undefined if it runs. */
  reasonFor(vector: VectorCase): string | undefined {
    const later = this.#later.find(({ op }) => matchesOp(op, vector.op));
    if (later !== undefined) return `later: ${later.reason}`;
    const exception = this.#exceptions.find((entry) => matchesException(entry, vector));
    return exception === undefined ? undefined : `on purpose: ${exception.reason}`;
  }
}
