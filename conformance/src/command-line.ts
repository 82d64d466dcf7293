// The arguments and the output of the conformance runner: see main.ts.
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { operations } from "./operations.ts";
import { runVectors } from "./run-vectors.ts";
import { SkipList } from "./skip-list.ts";
import { readVectors, RunnerError } from "./vector.ts";
import type { VectorCase } from "./vector.ts";

/** The folder `conformance`, seen from dist/src. */
const kWorkspace = new URL("../../", import.meta.url);

/** Resolves a path of the command line. npm may have changed the working directory, so the caller's directory is tried too. */
function locate(path: string): string {
  const here = resolve(path);
  const caller = process.env["INIT_CWD"];
  return existsSync(here) || caller === undefined ? here : resolve(caller, path);
}

/** Returns the vector files of a path: the path itself, or the .json files of a folder. Throws RunnerError if there are none. */
function filesOf(path: string): string[] {
  if (!existsSync(path)) throw new RunnerError(`${path}: no such file or folder`);
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path)
    .filter((name) => name.endsWith(".json"))
    .sort();
  if (names.length === 0) throw new RunnerError(`${path}: no vector files`);
  return names.map((name) => join(path, name));
}

/** Prints lines: `log` results, `error` what is wrong with the arguments. */
export interface Printer {
  log(line: string): void;
  error(line: string): void;
}

/** Runs the vector files of the arguments, prints the results and returns the exit code. */
export function runCommandLine(paths: readonly string[], printer: Printer): number {
  const roots = paths.length === 0 ? [fileURLToPath(new URL("vectors", kWorkspace))] : paths.map(locate);
  let vectors: VectorCase[];
  try {
    vectors = roots.flatMap(filesOf).flatMap(readVectors);
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    printer.error(error.message);
    return 1;
  }
  const { passed, failed, skipped } = runVectors(vectors, operations, SkipList.read(kWorkspace));
  for (const { id, text } of skipped) printer.log(`SKIP ${id}: ${text}`);
  for (const { id, text } of failed) printer.log(`FAIL ${id}: ${text}`);
  printer.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  return failed.length === 0 ? 0 : 1;
}
