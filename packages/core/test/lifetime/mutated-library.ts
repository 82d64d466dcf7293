// Makes a copy of the compiled library with one change, in the folders of a package manager, and a copy of this folder next to it.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./mutants.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const packages = fileURLToPath(new URL("../../../../", import.meta.url));

/** The packages that no mutant changes, and that import none that a mutant changes. They are linked instead of copied. */
const kLinked = ["base", "shape", "wasm"];

/** The packages that are copied, and what the properties need of the tests' own. */
const kCopied = ["allocator", "storage", "expression", "evaluator", "kernels", "compiler", "eigen", "slice", "core", "../test-support"];

/** Returns a pattern for a text of JavaScript, whatever a printer puts between the words: `npm test` and the compiler indent differently. */
const patternOf = (text: string): RegExp => new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&").replace(/\s+/g, "\\s+"), "g");

/** Returns the changed text of the mutant's file. Throws if the text to replace does not occur exactly once. */
export function mutatedText({ file, from, to }: Mutant): string {
  const source = readFileSync(join(packages, file), "utf8");
  const pattern = patternOf(from);
  if (source.match(pattern)?.length !== 1) throw new Error(`"${from}" does not occur exactly once in ${file}`);
  return source.replace(pattern, () => to);
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
    const target = join(scope, basename(name));
    cpSync(join(packages, name, "dist", "src"), join(target, "dist", "src"), { recursive: true, filter: isNeeded });
    cpSync(join(packages, name, "package.json"), join(target, "package.json"));
  }
  cpSync(here, join(copy, "lifetime"), { recursive: true, filter: isNeeded });
  writeFileSync(join(copy, "package.json"), '{ "type": "module" }');
  writeFileSync(join(scope, mutant.file), text);
  return { script: join(copy, "lifetime", "run-property.js"), remove: () => rmSync(copy, { recursive: true, force: true }) };
}
