// Runs the suite in an engine without Jest: each test file of the tree in a process of its own.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { builtFile, testFiles } from "../test-files.mjs";

/** The longest time for one test file, in milliseconds. */
const kLimitMs = 300_000;

/** The test files of the packages and of the conformance vectors. */
export const suiteFiles = () =>
  testFiles()
    .map(({ path }) => path)
    .filter((path) => path.endsWith(".test.ts"));

/** Runs one file; never rejects. */
function runFile({ command, args, env }, program, tree, file, folder) {
  const target = join(folder, `${file.replaceAll("/", "-")}.json`);
  return new Promise((resolve) => {
    const child = spawn(command, [...args, program, join(tree, builtFile(file)), target], {
      cwd: tree,
      stdio: ["ignore", "ignore", "pipe"],
      env: { ...process.env, ONEBUFFER_HELPER_NODE: process.execPath, ...env },
    });
    let said = "";
    child.stderr.on("data", (piece) => {
      said = (said + piece).slice(-4000);
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), kLimitMs);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      if (existsSync(target)) return resolve(JSON.parse(readFileSync(target, "utf8")).map((each) => ({ file, ...each })));
      const detail = `it ended with ${signal === "SIGKILL" ? `nothing within ${kLimitMs} ms` : (code ?? signal)}: ${said}`;
      return resolve([{ file, name: "the file runs to its end", verdict: "failed", detail }]);
    });
  });
}

/** The verdicts of all files whose paths contain one of the patterns, as many at a time as there are processors. */
export async function runWithHarness(engine, { program, tree }, patterns) {
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-engine-"));
  const files = suiteFiles().filter((path) => patterns.length === 0 || patterns.some((pattern) => path.includes(pattern)));
  const verdicts = [];
  const takeNext = async () => {
    for (let file = files.shift(); file !== undefined; file = files.shift())
      verdicts.push(...(await runFile(engine, program, tree, file, folder)));
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, takeNext));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return verdicts;
}
