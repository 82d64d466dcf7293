/**
 * A mutant: a named one-line change to a source file that some vector must notice.
 */
import { readFileSync } from "node:fs";
import { RunnerError } from "./vector.ts";

/** One change. */
export interface Mutant {
  readonly name: string;
  /** The source file, from the project's root. */
  readonly file: string;
  /** Text that stands exactly once in the file, on one line. */
  readonly find: string;
  /** What takes its place, on one line too. */
  readonly replace: string;
  /** What goes wrong with it, in words. */
  readonly breaks: string;
}

/** The mutants of `mutants.json` in a folder. */
export function readMutants(folder: URL): Mutant[] {
  return JSON.parse(readFileSync(new URL("mutants.json", folder), "utf8")) as Mutant[];
}

/** The source with the change made. Throws when the text to change is not there exactly once, on one line. */
export function applyMutant(mutant: Mutant, source: string): string {
  const parts = source.split(mutant.find);
  if (mutant.find === "" || /\n/.test(mutant.find + mutant.replace)) throw new RunnerError(`${mutant.name}: not a one-line change`);
  if (parts.length !== 2) throw new RunnerError(`${mutant.name}: its text stands ${parts.length - 1} times in ${mutant.file}`);
  return parts.join(mutant.replace);
}
