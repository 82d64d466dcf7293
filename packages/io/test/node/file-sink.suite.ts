// Tests fileSink, directorySinks and MemoryFiles: replacement as a whole, aborting, names, states.
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { MemoryFiles, toByteSink } from "@onebuffer/io";
import type { FileSinks } from "@onebuffer/io";
import { directorySinks, fileSink } from "@onebuffer/io/node";
import { expectRefusal } from "@onebuffer/test-support";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeToSink } from "../../src/source/sink-writer.ts";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A new empty folder. */
let made = 0;
const newFolder = (): string => {
  const path = join(folder, `${made++}`);
  mkdirSync(path);
  return path;
};

describe("fileSink", () => {
  test("writes small and large pieces, shared memory too, in order", async () => {
    const path = join(newFolder(), "m.bin");
    const pieces = [3, 0, 100_000, 200_000, 1_000_000, 1, 262_144, 262_145].map((size, i) =>
      new Uint8Array(new SharedArrayBuffer(size)).map((_, k) => i + k),
    );
    const sink = fileSink(path);
    expect(toByteSink(sink)).toBe(sink);
    for (const piece of pieces) {
      await sink.write(piece);
      // What was written is not used again.
      piece.reverse();
    }
    await sink.close();
    expect(Buffer.compare(readFileSync(path), Buffer.concat(pieces.map((piece) => piece.reverse())))).toBe(0);
  });

  test("replaces a file as a whole, with its access rights, and through a symbolic link", async () => {
    const inner = newFolder();
    const path = join(inner, "m.bin");
    const link = join(inner, "link");
    writeFileSync(path, "old");
    chmodSync(path, 0o640);
    symlinkSync(path, link);
    const sink = fileSink(link);
    await sink.write(Buffer.from("new"));
    expect(readFileSync(path, "utf8")).toBe("old");
    await sink.close();
    expect([readFileSync(path, "utf8"), readFileSync(link, "utf8"), statSync(path).mode & 0o777]).toEqual(["new", "new", 0o640]);
    expect(readdirSync(inner).sort()).toEqual(["link", "m.bin"]);
  });

  test("makes the file that a symbolic link leads to, also by another link", async () => {
    const inner = newFolder();
    mkdirSync(join(inner, "folder"));
    symlinkSync(join("folder", "m.bin"), join(inner, "link"));
    symlinkSync("link", join(inner, "first"));
    const sink = fileSink(join(inner, "first"));
    await sink.write(Buffer.from("new"));
    await sink.close();
    expect([lstatSync(join(inner, "first")).isSymbolicLink(), lstatSync(join(inner, "link")).isSymbolicLink()]).toEqual([true, true]);
    expect([readdirSync(inner).sort(), readFileSync(join(inner, "folder", "m.bin"), "utf8")]).toEqual([["first", "folder", "link"], "new"]);
    symlinkSync(join("none", "m.bin"), join(inner, "lost"));
    expect(() => fileSink(join(inner, "lost"))).toThrow(expect.objectContaining({ code: "NOT_FOUND" }));
  });

  test("leaves the old file and nothing else when it is aborted, disposed or the writer fails", async () => {
    const inner = newFolder();
    const path = join(inner, "m.bin");
    writeFileSync(path, "old");
    const aborted = fileSink(path);
    await aborted.write(new Uint8Array(300_000));
    aborted.abort();
    aborted.abort();
    {
      using disposed = fileSink(path);
      await disposed.write(new Uint8Array(5));
    }
    const during = fileSink(path);
    const writing = during.write(new Uint8Array(1_000_000));
    during.abort();
    await expectRefusal(() => writing, "FAILED_PRECONDITION", "aborted");
    await expectRefusal(() => writeToSink(fileSink(path), 0, { signal: { aborted: true } }, async () => undefined), "CANCELLED");
    expect([readFileSync(path, "utf8"), readdirSync(inner)]).toEqual(["old", ["m.bin"]]);
    await expectRefusal(() => aborted.write(new Uint8Array(1)), "FAILED_PRECONDITION", "aborted", path);
    await expectRefusal(() => aborted.close(), "FAILED_PRECONDITION", "aborted");
  });

  test("takes one write at a time, and none after close", async () => {
    const path = join(newFolder(), "m.bin");
    const sink = fileSink(path);
    const first = sink.write(new Uint8Array(1_000_000));
    await expectRefusal(() => sink.write(new Uint8Array(1)), "FAILED_PRECONDITION", "being written to");
    await expectRefusal(() => sink.close(), "FAILED_PRECONDITION", "being written to");
    await first;
    await sink.close();
    await expectRefusal(() => sink.write(new Uint8Array(1)), "FAILED_PRECONDITION", "closed");
    sink.abort();
    sink[Symbol.dispose]();
    expect(statSync(path).size).toBe(1_000_000);
  });

  test("refuses paths that cannot be written", async () => {
    const inner = newFolder();
    writeFileSync(join(inner, "file"), "");
    await expectRefusal(() => fileSink(join(inner, "absent", "m.bin")), "NOT_FOUND", "no such folder");
    await expectRefusal(() => fileSink(join(inner, "file", "m.bin")), "INVALID_ARGUMENT", "ENOTDIR");
    await expectRefusal(() => fileSink(inner), "INVALID_ARGUMENT", "not a regular file");
    await expectRefusal(() => fileSink("a\0b"), "INVALID_ARGUMENT");
    for (const wrong of [null, 5, undefined]) await expectRefusal(() => fileSink(wrong as never), "INVALID_ARGUMENT", "a path");
    await expectRefusal(() => fileSink(join(inner, "m.bin")).write("abc" as never), "INVALID_ARGUMENT");
  });

  test("after a write that failed, the file is aborted", async () => {
    const inner = newFolder();
    const sink = fileSink(join(inner, "m.bin"));
    rmSync(inner, { recursive: true });
    await expectRefusal(() => sink.write(new Uint8Array(1_000_000)), "NOT_FOUND", "m.bin");
    mkdirSync(inner);
    await expectRefusal(() => sink.write(new Uint8Array(1_000_000)), "FAILED_PRECONDITION", "aborted");
    await expectRefusal(() => sink.close(), "FAILED_PRECONDITION", "aborted");
    expect(readdirSync(inner)).toEqual([]);
  });

  test("an error stays the one that is seen if the temporary file cannot be removed either", async () => {
    const inner = newFolder();
    const path = join(inner, "m.bin");
    writeFileSync(path, "old");
    const replaceByFolder = async (): Promise<ReturnType<typeof fileSink>> => {
      const sink = fileSink(path);
      await sink.write(new Uint8Array(300_000));
      const temporary = join(inner, readdirSync(inner).find((name) => name !== "m.bin")!);
      rmSync(temporary);
      mkdirSync(temporary);
      return sink;
    };
    const failing = await replaceByFolder();
    await expectRefusal(() => failing.close(), "INVALID_ARGUMENT", "cannot be written");
    for (const name of readdirSync(inner)) if (name !== "m.bin") rmSync(join(inner, name), { recursive: true });
    const aborted = await replaceByFolder();
    aborted.abort();
    aborted[Symbol.dispose]();
    expect(readFileSync(path, "utf8")).toBe("old");
  });

  test("a file that cannot take its name is removed", async () => {
    const path = join(newFolder(), "m.bin");
    const sink = fileSink(path);
    // Renaming a file to a folder fails.
    mkdirSync(path);
    await expectRefusal(() => sink.close(), "INVALID_ARGUMENT", "cannot be written");
    expect(readdirSync(join(path, ".."))).toEqual(["m.bin"]);
  });
});

