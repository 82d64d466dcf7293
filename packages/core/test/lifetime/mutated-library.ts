// Makes a copy of the compiled library with one change, in the folders of a package manager, and a copy of this folder next to it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./mutants.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const packages = fileURLToPath(new URL("../../../../", import.meta.url));

/** The packages that no mutant changes, and that import none that a mutant changes. They are linked instead of copied. */
const kLinked = ["base", "shape", "wasm"];

/** The packages that are copied. */
const kCopied = ["allocator", "eigen", "slice", "core"];

/** Returns the changed text of the mutant's file. Throws if the text to replace does not occur exactly once. */
export function mutatedText({ file, from, to }: Mutant): string {
  const source = readFileSync(join(packages, file), "utf8");
  if (source.split(from).length !== 2) throw new Error(`"${from}" does not occur exactly once in ${file}`);
  return source.replace(from, () => to);
}

/** Makes the copy. `script` is the path of its run-property.js, `remove` deletes it. */
export function mutatedLibrary(mutant: Mutant): { readonly script: string; readonly remove: () => void } {
  const text = mutatedText(mutant);
  const copy = mkdtempSync(join(tmpdir(), "onebuffer-net-"));
  const scope = join(copy, "node_modules", "@onebuffer");
  mkdirSync(scope, { recursive: true });
  for (const name of kLinked) symlinkSync(join(packages, name), join(scope, name), "junction");
  const isNeeded = (path: string): boolean => !/\.(map|ts)$/.test(path);
  for (const name of kCopied) {
    cpSync(join(packages, name, "dist", "src"), join(scope, name, "dist", "src"), { recursive: true, filter: isNeeded });
    cpSync(join(packages, name, "package.json"), join(scope, name, "package.json"));
  }
  cpSync(here, join(copy, "lifetime"), { recursive: true, filter: isNeeded });
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }');
  writeFileSync(join(scope, mutant.file), text);
  return { script: join(copy, "lifetime", "run-property.js"), remove: () => rmSync(copy, { recursive: true, force: true }) };
}
