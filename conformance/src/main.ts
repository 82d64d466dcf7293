/**
 * The command line of the conformance runner: `npm run -s conformance -- [DIR or FILES]` runs vector files, by default the committed ones.
 *
 * A vector file holds cases: what TensorFlow's or XLA's own tests and sources assert about one operation each (vector.ts). The runner
 * prints `SKIP <id>: reason` for each skipped case, `FAIL <id>: got … want …` for each failure, and at the end
 * `N passed, N failed, N skipped`. The exit code is 1 if a case failed or a file could not be read.
 */
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

function main(paths: readonly string[]): number {
  const roots = paths.length === 0 ? [fileURLToPath(new URL("vectors", kWorkspace))] : paths.map(locate);
  let vectors: VectorCase[];
  try {
    vectors = roots.flatMap(filesOf).flatMap(readVectors);
  } catch (error) {
    if (!(error instanceof RunnerError)) throw error;
    console.error(error.message);
    return 1;
  }
  const { passed, failed, skipped } = runVectors(vectors, operations, SkipList.read(kWorkspace));
  for (const { id, text } of skipped) console.log(`SKIP ${id}: ${text}`);
  for (const { id, text } of failed) console.log(`FAIL ${id}: ${text}`);
  console.log(`${passed} passed, ${failed.length} failed, ${skipped.length} skipped`);
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
