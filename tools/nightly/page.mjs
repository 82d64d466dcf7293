// `node tools/nightly/page.mjs FOLDER`: writes docs/contributing/nightly.md from the folder in which .ci/nightly keeps the list of the steps that
// are over (steps.tsv) and a log per step. `node tools/nightly/page.mjs FOLDER --begin` notes there the date and which commit the night
// tests: the tree may have changed when the steps are over.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { lastLine, pageText, stepNames, stepsOf } from "./page-text.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = process.argv[2];
if (folder === undefined) throw new Error("page.mjs needs the folder of the logs");

const page = join(root, "docs/contributing/nightly.md");
const noted = join(folder, "run.json");
const read = (path) => readFileSync(path, "utf8");
const git = (...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

/** Returns the commit of the tree, and that the tree differs from it if it does. */
function commitOfTree() {
  // What the steps themselves write is no change of what is tested.
  const written = [
    "docs/contributing/nightly.md",
    "docs/contributing/engines.md",
    "tools/engines/results.json",
    "tools/mutation/survivors.json",
  ];
  const changes = git("status", "--porcelain", "--", ".", ...written.map((path) => `:!${path}`));
  return `${git("rev-parse", "--short=10", "HEAD")}${changes === "" ? "" : " with changes"}`;
}

function writePage() {
  const steps = stepsOf(read(join(folder, "steps.tsv"))).map((step) => {
    const path = join(folder, `${step.log}.log`);
    return { ...step, line: existsSync(path) ? lastLine(read(path)) : "" };
  });
  const text = pageText({
    ...JSON.parse(read(noted)),
    machine: `${cpus().length} × ${cpus()[0]?.model.trim()} with Node ${process.versions.node}`,
    names: stepNames(read(join(root, ".ci/nightly"))),
    steps,
    earlier: read(page),
  });
  writeFileSync(page, text);
}

const today = () => new Date().toISOString().slice(0, 10);
if (process.argv[3] === "--begin") writeFileSync(noted, JSON.stringify({ date: today(), commit: commitOfTree() }));
else writePage();
