// `node tools/nightly/page.mjs FOLDER`: writes docs/contributing/nightly.md from the folder in which .ci/nightly keeps the list of its steps
// (steps.tsv) and a log per step. `node tools/nightly/page.mjs FOLDER --begin` notes there which commit the night tests: the tree may have
// changed when the steps are over.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lastLine, pageText, stepsOf } from "./page-text.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = process.argv[2];
if (folder === undefined) throw new Error("page.mjs needs the folder of the logs");

const noted = join(folder, "commit.txt");
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** Returns the commit of the tree, and that the tree differs from it if it does. */
function commitOfTree() {
  // What the steps themselves write is no change of what is tested.
  const changes = git("status", "--porcelain", "--", ".", ":!docs/contributing/nightly.md", ":!tools/mutation/survivors.json");
  return `${git("rev-parse", "--short=10", "HEAD")}${changes === "" ? "" : " with changes"}`;
}

function writePage() {
  const steps = stepsOf(readFileSync(join(folder, "steps.tsv"), "utf8")).map((step) => {
    const path = join(folder, `${step.log}.log`);
    return { ...step, line: existsSync(path) ? lastLine(readFileSync(path, "utf8")) : "" };
  });
  const text = pageText({
    date: new Date().toISOString().slice(0, 10),
    commit: readFileSync(noted, "utf8"),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()} with Node ${process.versions.node}`,
    steps,
  });
  writeFileSync(join(root, "docs/contributing/nightly.md"), text);
}

if (process.argv[3] === "--begin") writeFileSync(noted, commitOfTree());
else writePage();
