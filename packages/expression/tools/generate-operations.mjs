// Writes src/generated, src/elementwise/generated, dist/operations.json and dist/gradient-lines.json from the records of operations in
// src/ops. Git ignores these files; every build runs this script.
//
//   node packages/expression/tools/generate-operations.mjs
//
// The records are TypeScript, which old versions of Node cannot import. So they are compiled first, without checks (records.tsconfig.json),
// if one is newer than its output; the build checks them afterwards, with everything else.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { writeChanged } from "../../../tools/write-changed.mjs";
import { gradientLines, kComposedLines } from "./gradient-lines.mjs";
import { costsFile, factsFile, methodsFile, namesFile, operationsFile, signaturesFile } from "./templates/operations.mjs";

const folder = fileURLToPath(new URL("..", import.meta.url));
const source = join(folder, "src/ops");
const compiled = join(folder, "dist/records/ops/families.js");

/** Compiles the records if one is newer than the compiled ones. */
function compileRecords() {
  const newest = Math.max(...readdirSync(source).map((name) => statSync(join(source, name)).mtimeMs));
  if (existsSync(compiled) && statSync(compiled).mtimeMs >= newest) return;
  const compiler = fileURLToPath(new URL("../../../node_modules/typescript/bin/tsc", import.meta.url));
  const { status } = spawnSync(process.execPath, [compiler, "-p", join(folder, "records.tsconfig.json")], { stdio: "inherit" });
  if (status !== 0) throw new Error("the records of operations do not compile");
}

/** Returns the records by name, in the order of the op table: those of the elementwise operations, and those of the others. */
export async function operationRecords() {
  compileRecords();
  const { families, wholeFamilies } = await import(pathToFileURL(compiled).href);
  const [records, whole] = [families, wholeFamilies].map((each) => each.flatMap((family) => Object.entries(family)));
  const all = [...records, ...whole];
  const twice = all.find(([name], i) => all.findIndex(([other]) => other === name) !== i);
  if (twice !== undefined) throw new Error(`two records have the name ${twice[0]}`);
  return { records: Object.fromEntries(records), whole: Object.fromEntries(whole) };
}

/** Returns the text of every derived file by its path below packages/expression. */
export async function renderOperations() {
  const { records, whole } = await operationRecords();
  return new Map([
    ["src/generated/op-names.ts", namesFile(records, whole)],
    ["src/generated/op-facts.ts", factsFile(records, whole)],
    ["src/generated/operation-signatures.ts", signaturesFile(records, whole)],
    ["src/generated/op-costs.ts", costsFile(records, whole)],
    ["src/elementwise/generated/elementwise-ops.ts", operationsFile(records)],
    ["src/elementwise/generated/operation-methods.ts", methodsFile(records, whole)],
    ["dist/operations.json", `${JSON.stringify({ elementwise: records, whole }, null, 1)}\n`],
    ["dist/gradient-lines.json", `${JSON.stringify({ ...(await gradientLines(records, whole)), ...kComposedLines }, null, 1)}\n`],
  ]);
}

/** Writes the derived files. */
export async function writeOperations() {
  writeChanged([...(await renderOperations())].map(([name, text]) => [join(folder, name), text]));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeOperations();
