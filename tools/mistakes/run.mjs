// `node tools/mistakes/run.mjs [WORDS]`: puts each mistake of list.mjs into a clone of the repository, builds it, runs the test file that must
// find it, and prints the first test that failed. It fails if a mistake is not found, does not compile, or has no place in the source.
import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { kMistakes } from "./list.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const print = (line) => process.stdout.write(`${line}\n`);

/** Runs a program in a folder. Throws with its output if it fails, unless `mayFail`. Returns its output and whether it succeeded. */
function run(cwd, program, args, mayFail = false) {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0 && !mayFail) throw new Error(`${program} ${args.join(" ")}: ${stdout}${stderr}`);
  return { output: `${stdout}${stderr}`, succeeded: status === 0 };
}

/** Clones the repository as it is committed into a folder. The packages installed here are used there, but for those of the workspace. */
function clone(folder) {
  run(root, "git", ["clone", "--quiet", "--shared", root, folder]);
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "@onebuffer"), { recursive: true });
  // The packages of the workspace are links themselves.
  for (const name of readdirSync(join(root, "node_modules")))
    if (name !== "@onebuffer" && !lstatSync(join(root, "node_modules", name)).isSymbolicLink())
      symlinkSync(join(root, "node_modules", name), join(modules, name));
  const folders = [...readdirSync(join(folder, "packages")).map((name) => join(folder, "packages", name)), join(folder, "test-support")];
  for (const workspace of [...folders, join(folder, "conformance")]) {
    const { name } = JSON.parse(readFileSync(join(workspace, "package.json"), "utf8"));
    symlinkSync(workspace, join(modules, name));
  }
}

/** Builds a clone. `tsc -b` compiles only what changed. */
const build = (folder) => run(folder, process.execPath, ["tools/build.mjs"], true);

/** Puts a mistake into a clone and returns what is printed about it; the clone is as before afterwards. */
function outcomeOf(folder, { file, from, to, tests, check }) {
  const path = join(folder, file);
  const text = readFileSync(path, "utf8");
  if (text.split(from).length !== 2) return { isFound: false, what: `the text occurs ${text.split(from).length - 1} times in ${file}` };
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  try {
    const { output, succeeded } = build(folder);
    if (!succeeded) return { isFound: false, what: `it does not compile: ${output.slice(0, 500)}` };
    const jest = ["--experimental-vm-modules", "node_modules/jest/bin/jest.js", "--runTestsByPath", tests];
    const result = run(folder, process.execPath, jest, true);
    const failed = [...result.output.matchAll(/^ +● (.+)$/gm)].map(([, name]) => name);
    const named = failed.find((name) => check.test(name));
    return {
      isFound: !result.succeeded && named !== undefined,
      what: named ?? `${failed.length} tests failed in ${tests}, none by that name`,
    };
  } finally {
    writeFileSync(path, text);
  }
}

const words = process.argv.slice(2);
const chosen = kMistakes.filter(({ name, file }) => words.every((word) => `${name} ${file}`.includes(word)));
const folder = mkdtempSync(join(tmpdir(), "onebuffer-mistakes-"));
let found = 0;
try {
  clone(join(folder, "clone"));
  for (const mistake of chosen) {
    const { isFound, what } = outcomeOf(join(folder, "clone"), mistake);
    if (isFound) found++;
    print(`${isFound ? "found" : "NOT FOUND"}: ${mistake.name} (${mistake.file})\n    by: ${what}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
print(`${found} of ${chosen.length} mistakes found`);
if (found < chosen.length) process.exitCode = 1;
