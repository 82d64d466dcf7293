/**
 * Tests real .npy files: what NumPy 2.4.6 reads from them is in MANIFEST.json, and which malformed files it accepts in the verdicts.
 */
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { openNpy, parseNpyHeader, readNpy, writeNpy } from "@onebuffer/io";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { filesOf, folder, isUsual, load, present, required, sha256, testEach, verdictsOf } from "@onebuffer/test-support/real-files";

interface Entry {
  readonly kind: string;
  readonly version: readonly number[];
  readonly data_at: number;
  readonly dtype?: string;
  readonly shape?: readonly number[];
  readonly c_order_le_sha256?: string | null;
  readonly first?: readonly unknown[];
}

const npys = filesOf<Entry>("npy");
const verdicts = verdictsOf("numpy-2.4.6");

/** Matches NumPy's `str(dtype)` of the types with a dtype here: the name, or order and kind if big-endian. */
const kNames = /^(bool|u?int(8|16|32|64)|float(16|32|64)|complex(64|128)|>[iuf][248]|>c(8|16))$/;
const kBig: Readonly<Record<string, string>> = {
  i2: "int16",
  i4: "int32",
  i8: "int64",
  u2: "uint16",
  u4: "uint32",
  u8: "uint64",
  f2: "float16",
  f4: "float32",
  f8: "float64",
  c8: "complex64",
  c16: "complex128",
};

const numeric = npys.filter(([, { dtype }]) => dtype !== undefined && kNames.test(dtype));
const others = npys.filter(([, { dtype }]) => dtype === undefined || !kNames.test(dtype));

test("the files are there, or may be missing", () => {
  if (!present) console.warn(`skipped: no real files at ${folder}; set ONEBUFFER_REAL_FILES`);
  expect(present || !required).toBe(true);
});

(present ? describe : describe.skip)("real files", () => {
  let before = 0;
  beforeAll(() => {
    before = liveBuffers();
  });
  afterAll(() => {
    expect(liveBuffers()).toBe(before);
  });

  test("the manifest names every .npy file", () => {
    const found = (readdirSync(folder, { recursive: true }) as string[])
      .map((path) => path.replaceAll("\\", "/"))
      .filter((path) => path.endsWith(".npy") && !path.startsWith("verdicts/"));
    expect(found.sort()).toEqual(npys.map(([path]) => path).sort());
    if (isUsual) expect(numeric.length).toBeGreaterThanOrEqual(83);
  });

  testEach(numeric, "%s", async (path, { dtype, shape, version, data_at, c_order_le_sha256 }) => {
    const bytes = load(path);
    const header = parseNpyHeader(bytes);
    expect([header.version, header.dataOffset]).toEqual([version, data_at]);
    using tensor = readNpy(bytes, { boolBytes: "keep" });
    expect([tensor.dtype, tensor.shape.dimSizes]).toEqual([kBig[dtype?.slice(1) ?? ""] ?? dtype, shape]);
    expect(sha256(tensor.tensorData)).toBe(c_order_le_sha256);
    using kept = readNpy(bytes, { boolBytes: "keep", order: "keep" });
    expect(kept.shape).toEqual(shape);
    using copy = new Tensor(kept.dtype, shape ?? []);
    copy.flat().copyFrom(kept.map);
    expect(sha256(copy.tensorData)).toBe(c_order_le_sha256);
    const file = await openNpy(new Blob([bytes]));
    using read = await file.tensor({ boolBytes: "keep" });
    expect([read.dtype, read.shape.dimSizes, sha256(read.tensorData)]).toEqual([tensor.dtype, shape, c_order_le_sha256]);
    if (header.dtype !== "bool") return;
    using normalized = readNpy(bytes);
    expect([...normalized.tensorData]).toEqual(Array.from(tensor.tensorData, (byte) => (byte === 0 ? 0 : 1)));
  });

  test("what NumPy wrote is written back byte for byte", () => {
    let written = 0;
    for (const [path, { version, dtype }] of numeric) {
      const bytes = load(path);
      const { fortranOrder } = parseNpyHeader(bytes);
      // The same program wrote these files; version 2 and other orders are its options.
      if (!path.startsWith("numpy-2.4.6-generated/") || fortranOrder || version[0] !== 1 || dtype!.startsWith(">")) continue;
      using tensor = readNpy(bytes);
      expect([path, Buffer.compare(bytes, writeNpy(tensor))]).toEqual([path, 0]);
      written++;
    }
    if (isUsual) expect(written).toBeGreaterThan(8);
  });

  testEach(others, "%s is UNIMPLEMENTED", (path) => {
    const refusal = caught(() => readNpy(load(path)));
    expect(refusal).toMatch(/^UNIMPLEMENTED: npy header: descr (\[\(|'[|<>]?[OSUVmM])/);
  });

  const texts = npys.filter(([, { dtype }]) => /^[|<>][SU]\d/.test(dtype ?? ""));
  testEach(texts, "%s with strings: true", (path, { shape, first }) => {
    using tensor = readNpy(load(path), { strings: true });
    expect([tensor.dtype, tensor.shape.dimSizes]).toEqual(["string", shape]);
    expect((tensor.toArray() as unknown[]).slice(0, first?.length)).toEqual(first);
  });

  const voids = npys.filter(([path]) => path.endsWith("mldtypes_float8_e4m3fn.npy"));
  testEach(voids, "%s with voidAs", (path, { c_order_le_sha256 }) => {
    using tensor = readNpy(load(path), { voidAs: "float8_e4m3fn" });
    expect(sha256(tensor.tensorData)).toBe(c_order_le_sha256);
    expect(tensor.toArray()).toEqual([0, 1, 2, 3]);
  });

  /** Accepted by NumPy, refused here: "Types without a dtype" in docs/formats.md. */
  const stricter: Readonly<Record<string, RegExp>> = {
    descr_ltV4: /^UNIMPLEMENTED: .*'<V4'/,
    descr_tuple_subarray: /^UNIMPLEMENTED: .*\('<f4',\(1,\)\)/,
  };

  testEach(verdicts, "verdict %s", (name, verdict) => {
    const bytes = load(`verdicts/numpy-2.4.6/${name}.npy`);
    const accepted = /^ACCEPT (\S+) \(([^)]*)\)/.exec(verdict);
    const strict = stricter[name];
    if (strict !== undefined) {
      expect(caught(() => readNpy(bytes))).toMatch(strict);
    } else if (accepted === null) {
      expect(caught(() => readNpy(bytes))).toMatch(/^(INVALID_ARGUMENT|DATA_LOSS|UNIMPLEMENTED): /);
    } else {
      using tensor = readNpy(bytes);
      const [, str = "", dims = ""] = accepted;
      const code = str.slice(1);
      expect(tensor.dtype).toBe({ b1: "bool", i1: "int8", u1: "uint8", ...kBig }[code]);
      expect(tensor.shape.dimSizes).toEqual(
        dims
          .split(",")
          .map((s) => s.trim())
          .filter(Boolean)
          .map(Number),
      );
    }
  });

  test("every verdict file has a verdict", () => {
    if (verdicts.length === 0 && !isUsual) return;
    const files = readdirSync(join(folder, "verdicts/numpy-2.4.6")).filter((name) => name.endsWith(".npy"));
    expect(files.map((name) => name.slice(0, -4)).sort()).toEqual(verdicts.map(([name]) => name).sort());
  });

  function caught(act: () => { dispose(): void }): string {
    try {
      act().dispose();
    } catch (error) {
      if (isStatusError(error)) return String(error);
      throw error;
    }
    return "nothing was thrown";
  }
});
