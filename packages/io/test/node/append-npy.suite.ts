// appendNpyFile: the bytes of np.save for all rows, the old file after every refusal.
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { readNpy, writeNpy } from "@onebuffer/io";
import { appendNpyFile } from "@onebuffer/io/node";
import { refusal, refusalText } from "@onebuffer/test-support";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npy, npyFile, npyHeader } from "../npy/npy-file.ts";

let folder = "";
let path = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "onebuffer-"));
  path = join(folder, "rows.npy");
});
afterAll(() => rmSync(folder, { recursive: true }));

test("rows are appended again and again, and the file is the one of all rows", () => {
  for (const [shape, dtype] of [
    [[0, 3], "float32"],
    [[2], "uint8"],
    [[5, 0], "int64"],
    [[9, 1, 2], "complex128"],
  ] as const) {
    using first = Tensor.ones([...shape], { dtype });
    writeFileSync(path, writeNpy(first));
    let rows = shape[0];
    for (const more of [1, 0, 7, 100, 1000]) {
      using next = Tensor.ones([more, ...shape.slice(1)], { dtype });
      rows += more;
      expect(appendNpyFile(path, next)).toBe(rows);
      using all = Tensor.ones([rows, ...shape.slice(1)], { dtype });
      expect(Buffer.compare(readFileSync(path), writeNpy(all))).toBe(0);
    }
  }
});

test("an expression, big-endian files, one-dimensional Fortran files, files of other writers", () => {
  using rows = Tensor.from([3, 4], { dtype: "uint16" });
  const headers: readonly (readonly [string, string])[] = [
    ["{'descr': '>u2', 'fortran_order': False, 'shape': (1,), }", ">u2"],
    ["{'shape':(1,),'fortran_order':True,'descr':'<u2'}     ", "<u2"],
  ];
  for (const version of [1, 2, 3])
    for (const [header, descr] of headers) {
      const data = descr === ">u2" ? Uint8Array.of(0, 9) : Uint8Array.of(9, 0);
      writeFileSync(path, npyFile({ header, version: [version, 0], data, align: 64 }));
      expect(appendNpyFile(path, rows.vec().mul(2))).toBe(3);
      using read = readNpy(readFileSync(path));
      expect(read.toArray()).toEqual([9, 6, 8]);
    }
});

test("a refusal leaves the file as it was", () => {
  using rows = Tensor.zeros([1, 2]);
  using scalar = Tensor.hostScalar("float32", 1);
  using other = Tensor.zeros([1, 2], { dtype: "int32" });
  using wide = Tensor.zeros([1, 3]);
  const data = new Uint8Array(16);
  const ok = npy("<f4", [2, 2], data);
  const cases: readonly (readonly [Uint8Array, Tensor, string, RegExp])[] = [
    [ok, scalar as never, "INVALID_ARGUMENT", /expected rows of float32 of shape \(n, 2\), got float32 of shape \(\)/],
    [ok, other as never, "INVALID_ARGUMENT", /got int32/],
    [ok, wide, "INVALID_ARGUMENT", /got float32 of shape \(1, 3\)/],
    [npy("<f4", [], data.subarray(0, 4)), rows, "INVALID_ARGUMENT", /a scalar has no rows/],
    [npy("<f4", [2, 2], data, "True"), rows, "FAILED_PRECONDITION", /Fortran order/],
    [
      npyFile({ header: npyHeader("<f4", [9, 2]), data: new Uint8Array(72) }),
      rows,
      "FAILED_PRECONDITION",
      /the header has \d+ characters, 10 rows need/,
    ],
    [ok.subarray(0, -1), rows, "DATA_LOSS", /expected 16 bytes of data/],
    [Uint8Array.of(...ok, 7), rows, "FAILED_PRECONDITION", /1 bytes follow the data/],
    [new Uint8Array(100), rows, "INVALID_ARGUMENT", /not an .npy file/],
    [ok.subarray(0, 50), rows, "DATA_LOSS", /header/],
    [npy("|S4", [2, 2], data), rows, "UNIMPLEMENTED", /S4/],
  ];
  for (const [file, appended, code, message] of cases) {
    writeFileSync(path, file);
    const error = refusal(() => appendNpyFile(path, appended as never));
    expect([error.code, error.message]).toEqual([code, expect.stringMatching(message)]);
    expect(Buffer.compare(readFileSync(path), file)).toBe(0);
  }
  writeFileSync(path, Uint8Array.of(...ok, ...new Uint8Array(100)));
  expect(appendNpyFile(path, rows, { overwriteTrailing: true })).toBe(3);
  expect(readFileSync(path).length).toBe(ok.length + 8);
  expect(refusalText(() => appendNpyFile(join(folder, "absent.npy"), rows))).toMatch(/^NOT_FOUND: .*absent.npy/);
  expect(refusal(() => appendNpyFile(folder, rows)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => appendNpyFile(3 as never, rows)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => appendNpyFile(path, 3 as never)).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => appendNpyFile(path, rows, { truncate: true } as object)).code).toBe("INVALID_ARGUMENT");
});
