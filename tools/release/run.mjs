// `node tools/release/run.mjs v0.1.0`: fails unless this tree, its changelog and its tarball are the release of that tag, and writes what
// the release says of itself to out/release-notes.md. Publishes nothing: .github/workflows/release.yml does, afterwards.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { notesOf, releaseFaults } from "./release-faults.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const tag = process.argv[2];
const faults = tag === undefined ? ["usage: node tools/release/run.mjs TAG"] : releaseFaults(root, tag);
for (const fault of faults) console.error(fault);
if (faults.length === 0) {
  const { version } = JSON.parse(readFileSync(join(root, "packages/onebuffer/package.json"), "utf8"));
  mkdirSync(join(root, "out"), { recursive: true });
  writeFileSync(join(root, "out/release-notes.md"), `${notesOf(root, version).text}\n`);
  console.log(`${tag} can be released; its notes are in out/release-notes.md`);
}
process.exitCode = faults.length === 0 ? 0 : 1;
