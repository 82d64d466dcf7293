// `npm run reference`: the API reference, a static site in `out/reference`, made from the doc comments by TypeDoc.
//
// It is made of the declarations in the tarball (`npm run pack`), so it documents what people import, under the paths they import it
// from. A name that is on the face and in a sub-path has its page under the face; the sub-path's list leads there.
import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ENTRIES } from "../pack/entries.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));
const out = join(root, "out/reference");

/** Runs a command; ends this process with what it printed if it fails. */
function run(command, args, cwd) {
  const done = spawnSync(command, args, { cwd, encoding: "utf8", shell: process.platform === "win32" });
  if (done.status === 0) return;
  process.stderr.write(`${done.stdout}${done.stderr}`);
  process.exit(done.status ?? 1);
}

// TypeDoc needs a compiler that has an API, which TypeScript 7 lacks, so both are installed in this folder.
if (!existsSync(`${here}node_modules/.package-lock.json`))
  run("npm", ["install", "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], here);
if (!process.argv.includes("--packed")) run(process.execPath, [join(root, "tools/pack/run.mjs")], root);

const { buildReference } = await import("./build-reference.mjs");
rmSync(out, { recursive: true, force: true });
const { pages, names, faults } = await buildReference(join(root, "build/package"), ENTRIES, out);
for (const fault of faults) process.stdout.write(`${fault}\n`);
process.stdout.write(`${names} names, ${pages} pages, ${faults.length} faults: ${join("out", "reference", "index.html")}\n`);
process.exit(faults.length === 0 ? 0 : 1);
