// Writes src/map/generated/*.ts: the map classes of the ranks 0 to 4, one set per storage kind. Git ignores them; every build runs this.
//
//   node packages/eigen/tools/generate-tensor-maps.mjs
//
// Why generated: what an engine learns about types belongs to a piece of source. One class for all dtypes, or one class
// expression evaluated many times, is 8 to 40 times slower after five dtypes; so `at`, `set` and `chip` of each kind have source of
// their own. Everything else is written once, by hand.
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { kindFile } from "./templates/kind-file.mjs";
import { kinds } from "./templates/kinds.mjs";

const folder = fileURLToPath(new URL("../src/map/generated/", import.meta.url));

/** File name -> text, of everything that is generated. */
export function renderTensorMaps() {
  return new Map(kinds.map((kind) => [`${kind.file}.ts`, kindFile(kind)]));
}

/** Writes the files that differ, so that the compiler need not look at the others again, and removes those of kinds that are gone. */
export function writeTensorMaps() {
  const rendered = renderTensorMaps();
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!rendered.has(name)) rmSync(folder + name);
  for (const [name, text] of rendered) {
    if (!existsSync(folder + name) || readFileSync(folder + name, "utf8") !== text) writeFileSync(folder + name, text);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeTensorMaps();
