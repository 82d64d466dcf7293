// Tests commands that are ended by signals, as processes: the exit code, and that no half-written file stays.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tensor } from "onebuffer";
import { saveNpz, writeNpy } from "onebuffer/io";
import { fileSink, removeLeftovers } from "onebuffer/node";
import { temporaryName } from "@onebuffer/io/node";
import { runCommandLine } from "../src/cli/command-line.ts";
import { noInput } from "./run-command.ts";
import { main } from "./terminal.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;
let folder = "";
let large = "";

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  large = join(folder, "large.npz");
  // To compress random elements takes long.
  const make = (seed: number): Tensor => (isLong ? Tensor.random([1024, 1024], { seed }) : Tensor.zeros([1024, 1024]));
  using a = make(1);
  using b = make(2);
  await saveNpz({ a, b }, fileSink(large));
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Ended {
  readonly exit: number | NodeJS.Signals | null;
  readonly err: string;
}

/** Starts a conversion that writes to a new folder for a second or two, and ends it once it has written something. */
async function endWith(
  signal: NodeJS.Signals,
  out: string,
  ...more: readonly string[]
): Promise<Ended & { readonly left: readonly string[] }> {
  const inner = mkdtempSync(join(folder, "out-"));
  const child = spawn(process.execPath, [main, "convert", large, join(inner, out), ...more], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = endOf(child);
  while (readdirSync(inner).length === 0 && child.exitCode === null) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill(signal);
  return { ...(await ended), left: readdirSync(inner).map((name) => join(inner, name)) };
}

/** Writes a temporary file with the name that a process which was killed would have given it: that process is a shell. */
function leftByKilled(): Pick<Ended, "exit"> & { readonly left: readonly string[] } {
  const inner = mkdtempSync(join(folder, "out-"));
  const { signal, pid } = spawnSync("sh", ["-c", "kill -9 $$"]);
  const path = join(inner, temporaryName().replace(`-${process.pid}-`, `-${pid}-`));
  writeFileSync(path, "half");
  return { exit: signal, left: [path] };
}

function endOf(child: ChildProcess): Promise<Ended> {
  let err = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (err += text));
  return new Promise((resolve) => child.on("close", (code, signal) => resolve({ exit: code ?? signal, err })));
}

if (isLong && process.platform !== "win32") {
  /** Each is a process, which loads the library and a large file. The parts of a checkpoint of several files are in a folder until they are complete. */
  const cases: readonly (readonly [NodeJS.Signals, number, string, ...string[]])[] = [
    ["SIGTERM", 143, "a.ckpt", "--shard-size", "5MB", "--cast", "float64"],
    ["SIGHUP", 129, "b.npz", "--compressed"],
    ["SIGINT", 130, "c.npz", "--compressed"],
    ["SIGTERM", 143, "d.npz", "--compressed"],
    ["SIGHUP", 129, "e.ckpt", "--cast", "float64"],
  ];

  test.each(cases)("%s removes what was half written, and is the exit code %d as in shells", async (signal, code, out, ...more) => {
    const { exit, left, err } = await endWith(signal, out, ...more);
    expect([exit, left]).toEqual([code, []]);
    expect(err).toMatch(/^onebuffer: .*large\.npz: cancelled\n$/);
  });
}

test.each([
  ["SIGTERM", 143],
  ["SIGHUP", 129],
  ["SIGINT", 130],
])("a command that %s has cancelled ends with %d", async (reason, code) => {
  const err: string[] = [];
  const around = {
    print: () => undefined,
    printError: (line: string) => err.push(line),
    folder,
    color: false,
    input: noInput,
    terminal: null,
  };
  for (const args of [
    ["convert", "large.npz", "out.npz"],
    ["inspect", "large.npz", "large.npz"],
    ["diff", "large.npz", "large.npz"],
  ])
    expect([args, await runCommandLine(args, { ...around, signal: AbortSignal.abort(reason) })]).toEqual([args, code]);
  expect(err).toEqual(["onebuffer: large.npz: cancelled", "onebuffer: large.npz: cancelled", "onebuffer: large.npz, large.npz: cancelled"]);
});

if (process.platform === "linux") {
  test("what kill -9 leaves is removed by the next conversion to that folder; other files stay", async () => {
    const { exit, left } = isLong ? await endWith("SIGKILL", "a.npz", "--compressed") : leftByKilled();
    expect([exit, left.length]).toEqual(["SIGKILL", 1]);
    const inner = join(left[0]!, "..");
    const mine = [temporaryName(), ".onebuffer-notes.tmp", ".a.npz.3k2jd92ks1.tmp"];
    for (const name of mine) writeFileSync(join(inner, name), "x");
    using small = Tensor.zeros([2]);
    writeFileSync(join(inner, "in.npy"), writeNpy(small));
    const ignore = (): void => undefined;
    const around = { print: ignore, printError: ignore, folder: inner, color: false, input: noInput, terminal: null };
    expect(await runCommandLine(["convert", "in.npy", "out.npz"], { ...around, signal: new AbortController().signal })).toBe(0);
    expect(readdirSync(inner).sort()).toEqual([...mine, "in.npy", "out.npz"].sort());
  });

  test("a folder of a killed conversion is removed, too", async () => {
    if (!isLong) return;
    const { left } = await endWith("SIGKILL", "d.ckpt", "--shard-size", "5MB", "--cast", "float64");
    const inner = join(left[0]!, "..");
    mkdirSync(join(inner, "mine"));
    expect([left.length, removeLeftovers(inner), readdirSync(inner)]).toEqual([1, 1, ["mine"]]);
  });
}
