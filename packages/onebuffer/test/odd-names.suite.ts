// Tests names of files that a command line, a terminal or a file system could misunderstand.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Tensor } from "onebuffer";
import { writeNpy } from "onebuffer/io";
import { runCommand } from "./run-command.ts";
import type { CommandResult } from "./run-command.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: readonly string[]): Promise<CommandResult> => runCommand(folder, ...args);

describe("names of files", () => {
  const names = [
    "-dash.npy",
    "--json",
    "two words.npy",
    "line\nbreak.npy",
    "\u001b[31mred.npy",
    "'quotes' \"twice\".npy",
    `${"漢".repeat(80)}.npy`,
    "\u{1f600}.npy",
    " ",
    "100%.npy",
    "$HOME.npy",
    "*.npy",
  ];

  test.each(names)("%j is inspected, converted and compared", async (name) => {
    using tensor = Tensor.from([1, 2]);
    writeFileSync(join(folder, name), writeNpy(tensor));
    const shown = name.replace("\n", "\\u000a").replace("\u001b", "\\u001b");
    expect((await run("inspect", "--", name)).out.split("\n")[0]).toBe(`file    ${shown}`);
    expect((await run("--", name)).exit).toBe(0);
    expect((await run("inspect", `./${name}`)).exit).toBe(0);
    expect(JSON.parse((await run("inspect", "--json", "--", name)).out)).toMatchObject({ file: name });
    const { exit, out, err } = await run("convert", "--to", "npy", "--", name, `-${name}`);
    expect([exit, err, out.startsWith(`-${shown}  npy`)]).toEqual([0, "", true]);
    expect((await run("diff", "--", name, `-${name}`)).out).toBe("1 equal, 0 different");
    for (const each of [name, `-${name}`]) rmSync(join(folder, each));
    // One line also says that it is gone.
    expect((await run("inspect", "--", name)).err).toBe(`onebuffer: ${shown}: NOT_FOUND: no such file, and no checkpoint of this name`);
  });
});
