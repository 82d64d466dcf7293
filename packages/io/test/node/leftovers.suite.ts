// Tests the names of temporary files, and which of them removeLeftovers removes.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { fileSink, removeLeftovers, temporaryName } from "@onebuffer/io/node";
import { expectRefusal } from "@onebuffer/test-support";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownerOf, thisProcess } from "../../src/node/temporary-name.ts";

let folder = "";
let made = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
const newFolder = (): string => {
  const path = join(folder, `${made++}`);
  mkdirSync(path);
  return path;
};

/** Names of at most 255 bytes, in which a cut by characters, UTF-16 units or bytes would go wrong. */
const kNames: readonly string[] = [
  `${"漢".repeat(80)}.npz`,
  `${"\u{1f600}".repeat(62)}.npz`,
  `a${"\u{1f600}".repeat(62)}.npz`,
  `${"e\u0301\u0323".repeat(50)}.npz`,
  "x".repeat(255),
  "half a pair \ud800.npz",
  "line\nbreak and 'quotes'.npz",
  "-dash",
  " ",
  "...",
];

test.each(kNames)("a file called %j is written", async (name) => {
  const inner = newFolder();
  const sink = fileSink(join(inner, name));
  await sink.write(new Uint8Array(300_000));
  expect(readdirSync(inner).every((each) => /^\.onebuffer-[\w.-]+\.tmp$/.test(each) && each.length <= 140)).toBe(true);
  await sink.close();
  // A half of a surrogate pair is U+FFFD on disk.
  expect(readdirSync(inner)).toEqual([Buffer.from(name).toString()]);
});

test.each(["x".repeat(256), "漢".repeat(86), "", "folder/", "."])(
  "a name of no file is refused before anything is written: %j",
  async (name) => {
    const inner = newFolder();
    await expectRefusal(() => fileSink(name === "" ? "" : `${inner}/${name}`), "INVALID_ARGUMENT");
    expect(readdirSync(inner)).toEqual([]);
  },
);

if (process.platform === "linux") {
  test("a file whose name is not UTF-8 is replaced through a symbolic link", async () => {
    const inner = newFolder();
    const path = Buffer.concat([Buffer.from(`${inner}/`), Buffer.of(0x66, 0xff, 0xe6, 0x6f)]);
    writeFileSync(path, "old");
    symlinkSync(path, join(inner, "link"));
    const sink = fileSink(join(inner, "link"));
    await sink.write(Buffer.from("new"));
    await sink.close();
    expect([readFileSync(path, "utf8"), readdirSync(inner).length]).toEqual(["new", 2]);
    expect(readlinkSync(join(inner, "link"), "buffer")).toEqual(path);
  });

  test("only files of processes that have certainly ended are removed", () => {
    const { machine, pid, start } = thisProcess()!;
    const ended = spawnSync(process.execPath, ["--version"]).pid;
    const name = (of: { machine?: string; pid?: number; start?: string }, random = "0a1b2c3d"): string =>
      `.onebuffer-${of.machine ?? machine}-${of.pid ?? pid}-${of.start ?? start}-${random}.tmp`;
    const inner = newFolder();
    const gone = [
      name({ pid: ended }),
      name({ pid: ended }, "zzzzzzzz"),
      // The number was given to another process: this one.
      name({ start: `${start}1` }),
    ];
    const stay = [
      temporaryName(),
      name({}),
      name({ pid: process.ppid, start: "1" }).replace("-1-0a1b2c3d", "-1-short"),
      name({ machine: machine.replace(/^./, (digit) => (digit === "0" ? "1" : "0")), pid: ended }),
      name({ machine: `${machine}1`, pid: ended }),
      name({ machine: machine.replace(/\.\d+\.(\d+)$/, ".1.$1"), pid: ended }),
      name({ pid: ended }).slice(1),
      `${name({ pid: ended })}.npz`,
      ".onebuffer-0a1b2c3d.tmp",
      ".onebuffer-.tmp",
      "m.npz",
    ];
    for (const each of [...gone, ...stay]) writeFileSync(join(inner, each), "x");
    const foldersGone = name({ pid: ended }, "f0000000");
    mkdirSync(join(inner, foldersGone));
    writeFileSync(join(inner, foldersGone, "part"), "x");
    const link = name({ pid: ended }, "11111111");
    symlinkSync(join(inner, "m.npz"), join(inner, link));
    expect(removeLeftovers(inner)).toBe(4);
    expect(readdirSync(inner).sort()).toEqual([...stay, link].sort());
    expect(removeLeftovers(inner)).toBe(0);
  });

  test("a name tells the process that made it", () => {
    expect(ownerOf(temporaryName())).toEqual(thisProcess());
    expect(thisProcess()).toMatchObject({ pid: process.pid });
  });
}

test("refuses what is not a folder", async () => {
  await expectRefusal(() => removeLeftovers(join(folder, "absent")), "NOT_FOUND");
  await expectRefusal(() => removeLeftovers(5 as never), "INVALID_ARGUMENT", "a path");
  writeFileSync(join(folder, "file"), "");
  await expectRefusal(() => removeLeftovers(join(folder, "file")), "INVALID_ARGUMENT", "ENOTDIR");
});