describe.each<readonly [string, () => { readonly files: FileSinks; readonly bytesOf: (name: string) => string }]>([
  [
    "directorySinks",
    () => {
      const inner = newFolder();
      return { files: directorySinks(inner), bytesOf: (name) => readFileSync(join(inner, name), "utf8") };
    },
  ],
  [
    "MemoryFiles",
    () => {
      const files = new MemoryFiles();
      return { files, bytesOf: (name) => Buffer.from(files.files.get(name)!).toString() };
    },
  ],
])("%s", (_, make) => {
  test("makes the files", async () => {
    const { files, bytesOf } = make();
    for (const name of ["a.data", "part/b.data", "m.index"]) {
      const sink = await files.create(name);
      await sink.write(Buffer.from(name));
      await sink.close();
    }
    expect(() => bytesOf("m.index")).toThrow();
    await files.commit();
    expect(["a.data", "part/b.data", "m.index"].map(bytesOf)).toEqual(["a.data", "part/b.data", "m.index"]);
  });

  test("refuses names outside the folder, names used twice, files that were not closed", async () => {
    const { files, bytesOf } = make();
    for (const name of ["../m", "/m", "", "a/../b", null])
      await expectRefusal(() => files.create(name as string), "INVALID_ARGUMENT", "name of a file");
    await (await files.create("a")).close();
    await expectRefusal(() => files.create("a"), "INVALID_ARGUMENT", '"a" already');
    await files.create("b");
    await expectRefusal(() => files.commit(), "FAILED_PRECONDITION");
    expect(() => bytesOf("a")).toThrow();
    await files.abort?.("why");
    expect(() => bytesOf("a")).toThrow();
  });
});

describe("directorySinks", () => {
  test("leaves nothing when aborted or disposed, and nothing more than was renamed when committing fails", async () => {
    const inner = newFolder();
    const create = async (files: FileSinks, name: string): Promise<void> => (await files.create(name)).close();
    const aborted = directorySinks(inner);
    await create(aborted, "a");
    await aborted.create("b");
    await aborted.abort();
    await expectRefusal(() => aborted.create("c"), "FAILED_PRECONDITION", "aborted");
    {
      using disposed = directorySinks(inner);
      await create(disposed, "a");
    }
    expect(readdirSync(inner)).toEqual([]);
    const failing = directorySinks(inner);
    for (const name of ["a", "b", "c"]) await create(failing, name);
    mkdirSync(join(inner, "b"));
    await expectRefusal(() => failing.commit(), "INVALID_ARGUMENT", "cannot be written");
    expect(readdirSync(inner).sort()).toEqual(["a", "b"]);
    await expectRefusal(() => failing.commit(), "FAILED_PRECONDITION");
    const done = directorySinks(inner);
    await create(done, "d");
    await done.commit();
    done[Symbol.dispose]();
    expect(existsSync(join(inner, "d"))).toBe(true);
  });

  test("refuses what is not a folder", async () => {
    const inner = newFolder();
    writeFileSync(join(inner, "file"), "");
    await expectRefusal(() => directorySinks(join(inner, "absent")), "NOT_FOUND");
    await expectRefusal(() => directorySinks(join(inner, "file")), "INVALID_ARGUMENT", "not a folder");
    await expectRefusal(() => directorySinks(null as never), "INVALID_ARGUMENT", "a path");
  });
});
