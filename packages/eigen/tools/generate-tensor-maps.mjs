// Writes src/generated/*.ts: the map classes, one per rank and storage kind.
//
//   node packages/eigen/tools/generate-tensor-maps.mjs            writes the files
//   node packages/eigen/tools/generate-tensor-maps.mjs --check    compares instead, exit 1 if they differ
//
// Why generated: what an engine learns about types belongs to a piece of source. One class for all dtypes, or one class
// expression evaluated many times, is 8 to 40 times slower after five dtypes; so each class has source of its own.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { kindFile } from "./templates/kind-file.mjs";
import { kinds } from "./templates/kinds.mjs";

const folder = fileURLToPath(new URL("../src/generated/", import.meta.url));

/** File name -> text, of everything that is generated. */
export function renderTensorMaps() {
  return new Map(kinds.map((kind) => [`${kind.file}.ts`, kindFile(kind)]));
}

/** The names of generated files that are missing, differ or should not be there. */
export function outdated(rendered = renderTensorMaps()) {
  const found = readdirSync(folder);
  const wrong = [...rendered].filter(([name, text]) => !found.includes(name) || readFileSync(folder + name, "utf8") !== text);
  return [...wrong.map(([name]) => name), ...found.filter((name) => !rendered.has(name))];
}

function write(rendered) {
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!rendered.has(name)) rmSync(folder + name);
  for (const [name, text] of rendered) writeFileSync(folder + name, text);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--check")) {
    const wrong = outdated();
    if (wrong.length > 0) process.stderr.write(`out of date: ${wrong.join(", ")}\n`);
    process.exitCode = wrong.length > 0 ? 1 : 0;
  } else {
    write(renderTensorMaps());
  }
}
