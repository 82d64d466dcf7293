// Writes src/map/generated/*.ts: the map classes of the ranks 0 to 4, one file per storage kind. Git ignores these files; every build runs
// this script. The counterpart in Eigen is the instantiation of the TensorMap template for each scalar type and rank.
//
//   node packages/eigen/tools/generate-tensor-maps.mjs
//
// The classes are generated because an engine keeps type feedback per function in the source. One class for all dtypes, or one class
// expression that is evaluated many times, is 8 to 40 times slower once five dtypes have used it. So `at`, `set` and `chip` are
// separate source for each kind. Everything else is written once, by hand, in src/map/base.
import { existsSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { writeChanged } from "../../../tools/write-changed.mjs";
import { kindFile } from "./templates/kind-file.mjs";
import { kinds } from "./templates/kinds.mjs";

const folder = fileURLToPath(new URL("../src/map/generated/", import.meta.url));

/** Returns the text of every generated file by its name. */
export function renderTensorMaps() {
  return new Map(kinds.map((kind) => [`${kind.file}.ts`, kindFile(kind)]));
}

/** Writes the files, and removes those of kinds that no longer exist. */
export function writeTensorMaps() {
  const rendered = renderTensorMaps();
  for (const name of existsSync(folder) ? readdirSync(folder) : []) if (!rendered.has(name)) rmSync(folder + name);
  writeChanged([...rendered].map(([name, text]) => [folder + name, text]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeTensorMaps();
