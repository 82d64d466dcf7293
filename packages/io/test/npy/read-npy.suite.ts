// Tests readNpy: views of the file, the four reasons to copy, and damaged files.
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { bytesCopied, cpuAllocator, liveBuffers, TrackingAllocator } from "@onebuffer/allocator";
import { parseNpyHeader, readNpy } from "@onebuffer/io";
import { refusal } from "@onebuffer/test-support";
import type { NpyDType, NpyReadOptions } from "@onebuffer/io";
import fc from "fast-check";
import { npy, npyFile, npyHeader } from "./npy-file.ts";

const isLong = process.env["ONEBUFFER_LONG"] !== undefined;

/** `npm run long` runs the properties twenty times as often. */
const kFactor = process.env["ONEBUFFER_LONG"] === undefined ? 1 : 20;

let before = 0;
beforeEach(() => {
  before = liveBuffers();
});
afterEach(() => {
  expect(liveBuffers()).toBe(before);
});

/** Every descr with the little-endian bytes of two elements, and the elements' values. */
const kElements: readonly (readonly [
  code: string,
  dtype: NpyDType,
  component: number,
  bytes: readonly number[],
  values: readonly unknown[],
])[] = [
  ["b1", "bool", 1, [1, 0], [true, false]],
  ["i1", "int8", 1, [0xff, 2], [-1, 2]],
  ["u1", "uint8", 1, [0xff, 2], [255, 2]],
  ["i2", "int16", 2, [0xfe, 0xff, 2, 1], [-2, 258]],
  ["u2", "uint16", 2, [0xfe, 0xff, 2, 1], [65534, 258]],
  ["f2", "float16", 2, [0x00, 0x3e, 0x00, 0xc0], [1.5, -2]],
  ["i4", "int32", 4, [0xfd, 0xff, 0xff, 0xff, 4, 3, 2, 1], [-3, 0x01020304]],
  ["u4", "uint32", 4, [0xfd, 0xff, 0xff, 0xff, 4, 3, 2, 1], [4294967293, 0x01020304]],
  ["f4", "float32", 4, [0, 0, 0xc0, 0x3f, 0, 0, 0x00, 0xc0], [1.5, -2]],
  ["i8", "int64", 8, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 8, 7, 6, 5, 4, 3, 2, 1], [-1n, 0x0102030405060708n]],
  ["u8", "uint64", 8, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 8, 7, 6, 5, 4, 3, 2, 1], [2n ** 64n - 1n, 0x0102030405060708n]],
  ["f8", "float64", 8, [0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0], [1.5, -2]],
  [
    "c8",
    "complex64",
    4,
    [0, 0, 0xc0, 0x3f, 0, 0, 0x00, 0xc0, 0, 0, 0, 0, 0, 0, 0x80, 0x3f],
    [
      [1.5, -2],
      [0, 1],
    ],
  ],
  [
    "c16",
    "complex128",
    8,
    [0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0, 0, 0, 0, 0, 0, 0, 0xc0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f],
    [
      [1.5, -2],
      [0, 1],
    ],
  ],
];

const swapped = (bytes: readonly number[], size: number): number[] =>
  Array.from({ length: bytes.length / size }, (_, i) => bytes.slice(i * size, (i + 1) * size).reverse()).flat();

describe.each(kElements)("%s (%s)", (code, dtype, component, bytes, values) => {
  const file = npy(`<${code}`, [2], Uint8Array.from(bytes));

  test("uses the file's bytes without a copy; a write to the file or the tensor is seen in the other", () => {
    const copied = bytesCopied();
    using tensor = readNpy(file);
    expect([tensor.dtype, tensor.shape.dimSizes, tensor.toArray()]).toEqual([dtype, [2], values]);
    expect(bytesCopied()).toBe(copied);
    const view = tensor.tensorData;
    expect([view.buffer === file.buffer, view.byteOffset, view.byteLength]).toEqual([true, file.length - bytes.length, bytes.length]);
    const first = view[0] as number;
    file[file.length - bytes.length] = first ^ 1;
    expect(view[0]).toBe(first ^ 1);
    view[0] = first;
    expect(tensor.toArray()).toEqual(values);
    expect(file[file.length - bytes.length]).toBe(first);
  });

  test("big-endian data is copied and swapped, except for one-byte elements", () => {
    const big = npy(`>${code}`, [2], Uint8Array.from(swapped(bytes, component)));
    const image = big.slice();
    const copied = bytesCopied();
    using tensor = readNpy(big);
    expect(tensor.toArray()).toEqual(values);
    expect(bytesCopied() - copied).toBe(component === 1 ? 0 : bytes.length);
    expect(tensor.tensorData.buffer === big.buffer).toBe(component === 1);
    expect(big).toEqual(image);
  });

  test("misaligned data is copied once", () => {
    for (let shift = 1; shift <= 8; shift++) {
      const shifted = new Uint8Array(file.length + shift).subarray(shift);
      shifted.set(file);
      const copied = bytesCopied();
      using tensor = readNpy(shifted);
      expect(tensor.toArray()).toEqual(values);
      expect(bytesCopied() - copied).toBe(shift % component === 0 ? 0 : bytes.length);
    }
  });
});

