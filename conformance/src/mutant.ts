/**
 * Mutants: one-line changes to source files, each of which must make a vector fail (mutants.ts runs them).
 */
import { readFileSync } from "node:fs";
import { RunnerError } from "./vector.ts";

/** A change of one line. */
export interface Mutant {
  readonly name: string;
  /** The path of the source file from the root of the repository. */
  readonly file: string;
  /** A text that occurs exactly once in the file, on one line. */
  readonly find: string;
  /** The text that replaces it, on one line too. */
  readonly replace: string;
  /** A description of the defect that the change causes. */
  readonly breaks: string;
}

/** Reads the file `mutants.json` of a folder. */
export function readMutants(folder: URL): Mutant[] {
  return JSON.parse(readFileSync(new URL("mutants.json", folder), "utf8")) as Mutant[];
}

/** Returns the source with the change. Throws RunnerError if the text does not occur exactly once or is longer than a line. */
export function applyMutant(mutant: Mutant, source: string): string {
  const parts = source.split(mutant.find);
  if (mutant.find === "" || /\n/.test(mutant.find + mutant.replace)) throw new RunnerError(`${mutant.name}: not a one-line change`);
  if (parts.length !== 2) throw new RunnerError(`${mutant.name}: its text occurs ${parts.length - 1} times in ${mutant.file}`);
  return parts.join(mutant.replace);
}
