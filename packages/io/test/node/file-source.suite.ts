// Tests fileSource and directoryFiles: reads into memory of every kind, files that change, names, closing.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { toByteSource, toFileSet } from "@onebuffer/io";
import { directoryFiles, fileSource } from "@onebuffer/io/node";
import { collectUntil } from "@onebuffer/test-support/run-gc";
import { expectRefusal } from "@onebuffer/test-support";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readlinkSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { readPlanned } from "../../src/source/read-plan.ts";

const kBytes = Uint8Array.from({ length: 5000 }, (_, i) => (i * 31) >> 2);
let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  path = join(folder, "m.bin");
  writeFileSync(path, kBytes);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The number of descriptors of this process that lead to a file; null where the system does not tell. */
function openCount(file: string): number | null {
  try {
    return readdirSync("/proc/self/fd").filter((fd) => linkOf(fd) === file).length;
  } catch {
    return null;
  }
}
function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}

describe("fileSource", () => {
  test("reads into new and shared memory", async () => {
    using source = fileSource(path);
    expect([source.size, source.name, toByteSource(source)]).toEqual([5000, JSON.stringify(path), source]);
    expect(Buffer.compare(await source.read(100, 200), kBytes.subarray(100, 300))).toBe(0);
    expect((await source.read(5000, 0)).length).toBe(0);
    const shared = new Uint8Array(new SharedArrayBuffer(300), 100, 100);
    await source.readInto(4900, shared);
    expect([...shared]).toEqual([...kBytes.subarray(4900)]);
    expect(new Uint8Array(shared.buffer, 0, 100).every((byte) => byte === 0)).toBe(true);
  });

  test("is read as planned", async () => {
    using source = fileSource(path);
    const target = new Uint8Array(3000);
    await readPlanned([{ source, offset: 1500, target, what: "w" }], { callBytes: 700, parallel: 3 });
    expect(Buffer.compare(target, kBytes.subarray(1500, 4500))).toBe(0);
  });

  test("a file that becomes shorter is lost data", async () => {
    const shrinking = join(folder, "shrinking.bin");
    writeFileSync(shrinking, kBytes);
    using source = fileSource(shrinking);
    truncateSync(shrinking, 150);
    await expectRefusal(() => source.read(100, 200), "DATA_LOSS", "ended at 150", 5000, shrinking);
    await expectRefusal(() => source.readInto(200, new Uint8Array(1)), "DATA_LOSS", "ended at 200");
  });

  test("closes once, after the reads that are under way; later reads are refused", async () => {
    const source = fileSource(path);
    const target = new Uint8Array(5000);
    const reading = source.readInto(0, target);
    source.close();
    source.close();
    expect(openCount(path) ?? 1).toBe(1);
    await reading;
    expect(Buffer.compare(target, kBytes)).toBe(0);
    expect(openCount(path) ?? 0).toBe(0);
    await expectRefusal(() => source.read(0, 1), "FAILED_PRECONDITION", "closed");
  });

  test("a source that is forgotten is closed by the collector", async () => {
    const forgotten = join(folder, "forgotten.bin");
    writeFileSync(forgotten, kBytes);
    if (openCount(forgotten) === null) return;
    await (async () => void (await fileSource(forgotten).read(0, 10)))();
    expect(openCount(forgotten)).toBe(1);
    await collectUntil(() => openCount(forgotten) === 0);
    expect(openCount(forgotten)).toBe(0);
  });

  test("refuses what is not a file, and ranges that are not in it", async () => {
    await expectRefusal(() => fileSource(join(folder, "absent")), "NOT_FOUND", "absent");
    await expectRefusal(() => fileSource(folder), "INVALID_ARGUMENT", "not a regular file");
    const pipe = join(folder, "pipe");
    const special = spawnSync("mkfifo", [pipe]).status === 0 ? pipe : devNull;
    await expectRefusal(() => fileSource(special), "INVALID_ARGUMENT", "not a regular file");
    for (const wrong of [null, 5, undefined, new URL("file:///x")])
      await expectRefusal(() => fileSource(wrong as never), "INVALID_ARGUMENT");
    using source = fileSource(path);
    for (const [offset, length] of [
      [-1, 1],
      [0, 5001],
      [5000, 1],
      [0.5, 1],
      [0, -1],
    ] as const)
      await expectRefusal(() => source.read(offset, length), "INVALID_ARGUMENT");
    await expectRefusal(() => source.readInto(4999, new Uint8Array(2)), "INVALID_ARGUMENT");
    await expectRefusal(() => source.readInto(0, "abc" as never), "INVALID_ARGUMENT");
    await expectRefusal(() => source.read(0, 5, { aborted: true }), "CANCELLED", path);
  });
});

describe("directoryFiles", () => {
  test("opens names within the folder, once, and lists the files", async () => {
    const inner = join(folder, "set");
    mkdirSync(join(inner, "part"), { recursive: true });
    for (const name of ["b.index", "a.data", "part/c.data", "12:30"]) writeFileSync(join(inner, name), name);
    symlinkSync(path, join(inner, "linked"));
    symlinkSync(join(folder, "nowhere"), join(inner, "broken"));
    const files = directoryFiles(inner);
    expect(await files.list()).toEqual(["12:30", "a.data", "b.index", "linked"]);
    expect((await files.open("part/c.data")).size).toBe(11);
    expect((await files.open("12:30")).size).toBe(5);
    expect((await files.open("linked")).size).toBe(5000);
    expect(await files.open("b.index")).toBe(await files.open("b.index"));
    expect(toFileSet(files)).toBe(files);
    files.close();
    expect(openCount(path) ?? 0).toBe(0);
    await expectRefusal(() => files.open("a.data"), "FAILED_PRECONDITION", "closed");
  });

  test.each([
    "",
    ".",
    "..",
    "../m.bin",
    "/m.bin",
    "a/../../m.bin",
    "a//b",
    "a/",
    "a\\b",
    "c:m.bin",
    "C:/m.bin",
    "a\0b",
    "x".repeat(5000),
    null,
    5,
  ])("refuses the name %p", async (name) => {
    using files = directoryFiles(folder);
    await expectRefusal(() => files.open(name as string), "INVALID_ARGUMENT", "name of a file");
  });

  test("refuses what is not a folder", async () => {
    await expectRefusal(() => directoryFiles(join(folder, "absent")), "NOT_FOUND");
    await expectRefusal(() => directoryFiles(path), "INVALID_ARGUMENT", "not a folder");
    using files = directoryFiles(folder);
    await expectRefusal(() => files.open("absent"), "NOT_FOUND", "absent");
  });
});
