// Runs the suite with Jest in one version of Node. Verdicts are `{ file, name, verdict, detail }`, the verdict "passed", "failed" or "skipped".
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const kLimitMs = 1_200_000;

const kVerdicts = { passed: "passed", failed: "failed" };

/** `patterns` choose test files as Jest does; without them, all of the packages and of the conformance vectors run. */
export function runWithJest({ command, args }, patterns) {
  const folder = mkdtempSync(join(tmpdir(), "onebuffer-engine-"));
  const target = join(folder, "results.json");
  const chosen = patterns.length > 0 ? patterns : ["packages/", "conformance/"];
  const jest = join(root, "node_modules/jest/bin/jest.js");
  const options = ["--json", `--outputFile=${target}`, "--silent"];
  try {
    const done = spawnSync(command, [...args, "--experimental-vm-modules", jest, ...options, ...chosen], {
      cwd: root,
      encoding: "utf8",
      timeout: kLimitMs,
      maxBuffer: 1 << 28,
    });
    const text = readFileSync(target, { encoding: "utf8", flag: "a+" });
    if (text === "") return [{ file: "", name: "Jest runs", verdict: "failed", detail: done.stderr.slice(-2000) }];
    return JSON.parse(text).testResults.flatMap(({ name: path, assertionResults, message, status }) => {
      const file = relative(root, path).replace("/dist/", "/");
      if (status === "failed" && assertionResults.length === 0)
        return [{ file, name: "the file loads", verdict: "failed", detail: message }];
      return assertionResults.map(({ fullName, status: each, failureMessages }) => ({
        file,
        name: fullName,
        verdict: kVerdicts[each] ?? "skipped",
        detail: failureMessages.join("\n"),
      }));
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
