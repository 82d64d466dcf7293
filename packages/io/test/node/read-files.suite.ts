// Tests of files read by path: where their bytes are in memory, and the errors.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { devNull, tmpdir } from "node:os";
import { join } from "node:path";
import { bytesCopied } from "@onebuffer/allocator";
import { readFileBytes, readNpyFile } from "@onebuffer/io/node";
import { refusalText } from "@onebuffer/test-support";

let folder = "";
let npy = "";

/** A header for 2 x 2 bytes, 70 bytes long, and the data after it. */
const kHeader = "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 2), }".padEnd(59) + "\n";

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  npy = join(folder, "bytes.npy");
  const head = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, kHeader.length, 0];
  writeFileSync(npy, Uint8Array.from([...head, ...[...kHeader].map((c) => c.charCodeAt(0)), 1, 2, 3, 4]));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("the bytes of a file are a whole ArrayBuffer, or the end of an aligned one", () => {
  const bytes = readFileBytes(npy);
  expect([bytes.byteOffset, bytes.length, bytes.buffer.byteLength]).toEqual([0, 74, 74]);
  const atEnd = readFileBytes(npy, { endAlignment: 16 });
  expect([atEnd.byteOffset, atEnd.length, atEnd.buffer.byteLength]).toEqual([6, 74, 80]);
  expect([...atEnd]).toEqual([...bytes]);
});

test("an .npy file is read with the options of readNpy", () => {
  using rows = readNpyFile(npy);
  expect(rows.toArray()).toEqual([
    [1, 3],
    [2, 4],
  ]);
  const before = bytesCopied();
  using kept = readNpyFile(npy, { order: "keep" });
  expect([kept.map.toArray(), bytesCopied() - before]).toEqual([
    [
      [1, 3],
      [2, 4],
    ],
    0,
  ]);
});

test("errors name the path", () => {
  const absent = join(folder, "absent.npy");
  expect(refusalText(() => readNpyFile(absent))).toBe(`NOT_FOUND: ${JSON.stringify(absent)}: no such file`);
  expect(refusalText(() => readFileBytes(folder))).toBe(`INVALID_ARGUMENT: ${JSON.stringify(folder)}: not a regular file`);
  expect(refusalText(() => readFileBytes("a\0b"))).toMatch(/^INVALID_ARGUMENT: .*cannot be read \(ERR_INVALID_ARG_VALUE\)$/);
});

test.each([0, -8, 3, 1.5, 8192, NaN, "8"])("refuses the endAlignment %p", (endAlignment) => {
  const options = { endAlignment } as { endAlignment: number };
  expect(refusalText(() => readFileBytes(npy, options))).toMatch(
    /^INVALID_ARGUMENT: Expected an endAlignment that is a power of two up to 4096/,
  );
});

test.each([0, null, {}, new Uint8Array(3), new URL("file:///absent.npy")])("refuses the path %p", (path) => {
  expect(refusalText(() => readFileBytes(path as unknown as string))).toMatch(/^INVALID_ARGUMENT: Expected a path, got /);
});

test("refuses unknown options", () => {
  expect(refusalText(() => readFileBytes(npy, { alignment: 8 } as object))).toMatch(
    /unknown option "alignment", did you mean "endAlignment"/,
  );
});

test("a pipe is refused, and not waited for", () => {
  const pipe = join(folder, "pipe");
  // Systems without pipes in folders have another file that is not a regular one.
  const special = spawnSync("mkfifo", [pipe]).status === 0 ? pipe : devNull;
  expect(refusalText(() => readFileBytes(special))).toMatch(/not a regular file$/);
});