/** Converts a column-major array to row-major bytes, element by element. */
function rowMajor(data: Uint8Array, shape: readonly number[], size: number): Uint8Array {
  const out = new Uint8Array(data.length);
  const count = shape.reduce((a, b) => a * b, 1);
  for (let i = 0; i < count; i++) {
    // The last index varies fastest in `i`, the first in the file.
    let rest = i;
    let from = 0;
    let stride = count;
    for (let k = shape.length - 1; k >= 0; k--) {
      const d = shape[k]!;
      stride /= d;
      from += (rest % d) * stride;
      rest = Math.floor(rest / d);
    }
    for (let byte = 0; byte < size; byte++) out[i * size + byte] = data[from * size + byte]!;
  }
  return out;
}

describe("Fortran order", () => {
  test.each<[readonly number[], boolean]>([
    [[], false],
    [[6], false],
    [[6, 1], false],
    [[1, 6], false],
    [[1, 1, 5, 1], false],
    [[3, 0], false],
    [[0, 3, 4], false],
    [[2, 3], true],
    [[3, 2], true],
    [[2, 3, 4], true],
    [[2, 1, 4], true],
    [[2, 2, 2, 2, 3], true],
    [[33, 65], true],
    [isLong ? [100, 3, 70] : [70, 3, 33], true],
  ])("shape %j: copied %s", (shape, copies) => {
    const isLarge = shape.reduce((a, b) => a * b, 1) > 1000;
    for (const [k, [code, , component]] of kElements.entries()) {
      if (code === "b1" || (isLarge && !isLong && k % 3 !== shape.length % 3)) continue;
      const size = code.startsWith("c") ? component * 2 : component;
      const data = Uint8Array.from({ length: shape.reduce((a, b) => a * b, 1) * size }, (_, i) => (i * 7 + (i >> 8)) & 0xff);
      const expected = rowMajor(data, shape, size);
      for (const shift of [0, 1, 2, 4]) {
        const aligned = npy(`<${code}`, shape, data, "True");
        const file = new Uint8Array(aligned.length + shift).subarray(shift);
        file.set(aligned);
        const copied = bytesCopied();
        using tensor = readNpy(file);
        expect(tensor.shape.dimSizes).toEqual(shape);
        expect(Buffer.compare(tensor.tensorData, expected)).toBe(0);
        if (shift === 0) expect(bytesCopied() - copied).toBe(copies ? data.length : 0);
      }
    }
  });

  test("any shape and byte order gives the same bytes as an element by element copy", () => {
    const shape = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 5 });
    fc.assert(
      fc.property(
        shape,
        fc.constantFrom(...kElements.filter(([code]) => code !== "b1")),
        fc.boolean(),
        fc.nat(),
        (dims, [code, , component], big, seed) => {
          const size = code.startsWith("c") ? component * 2 : component;
          const data = Uint8Array.from({ length: dims.reduce((a, b) => a * b, 1) * size }, (_, i) => (i * 31 + seed) & 0xff);
          using tensor = readNpy(npy((big ? ">" : "<") + code, dims, data, "True"));
          const rows = rowMajor(data, dims, size);
          expect([...tensor.tensorData]).toEqual(big ? swapped([...rows], component) : [...rows]);
        },
      ),
      { numRuns: 50 * kFactor },
    );
  });

  test("a large file takes no longer than a few reads of the bytes", () => {
    const rows = isLong ? 1024 : 512;
    const data = new Uint8Array(4 * rows * rows);
    for (let i = 0; i < data.length; i++) data[i] = i;
    using tensor = readNpy(npy("<f4", [rows, rows], data, "True"));
    expect(tensor.tensorData[4 * rows]).toBe(4);
  });
});

