// Tests the sources over memory and Blobs, what becomes a source or a set of files, and the checked reads.
import { describe, expect, test } from "@jest/globals";
import { toByteSource, toFileSet } from "@onebuffer/io";
import type { ByteSource, SourceInput } from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";
import { checkedRead, checkedReadInto, checkRange } from "../../src/source/checked-read.ts";

const kBytes = Uint8Array.of(10, 11, 12, 13, 14, 15, 16, 17);
const shared = new SharedArrayBuffer(8);
new Uint8Array(shared).set(kBytes);

describe.each<readonly [string, SourceInput, boolean]>([
  ["a Uint8Array", kBytes, true],
  ["an ArrayBuffer", kBytes.slice().buffer, true],
  ["a SharedArrayBuffer", shared, true],
  ["a DataView", new DataView(kBytes.buffer), true],
  ["a Float32Array", new Float32Array(kBytes.buffer), true],
  ["a Buffer", Buffer.from(kBytes), true],
  ["a Blob", new Blob([kBytes]), false],
  ["a File", new File([kBytes], "w.bin"), false],
  ["a source", { size: 8, read: async (offset, length) => kBytes.slice(offset, offset + length) }, false],
])("%s", (_, input, inMemory) => {
  test("has a size and is read anywhere", async () => {
    const source = toByteSource(input);
    expect(source.size).toBe(8);
    expect(source.bytes !== undefined).toBe(inMemory);
    for (let offset = 0; offset <= 8; offset++)
      for (let length = 0; length <= 8 - offset; length++) {
        const expected = [...kBytes.subarray(offset, offset + length)];
        expect([...(await checkedRead(source, offset, length, "x"))]).toEqual(expected);
        expect([...(await source.read(offset, length))]).toEqual(expected);
        const target = new Uint8Array(length);
        await checkedReadInto(source, offset, target, "x");
        expect([...target]).toEqual(expected);
      }
  });
});

test("a source is returned as it is, memory is viewed", async () => {
  const source: ByteSource = toByteSource(kBytes);
  expect(toByteSource(source)).toBe(source);
  expect((await checkedRead(source, 2, 3, "x")).buffer).toBe(kBytes.buffer);
  expect((await source.read(2, 3)).buffer).toBe(kBytes.buffer);
  const target = new Uint8Array(3);
  await source.readInto?.(2, target);
  expect([...target]).toEqual([12, 13, 14]);
  expect(toByteSource(new File([kBytes], "w.bin")).name).toBe("w.bin");
});

test("other values are no source, and messages say what to give", async () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  for (const input of [null, undefined, 5, 5n, true, [1, 2], {}, { size: 8 }, () => kBytes, Symbol("x"), revoked.proxy])
    await expectRefusal(() => toByteSource(input as never), "INVALID_ARGUMENT", "expected bytes, a Blob or a ByteSource");
  for (const size of [-1, 0.5, NaN, "8", 2 ** 53])
    await expectRefusal(() => toByteSource({ size, read: async () => kBytes } as never), "INVALID_ARGUMENT", "integer size");
  await expectRefusal(() => toByteSource("w.npz" as never), "INVALID_ARGUMENT", 'fileSource("w.npz")', 'await httpSource("w.npz")');
  await expectRefusal(() => toByteSource("https://example.org/w.npz" as never), "INVALID_ARGUMENT", "httpSource");
});

test("a range must be within the size, also one of numbers that are no sizes", async () => {
  const source: ByteSource = { size: 8, name: "w.bin", read: async () => Promise.reject(new Error("was read")) };
  for (const [offset, length] of [
    [0, 9],
    [8, 1],
    [9, 0],
    [-1, 1],
    [0, -1],
    [0.5, 1],
    [0, NaN],
    [2 ** 53, 1],
    [1, Number.MAX_SAFE_INTEGER],
  ] as const) {
    await expectRefusal(() => checkRange(source, offset, length, "the footer"), "DATA_LOSS", "w.bin: the footer", length, offset, 8);
    await expectRefusal(() => checkedRead(source, offset, length, "the footer"), "DATA_LOSS");
  }
  await expectRefusal(() => checkedReadInto(source, 4, new Uint8Array(5), "the footer"), "DATA_LOSS", "the footer");
  expect((await checkedRead(source, 8, 0, "nothing")).length).toBe(0);
});

test("what read returns is checked", async () => {
  for (const [result, code] of [
    [new Uint8Array(3), "DATA_LOSS"],
    [new Uint8Array(5), "DATA_LOSS"],
    [new ArrayBuffer(4), "INVALID_ARGUMENT"],
    [new Int8Array(4), "INVALID_ARGUMENT"],
    [undefined, "INVALID_ARGUMENT"],
    [[1, 2, 3, 4], "INVALID_ARGUMENT"],
  ] as const) {
    const source = { size: 8, read: async () => result } as unknown as ByteSource;
    await expectRefusal(() => checkedRead(source, 0, 4, "the header"), code, "the header");
    await expectRefusal(() => checkedReadInto(source, 0, new Uint8Array(4), "the header"), code, "the header");
  }
});

test("a read is cancelled by its signal", async () => {
  const signal = { aborted: true, reason: "enough" };
  await expectRefusal(() => checkedRead(toByteSource(kBytes), 0, 4, "the header", signal), "CANCELLED", "the header", "enough");
  await expectRefusal(() => toByteSource(new Blob([kBytes])).read(0, 4, signal), "CANCELLED", "Blob");
});

test("a file that changes behind a Blob is lost data", async () => {
  const failing = (name: string): SourceInput => ({
    size: 8,
    slice: () => ({ arrayBuffer: () => Promise.reject(Object.assign(new Error("x"), { name })) }),
  });
  await expectRefusal(() => toByteSource(failing("NotReadableError")).read(0, 1), "DATA_LOSS", "chosen again");
  await expectRefusal(() => toByteSource(failing("NotFoundError")).read(0, 1), "NOT_FOUND");
});

describe("toFileSet", () => {
  test.each([
    ["an object", { a: kBytes, "b/c": new Blob([kBytes]) }],
    [
      "a Map",
      new Map<string, SourceInput>([
        ["a", kBytes],
        ["b/c", new Blob([kBytes])],
      ]),
    ],
  ] as const)("of %s", async (_, input) => {
    const files = toFileSet(input);
    expect(await files.list?.()).toEqual(["a", "b/c"]);
    expect((await files.open("b/c")).size).toBe(8);
    for (const name of ["b", "", "constructor", "__proto__"])
      await expectRefusal(() => files.open(name), "NOT_FOUND", JSON.stringify(name));
  });

  test("of a function, and of a set", async () => {
    const files = toFileSet((name) => (name === "a" ? Promise.resolve(kBytes) : undefined));
    expect((await files.open("a")).size).toBe(8);
    expect(files.list).toBeUndefined();
    await expectRefusal(() => files.open("b"), "NOT_FOUND", '"b"');
    expect(toFileSet(files)).toBe(files);
  });

  test("refuses other values, at once or when a file is opened", async () => {
    for (const input of [null, undefined, 5, "folder", kBytes]) await expectRefusal(() => toFileSet(input as never), "INVALID_ARGUMENT");
    await expectRefusal(() => toFileSet({ a: 5 } as never).open("a"), "INVALID_ARGUMENT", "expected bytes");
  });
});
