// A copy of the library with one change in its compiled text, as a package manager would lay it out, and the scripts of this
// folder beside it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./mutants.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const packages = fileURLToPath(new URL("../../../../", import.meta.url));

/** What is never changed, and linked instead of copied. */
const kLinked = ["base", "shape", "slice"];

/** The changed text of the mutant's file. Throws unless what it changes stands there exactly once. */
export function mutatedText({ file, from, to }: Mutant): string {
  const source = readFileSync(join(packages, file), "utf8");
  if (source.split(from).length !== 2) throw new Error(`"${from}" does not stand in ${file} exactly once`);
  return source.replace(from, () => to);
}

/** Makes the copy; `script` is its run-property.js. */
export function mutatedLibrary(mutant: Mutant): { readonly script: string; readonly remove: () => void } {
  const text = mutatedText(mutant);
  const copy = mkdtempSync(join(tmpdir(), "onebuffer-net-"));
  const scope = join(copy, "node_modules", "@onebuffer");
  mkdirSync(scope, { recursive: true });
  for (const name of kLinked) symlinkSync(join(packages, name), join(scope, name), "junction");
  const isNeeded = (path: string): boolean => !/\.(map|ts)$/.test(path);
  for (const name of ["eigen", "core"]) {
    cpSync(join(packages, name, "dist", "src"), join(scope, name, "dist", "src"), { recursive: true, filter: isNeeded });
    cpSync(join(packages, name, "package.json"), join(scope, name, "package.json"));
  }
  cpSync(here, join(copy, "lifetime"), { recursive: true, filter: isNeeded });
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }');
  writeFileSync(join(scope, mutant.file), text);
  return { script: join(copy, "lifetime", "run-property.js"), remove: () => rmSync(copy, { recursive: true, force: true }) };
}