describe("bools", () => {
  const odd = npy("|b1", [2, 2], Uint8Array.of(0, 1, 2, 255));

  test("0 and 1 are used in place", () => {
    const copied = bytesCopied();
    using tensor = readNpy(npy("|b1", [4], Uint8Array.of(0, 1, 1, 0)));
    expect(tensor.toArray()).toEqual([false, true, true, false]);
    expect(bytesCopied()).toBe(copied);
  });

  test("other bytes become 1 in a copy; the file does not change", () => {
    const copied = bytesCopied();
    using tensor = readNpy(odd);
    expect([...tensor.tensorData]).toEqual([0, 1, 1, 1]);
    expect(tensor.toArray()).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(bytesCopied() - copied).toBe(4);
    expect([...odd.subarray(-4)]).toEqual([0, 1, 2, 255]);
  });

  test("other bytes are kept on request, without a copy, and read as true", () => {
    const copied = bytesCopied();
    using tensor = readNpy(odd, { boolBytes: "keep" });
    expect([...tensor.tensorData]).toEqual([0, 1, 2, 255]);
    expect(tensor.toArray()).toEqual([
      [false, true],
      [true, true],
    ]);
    expect(bytesCopied()).toBe(copied);
  });

  test("Fortran order and other bool bytes together", () => {
    const file = npy("|b1", [2, 2], Uint8Array.of(0, 1, 2, 255), "True");
    using normal = readNpy(file);
    expect([...normal.tensorData]).toEqual([0, 1, 1, 1]);
    using kept = readNpy(file, { boolBytes: "keep" });
    expect([...kept.tensorData]).toEqual([0, 2, 1, 255]);
  });
});

test("reads a scalar, an empty array, and a misaligned empty array in Fortran order", () => {
  using scalar = readNpy(npy("<f8", [], new Uint8Array(8)));
  expect([scalar.shape.dimSizes, scalar.toArray()]).toEqual([[], 0]);
  using empty = readNpy(npy("<i4", [3, 0, 2], new Uint8Array(0)));
  expect([empty.shape.dimSizes, empty.numElements, empty.toArray()]).toEqual([[3, 0, 2], 0, [[], [], []]]);
  const odd = npyFile({ header: `${npyHeader(">c16", [0, 3], "True")} ` });
  using misaligned = readNpy(odd);
  expect([misaligned.dtype, misaligned.numElements, misaligned.toArray()]).toEqual(["complex128", 0, []]);
});

test("reads 64 dimensions", () => {
  using tensor = readNpy(npy("|u1", [...new Array<number>(62).fill(1), 2, 3], Uint8Array.of(1, 2, 3, 4, 5, 6)));
  expect([tensor.dims, tensor.numElements]).toEqual([64, 6]);
});

test("bytes after the data are ignored", () => {
  const file = npy("|u1", [2], Uint8Array.of(1, 2, 3, 4));
  using tensor = readNpy(file);
  expect([...tensor.tensorData]).toEqual([1, 2]);
});

test("reads every kind of input: buffers, shared buffers, views, Node's Buffer", () => {
  const file = npy("<i2", [2], Uint8Array.of(1, 0, 2, 0));
  const shared = new Uint8Array(new SharedArrayBuffer(file.length));
  shared.set(file);
  for (const input of [file, file.buffer, shared, shared.buffer, new DataView(file.buffer), Buffer.from(file.buffer)]) {
    using tensor = readNpy(input);
    expect(tensor.toArray()).toEqual([1, 2]);
    expect(tensor.tensorData.buffer === (ArrayBuffer.isView(input) ? input.buffer : input)).toBe(true);
  }
});

test("a slice of the tensor shares the file's bytes, and can be used after the tensor is disposed", () => {
  const file = npy("|u1", [3, 2], Uint8Array.of(1, 2, 3, 4, 5, 6));
  const tensor = readNpy(file);
  using slice = tensor.slice(1, 3);
  tensor.dispose();
  slice.tensorData[0] = 77;
  expect(file[file.length - 4]).toBe(77);
});

