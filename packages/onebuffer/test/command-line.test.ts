// Tests the `onebuffer` command: inspect, help, version, exit codes, and the command as a process.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { liveBuffers, Tensor } from "onebuffer";
import { saveNpz } from "onebuffer/io";
import { fileSink } from "onebuffer/node";
import "./command-help.suite.ts";
import "./commands.suite.ts";
import "./explore.suite.ts";
import "./inspect-real-files.suite.ts";
import "./odd-names.suite.ts";
import "./packed-main.suite.ts";
import "./signals.suite.ts";
import { runCommandLine } from "../src/cli/command-line.ts";
import { expectMistakes } from "./expect-mistakes.ts";
import { noInput } from "./run-command.ts";
import { hasTerminal, inTerminal, main } from "./terminal.ts";

/** What the command writes of a file that is not there. */
const kWrong = "onebuffer: absent.npy: NOT_FOUND: no such file, and no checkpoint of this name\n";
const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
const packageFolder = fileURLToPath(new URL("../..", import.meta.url));
let folder = "";

/** A small .npy file. */
function npy(descr: string, order: string, shape: string, data: readonly number[]): Uint8Array {
  const text = `{'descr': '${descr}', 'fortran_order': ${order}, 'shape': ${shape}, }`.padEnd(117) + "\n";
  return Uint8Array.from([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, text.length, 0, ...[...text].map((c) => c.charCodeAt(0)), ...data]);
}

