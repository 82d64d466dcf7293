// The page of the last night (tools/nightly).
import { expect, test } from "@jest/globals";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lastLine, pageText, stepsOf } from "../tools/nightly/page-text.mjs";
import { root } from "./source-files.mjs";

test("the last line of a log that says something is shown without colors, paths of the machine and backticks", () => {
  expect(lastLine("one\n\u001b[31mtwo `x`\u001b[0m\n\n  \n")).toBe("two 'x'");
  const separators = ["/", "\\"];
  for (const separator of separators)
    expect(lastLine(`read ${["", "home", "me", "a.txt"].join(separator)} in 2 s\r\n`)).toBe("read … in 2 s");
  expect(lastLine("a".repeat(1000))).toHaveLength(241);
  expect(lastLine("\n")).toBe("");
});

test("the page has a row per step, also for those that did not run", () => {
  const steps = stepsOf("ways\tpassed\t61\t1\nmutation\tFAILED\t120\t2\nxla\tpassed\t3\t3\nbench\tnot run\t0\t4\n");
  const lines = ["9 of 9 ways | all", "shape 80", "skipped: no JAX", ""];
  const page = pageText({
    date: "2027-01-31",
    commit: "abc",
    machine: "2 × Chip with Node 20",
    steps: steps.map((step, k) => ({ ...step, line: lines[k] })),
  });
  expect(page).toContain("2027-01-31, commit abc, on 2 × Chip with Node 20.\n3 of 4 steps ran, 1 of them failed, in 3 minutes.\n");
  expect(page.match(/^\| (?!step).*$/gm)).toEqual([
    "| ways | passed | 61 | `9 of 9 ways \\| all` |",
    "| mutation | FAILED | 120 | `shape 80` |",
    "| xla | skipped | 3 | `skipped: no JAX` |",
    "| bench | not run |  |  |",
  ]);
  expect(() => stepsOf("ways\tperhaps\t1\t1\n")).toThrow("is no step");
});

test("the page in the repository has the steps of .ci/nightly", () => {
  const read = (path) => readFileSync(join(root, path), "utf8");
  const steps = [...read(".ci/nightly").matchAll(/^step "([^"]+)"/gm)].map(([, name]) => name);
  const rows = [...read("docs/contributing/nightly.md").matchAll(/^\| ([^|]+) \| (?:passed|FAILED|skipped|not run) \|/gm)].map(
    ([, name]) => name,
  );
  expect(steps.length).toBeGreaterThan(10);
  expect(rows).toEqual(steps);
});