test("unknown options are refused by name", () => {
  const file = npy("|u1", [2], Uint8Array.of(1, 2));
  const reads = [() => readNpy(file, { bolBytes: "keep" } as object), () => parseNpyHeader(file, { maxheadersize: 1 } as object)];
  const messages = reads.map((read) => refusal(read).message);
  expect(messages[0]).toContain('readNpy: unknown option "bolBytes", did you mean "boolBytes"?');
  expect(messages[1]).toContain('parseNpyHeader: unknown option "maxheadersize", did you mean "maxHeaderSize"?');
  using small = readNpy(file, { maxHeaderSize: 1000 });
  expect(small.toArray()).toEqual([1, 2]);
});

describe("allocation", () => {
  function counted(file: Uint8Array, options?: NpyReadOptions): { readonly bytes: number; readonly code: string } {
    const tracking = new TrackingAllocator(cpuAllocator(), true);
    let code = "OK";
    try {
      using tensor = readNpy(file, { ...options, allocator: tracking });
      expect(tensor.isInitialized()).toBe(true);
    } catch (error) {
      if (!isStatusError(error)) throw error;
      code = error.code;
    }
    const bytes = tracking.getRecordsAndUnRef().reduce((sum, { allocBytes }) => sum + Math.max(0, allocBytes), 0);
    return { bytes, code };
  }

  test("a copy uses the allocator option", () => {
    expect(counted(npy(">i4", [4], new Uint8Array(16)))).toMatchObject({ code: "OK" });
    expect(counted(npy(">i4", [4], new Uint8Array(16))).bytes).toBeGreaterThanOrEqual(16);
    expect(counted(npy("<i4", [4], new Uint8Array(16))).bytes).toBe(0);
  });

  test.each<[string, readonly number[]]>([
    [">f4", [1_000_000_000_000]],
    ["<f8", [1 << 29, 1 << 20]],
    [">c16", [5]],
    ["|b1", [65]],
  ])("%s %j in a file of 64 bytes of data is refused before anything is allocated", (descr, shape) => {
    expect(counted(npy(descr, shape, new Uint8Array(64)))).toEqual({ bytes: 0, code: "DATA_LOSS" });
    expect(() => readNpy(npy(descr, shape, new Uint8Array(64)))).toThrow(/got 64$/);
  });

  test("randomly damaged files give a StatusError or a tensor, and never take more memory than the file has", () => {
    const good = fc.constantFrom(
      npy("<f4", [2, 3], new Uint8Array(24)),
      npy(">c16", [2, 2], new Uint8Array(64), "True"),
      npyFile({ version: [2, 0], header: npyHeader("|b1", [7]), data: Uint8Array.of(0, 1, 2, 3, 0, 1, 9) }),
      npyFile({ version: [3, 0], header: npyHeader(">i8", [1, 2, 3], "True"), data: new Uint8Array(48), align: 16 }),
    );
    const damage = fc.oneof(
      fc.record({ at: fc.nat(200), byte: fc.nat(255) }),
      fc.record({
        at: fc.nat(90),
        text: fc.constantFrom(
          "9",
          "0",
          "-",
          "(",
          ")",
          ",",
          "'",
          "\\",
          "{",
          "}",
          "<",
          ">",
          "L",
          "x",
          "99999999",
          "\n",
          "#",
          "True",
          "[",
          " ",
          "''",
          "1_0",
          "e9",
        ),
      }),
      fc.record({ cut: fc.nat(220) }),
    );
    fc.assert(
      fc.property(good, fc.array(damage, { minLength: 1, maxLength: 4 }), (file, damages) => {
        let bytes = [...file];
        for (const each of damages) {
          if ("cut" in each) bytes = bytes.slice(0, each.cut);
          else if ("byte" in each) {
            if (each.at < bytes.length) bytes[each.at] = each.byte;
          } else bytes.splice(10 + each.at, 0, ...[...each.text].map((c) => c.charCodeAt(0)));
        }
        expect(counted(Uint8Array.from(bytes)).bytes).toBeLessThanOrEqual(bytes.length + 64);
      }),
      { numRuns: 400 * kFactor },
    );
  });
});

test("a file name is refused with the ways to read a file", () => {
  const { code, message } = refusal(() => readNpy("weights.npy" as never));
  expect(code).toBe("INVALID_ARGUMENT");
  for (const part of ["bytes", 'readFileSync("weights.npy")', 'fetch("weights.npy")']) expect(message).toContain(part);
});