const sha256 = (bytes: readonly number[]): string => createHash("sha256").update(Uint8Array.from(bytes)).digest("hex");

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  mkdirSync(join(folder, "folder.npy"));
  writeFileSync(join(folder, "small.npy"), npy("<i2", "False", "(2, 3)", [1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]));
  writeFileSync(join(folder, "fortran.npy"), npy(">i2", "True", "(2, 3)", [0, 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 6]));
  writeFileSync(join(folder, "bools.npy"), npy("|b1", "False", "(4,)", [0, 1, 2, 255]));
  writeFileSync(join(folder, "scalar.npy"), npy("<c8", "False", "()", [0, 0, 128, 63, 0, 0, 0, 192]));
  writeFileSync(join(folder, "empty.npy"), npy("<f8", "False", "(3, 0)", []));
  writeFileSync(join(folder, "text.npy"), npy("<U5", "False", "(3,)", new Array<number>(60).fill(0)));
  writeFileSync(join(folder, "objects.npy"), npy("|O", "False", "(1,)", [0x80, 4, 0x4e, 0x2e]));
  writeFileSync(join(folder, "short.npy"), npy("<f8", "False", "(3,)", [1, 2, 3]));
  writeFileSync(join(folder, "noextension"), npy("|u1", "False", "(1,)", [9]));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Result {
  readonly exit: number;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

const { signal } = new AbortController();

async function run(...args: readonly string[]): Promise<Result> {
  const out: string[] = [];
  const err: string[] = [];
  const live = liveBuffers();
  const around = {
    print: (line: string) => out.push(line),
    printError: (line: string) => err.push(line),
    input: noInput,
    folder,
    color: false,
  };
  const exit = await runCommandLine(args, { ...around, terminal: null, signal });
  expect(liveBuffers()).toBe(live);
  return { exit, out, err };
}

/** The value of a `name   value` line. */
const valueOf = ({ out }: Result, name: string): string | undefined => out.find((line) => line.startsWith(`${name} `))?.slice(8);

describe("inspect", () => {
  test("prints dtype, shape, first values and the sha256 of the row-major little-endian bytes; copies nothing", async () => {
    const result = await run("inspect", "small.npy");
    expect([result.exit, result.err]).toEqual([0, []]);
    expect(["file", "dtype", "shape", "size", "first"].map((name) => valueOf(result, name))).toEqual([
      "small.npy",
      "int16",
      "[2,3]",
      "6 elements, 12 bytes",
      "1 2 3 4 5 6",
    ]);
    expect(result.out).toContain(`sha256  ${sha256([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0])}`);
    expect(valueOf(result, "copied")).toMatch(/^0 bytes/);
    expect(result.out.filter((line) => line.startsWith("view ")).every((line) => line.includes("shares: true"))).toBe(true);
  });

  test("a big-endian column-major file has the same elements and hash, and the copy is printed", async () => {
    const result = await run("fortran.npy");
    expect(valueOf(result, "first")).toBe("1 2 3 4 5 6");
    expect(valueOf(result, "sha256")).toBe(sha256([1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]));
    expect(valueOf(result, "copied")).toBe("12 bytes: the data is column-major and big-endian");
  });

  test("bool bytes other than 0 and 1 are hashed unchanged, and noted", async () => {
    const result = await run("bools.npy");
    expect(valueOf(result, "first")).toBe("false true true true");
    expect(valueOf(result, "sha256")).toBe(sha256([0, 1, 2, 255]));
    expect(valueOf(result, "note")).toMatch(/^2 bool bytes/);
  });

  test("reads a complex scalar, an empty array, a file without an extension", async () => {
    expect(valueOf(await run("scalar.npy"), "first")).toBe("1-2j");
    expect(valueOf(await run("scalar.npy"), "shape")).toBe("[]");
    expect(valueOf(await run("empty.npy"), "shape")).toBe("[3,0]");
    expect(valueOf(await run("empty.npy"), "sha256")).toBe(sha256([]));
    expect(valueOf(await run("noextension"), "first")).toBe("9");
  });

  test("an unreadable file prints one line and exits with 1; the other files are still printed", async () => {
    const result = await run("inspect", "objects.npy", "small.npy", "absent.npy", "short.npy", "folder.npy");
    expect(result.exit).toBe(1);
    expect(result.err.map((line) => line.split(": ").slice(0, 3).join(": "))).toEqual([
      "onebuffer: objects.npy: UNIMPLEMENTED",
      "onebuffer: absent.npy: NOT_FOUND",
      "onebuffer: short.npy: DATA_LOSS",
      "onebuffer: folder.npy: NOT_FOUND",
    ]);
    expect(result.err[0]).toContain("'|O'");
    expect(result.out.filter((line) => line.startsWith("file "))).toEqual(["file    small.npy"]);
  });
});

describe("commands", () => {
  test("--help prints the usage, --version the version of package.json", async () => {
    expect(await run("--help")).toMatchObject({ exit: 0, err: [] });
    expect((await run("--help")).out[0]).toMatch(/^usage: onebuffer/);
    const { version } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")) as { version: string };
    expect(await run("--version")).toEqual({ exit: 0, out: [version], err: [] });
  });

  test.each([["bogus"], ["--bogus"], ["-x", "small.npy"], ["inspect"], ["tour", "extra"]])(
    "%s prints one line on standard error and exits with 2",
    async (...args) => {
      const result = await run(...args);
      expect([result.exit, result.out]).toEqual([2, []]);
      expect(result.err[0]).toMatch(/^onebuffer: /);
      expect(result.err.length).toBe(1);
    },
  );

  test("without arguments, runs the tour", async () => {
    expectMistakes();
    const result = await run();
    expect([result.exit, result.err]).toEqual([0, []]);
    if (isLong) expect(result.out).toEqual((await run("tour")).out);
    expect(result.out.length).toBeGreaterThan(80);
  });
});

test("as a process: relative paths start in the folder where npm was run, and the exit code is set", async () => {
  if (!isLong) return;
  const start = (cwd: string, env: Readonly<Record<string, string>>, ...args: readonly string[]) =>
    spawnSync(process.execPath, [main, ...args], { cwd, env: { PATH: process.env["PATH"] ?? "", ...env }, encoding: "utf8" });
  const fromNpm = start(packageFolder, { INIT_CWD: folder }, "small.npy", "absent.npy");
  expect(fromNpm.stdout).toContain("shape   [2,3]\n");
  expect([fromNpm.status, fromNpm.stdout.endsWith("\n\n"), fromNpm.stderr]).toEqual([1, true, kWrong]);
  expect(start(folder, {}, "small.npy", "absent.npy")).toMatchObject({ status: 1, stdout: fromNpm.stdout, stderr: fromNpm.stderr });
  const tour = start(folder, {});
  expect(tour.status).toBe(0);
  expect(tour.stdout.includes("\u001b")).toBe(false);
});

// The samples are one process for this test, the one before and the one on colors. If paths did not start there, small.npy were not found.
if (isLong || !hasTerminal) {
  test("as a process: a closed output pipe (npm start | head) is not an error", async () => {
    const args = isLong ? [] : ["small.npy", "absent.npy"];
    const env = { PATH: process.env["PATH"] ?? "", ...(isLong ? {} : { INIT_CWD: folder }) };
    const child = spawn(process.execPath, [main, ...args], { cwd: packageFolder, env, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let err = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
    const status = await new Promise((resolve) => child.on("close", resolve));
    expect([status, err]).toEqual(isLong ? [0, ""] : [1, kWrong]);
  });
}

// A device that is always full.
if (existsSync("/dev/full")) {
  test("as a process: a full disk behind standard output is one line and the exit code 1", async () => {
    const full = openSync("/dev/full", "w");
    const env = { PATH: process.env["PATH"] ?? "", INIT_CWD: folder };
    const { status, stderr } = spawnSync(process.execPath, [main, "small.npy"], {
      cwd: packageFolder,
      env,
      stdio: ["ignore", full, "pipe"],
    });
    closeSync(full);
    expect([status, String(stderr)]).toEqual([1, "onebuffer: standard output: cannot be written (ENOSPC)\n"]);
  });
}

if (hasTerminal) {
  test("as a process in a pseudo-terminal: colors, and a closed pipe for errors is not an error", async () => {
    using ones = Tensor.ones([2, 3]);
    await saveNpz({ ones }, fileSink(join(folder, "ones.npz")));
    // Errors go into a pipe that nobody reads.
    const command = `(${process.execPath} ${main} ones.npz absent.npy; echo exit code $?) 2>&1 >/dev/tty | true`;
    const { stdout } = inTerminal(command, packageFolder, { INIT_CWD: folder });
    expect(stdout).toContain("\u001b[1m");
    expect(stdout).toContain("[2,3]");
    expect(stdout.trimEnd()).toMatch(/exit code 1$/);
  });
}
