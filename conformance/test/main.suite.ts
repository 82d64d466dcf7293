// The command line of the runner: its output and its exit code.
import { afterAll, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runCommandLine } from "../src/command-line.ts";
import { readVectors } from "../src/vector.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

const main = fileURLToPath(new URL("../src/main.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "onebuffer-vectors-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string, content: unknown): string => {
  const path = join(folder, name);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

interface Outcome {
  readonly status: number | null;
  readonly lines: readonly string[];
  readonly errors: string;
}

function run(...args: string[]): Outcome {
  const [lines, errors]: string[][] = [[], []];
  const status = runCommandLine(args, { log: (line) => lines!.push(line), error: (line) => errors!.push(line) });
  return { status, lines: lines!, errors: errors!.join("\n") };
}

/** Runs the command in a process. */
function runProcess(...args: string[]): Outcome {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], { encoding: "utf8" });
  return { status, lines: stdout.trimEnd().split("\n"), errors: stderr };
}

const good = { id: "a/1", op: "slice.equal", args: { a: "-", b: 1 }, expect: true };
const bad = { id: "a/2", op: "slice.equal", args: { a: "-", b: 2 }, expect: true };
const unchecked = { id: "a/3", op: "slice.to_wire", args: { slice: "-" }, expect: "0a01", unchecked: true };

test("failures are printed and counted, and the exit code is 1", () => {
  const args = [file("one.json", [good, bad, unchecked])];
  const { status, lines } = run(...args);
  expect(lines).toEqual([
    'SKIP a/3: unchecked: the vector says that its answer was not computed a second time; got "0a00" want "0a01"',
    "FAIL a/2: got false want true",
    "1 passed, 1 failed, 1 skipped",
  ]);
  expect(status).toBe(1);
  // `.ci/run` runs the command, too.
  if (isLong) expect(runProcess(...args)).toEqual({ status, lines, errors: "" });
});

test("without a failure the exit code is 0; arguments are files or folders", () => {
  const two = file("two.json", { notes: [], cases: [good] });
  const { status, lines } = run(two, two);
  expect([status, lines]).toEqual([0, ["2 passed, 0 failed, 0 skipped"]]);
  expect(run(folder).lines.at(-1)).toBe("2 passed, 1 failed, 1 skipped");
});

test("a file that cannot be read is named, and the exit code is 1", () => {
  for (const path of [join(folder, "missing.json"), file("broken.txt", "[")]) {
    const { status, errors } = run(path);
    expect(status).toBe(1);
    expect(errors).toContain(path);
  }
});

// vectors.suite.ts runs them all, too, and `.ci/run` runs this command.
if (isLong)
  test("without arguments all committed vectors run", () => {
    const { status, lines } = runProcess();
    const [passed = 0, failed, skipped = 0] = (lines.at(-1) ?? "").split(", ").map((part) => Number.parseInt(part, 10));
    const vectors = ["tf-shape", "tf-slice", "tf-tensor", "tf-proto", "xla"].flatMap((name) =>
      readVectors(fileURLToPath(new URL(`../../vectors/${name}.json`, import.meta.url))),
    );
    expect(failed).toBe(0);
    expect(passed + skipped).toBe(vectors.length);
    expect(lines.filter((line) => line.startsWith("SKIP "))).toHaveLength(skipped);
    expect(status).toBe(0);
  });
