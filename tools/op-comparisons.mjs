// `node tools/op-comparisons.mjs [--list]`: how many times the sources compare something with the name of an operation. Code that asks for a
// name has to be found and changed for each new operation; what it wants to know belongs into the operation's record.
//
// It counts `op === "exp"` and `op !== "exp"`, also of a property or field called op, and the cases of a `switch` over one, outside of
// comments, for all names of the op table.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { opNames } from "../packages/eigen/dist/src/index.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** A comparison of something called op, or a switch over it. */
const kOfOp = /\bop [!=]== "|switch \(.*\bop\b/;

/** Returns the lines of a source that compare an operation with a name, once for each comparison. */
export function comparisonsOf(text, names) {
  // Most sources have none, and taking their comments out takes most of the time.
  if (!kOfOp.test(text)) return [];
  const known = new Set(names);
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, "")).replaceAll(/\/\/.*$/gm, "");
  const found = [];
  let isOverOp = false;
  for (const [i, line] of code.split("\n").entries()) {
    if (line.includes("switch (")) isOverOp = /switch \(.*\bop\b/.test(line);
    const compared = [...line.matchAll(/\bop [!=]== "(\w+)"/g), ...(isOverOp ? line.matchAll(/case "(\w+)":/g) : [])];
    for (const [, name] of compared) if (known.has(name)) found.push({ number: i + 1, line: line.trim() });
  }
  return found;
}

/** Returns the comparisons of all sources of the packages, by file. */
export function allComparisons() {
  const paths = execFileSync("git", ["ls-files", "--", "packages/*/src/**/*.ts", "packages/*/src/*.ts"], { cwd: root, encoding: "utf8" });
  const names = opNames();
  return paths
    .trim()
    .split("\n")
    .map((path) => [path, comparisonsOf(readFileSync(root + path, "utf8"), names)])
    .filter(([, found]) => found.length > 0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found = allComparisons();
  for (const [path, lines] of found) {
    process.stdout.write(`${String(lines.length).padStart(4)} ${path}\n`);
    if (process.argv.includes("--list")) for (const { number, line } of lines) process.stdout.write(`       ${number}: ${line}\n`);
  }
  process.stdout.write(
    `${found.reduce((sum, [, lines]) => sum + lines.length, 0)} comparisons with names of operations in ${found.length} files\n`,
  );
}
