// readSafetensors: every type, what is a view and what is a copy, the refusals.
import { describe, expect, test } from "@jest/globals";
import { bytesCopied } from "@onebuffer/allocator";
import type { DType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { readSafetensors, SafetensorsFile, writeSafetensors } from "@onebuffer/io";
import { refusal, refusalText } from "@onebuffer/test-support";
import { oneTensor, safetensorsFile } from "./safetensors-bytes.ts";

/** Each type, the bits of an element, the dtype. */
const kTypes: readonly (readonly [string, number, DType | undefined])[] = [
  ["BOOL", 8, "bool"],
  ["F4", 4, "float4_e2m1fn"],
  ["F6_E2M3", 6, undefined],
  ["F6_E3M2", 6, undefined],
  ["U8", 8, "uint8"],
  ["I8", 8, "int8"],
  ["F8_E5M2", 8, "float8_e5m2"],
  ["F8_E4M3", 8, "float8_e4m3fn"],
  ["F8_E8M0", 8, undefined],
  ["F8_E4M3FNUZ", 8, "float8_e4m3fnuz"],
  ["F8_E5M2FNUZ", 8, "float8_e5m2fnuz"],
  ["I16", 16, "int16"],
  ["U16", 16, "uint16"],
  ["F16", 16, "float16"],
  ["BF16", 16, "bfloat16"],
  ["I32", 32, "int32"],
  ["U32", 32, "uint32"],
  ["F32", 32, "float32"],
  ["C64", 64, "complex64"],
  ["F64", 64, "float64"],
  ["I64", 64, "int64"],
  ["U64", 64, "uint64"],
];

const numbered = (length: number): Uint8Array<ArrayBuffer> => Uint8Array.from({ length }, (_, i) => (i * 37 + 1) & 1);

describe.each(kTypes)("%s", (type, bits, dtype) => {
  const data = numbered(bits);
  const file = safetensorsFile(oneTensor(type, [2, 4], bits), data);

  test("has its dtype, shape and bytes, in memory and read from a source", async () => {
    const open = SafetensorsFile.fromBytes(file);
    const { dtype: listed, shape, numElements, byteLength } = open.entry("a");
    expect([listed, shape, numElements, byteLength]).toEqual([dtype, [2, 4], 8, bits]);
    expect(await open.bytes("a")).toEqual(data);
    if (dtype === undefined) {
      expect(refusalText(() => readSafetensors(file))).toMatch(
        /^UNIMPLEMENTED: .*"a" has F[68]_\w+, which has no dtype here; bytes\(name\)/,
      );
      return;
    }
    const elements = bits === 4 ? Array.from(data, (byte) => [byte & 15, byte >> 4]).flat() : [...data];
    using tensors = readSafetensors(file);
    expect([tensors.tensor("a").dtype, tensors.tensor("a").shape.dimSizes]).toEqual([dtype, [2, 4]]);
    expect([...tensors.tensor("a").tensorData]).toEqual(elements);
    const remote = await SafetensorsFile.open(new Blob([file]));
    using read = await remote.tensor("a");
    expect([read.dtype, [...read.tensorData]]).toEqual([dtype, elements]);
  });

  test("is written back", () => {
    if (dtype === undefined) return;
    using tensors = readSafetensors(file);
    const header = oneTensor(type, [2, 4], bits);
    expect(writeSafetensors(tensors)).toEqual(safetensorsFile(header.padEnd(Math.ceil(header.length / 8) * 8), data));
  });
});

test("aligned elements are views, misaligned ones one copy", () => {
  const padded = oneTensor("F32", [2], 8).padEnd(64);
  const file = safetensorsFile(padded, 8);
  const before = bytesCopied();
  using views = readSafetensors(file);
  new DataView(file.buffer).setFloat32(8 + 64, 2.5, true);
  expect([views.tensor("a").toArray(), bytesCopied() - before]).toEqual([[2.5, 0], 0]);
  using copies = readSafetensors(safetensorsFile(oneTensor("F32", [2], 8).padEnd(61), 8));
  expect([copies.tensor("a").toArray(), bytesCopied() - before]).toEqual([[0, 0], 8]);
});

test("bool bytes other than 0 and 1 become 1 in a copy, or are kept", async () => {
  const data = Uint8Array.of(0, 1, 2, 255);
  const file = safetensorsFile(oneTensor("BOOL", [4], 4), data);
  using normal = readSafetensors(file);
  expect([...normal.tensor("a").tensorData]).toEqual([0, 1, 1, 1]);
  using kept = readSafetensors(file, { boolBytes: "keep" });
  expect([...kept.tensor("a").tensorData]).toEqual([...data]);
  expect([...data]).toEqual([0, 1, 2, 255]);
  const remote = await SafetensorsFile.open(new Blob([file]));
  using read = await remote.tensors();
  expect([...read.tensor("a").tensorData]).toEqual([0, 1, 1, 1]);
  using same = await remote.tensors(["a"], { boolBytes: "keep" });
  expect([...same.tensor("a").tensorData]).toEqual([...data]);
});

test("names are keys of a Map: __proto__, constructor, the empty name", () => {
  const names = ["__proto__", "constructor", "", "𝄞", "a/b.c"];
  const one = Tensor.from([1]);
  const file = writeSafetensors(new Map(names.map((name) => [name, one])));
  one.dispose();
  using tensors = readSafetensors(file);
  expect([...tensors.keys()].sort()).toEqual([...names].sort());
  for (const name of names) expect(tensors.tensor(name).toArray()).toEqual([1]);
});

test("names and metadata keys written twice are refused, or the last one counts", () => {
  const entry = '{"dtype":"U8","shape":[1],"data_offsets":[0,1]}';
  const names = safetensorsFile(`{"a":${entry},"a":${entry}}`, Uint8Array.of(7));
  const keys = safetensorsFile('{"__metadata__":{"k":"1","k":"2"}}');
  expect(refusalText(() => readSafetensors(names))).toMatch(/^INVALID_ARGUMENT: .*tensor "a" is written twice; duplicates: "last"/);
  expect(refusalText(() => readSafetensors(keys))).toMatch(/^INVALID_ARGUMENT: .*metadata key "k" is written twice/);
  using tensors = readSafetensors(names, { duplicates: "last" });
  expect(tensors.tensor("a").toArray()).toEqual([7]);
  expect(SafetensorsFile.fromBytes(keys, { duplicates: "last" }).metadata.get("k")).toBe("2");
});

test("a file that ends early at any byte is DATA_LOSS or INVALID_ARGUMENT", () => {
  using a = Tensor.from([1, 2, 3]);
  using b = Tensor.from([true]);
  const file = writeSafetensors({ a, b }, { metadata: { k: "v" } });
  for (let length = 0; length < file.length; length++) {
    const { code } = refusal(() => readSafetensors(file.slice(0, length)));
    expect([length, code]).toEqual([length, "DATA_LOSS"]);
  }
  for (let length = 1; length < 12; length++) {
    expect(refusal(() => readSafetensors(Uint8Array.from([...file, ...new Uint8Array(length)]))).code).toBe("INVALID_ARGUMENT");
  }
});

test("a tensor that ends before it begins is refused by its place, and not by its size", () => {
  const [a, b] = [
    [0, 4],
    [4, 0],
  ].map((offsets) => `{"dtype":"U8","shape":[4],"data_offsets":[${offsets.join()}]}`);
  expect(refusalText(() => readSafetensors(safetensorsFile(`{"a":${a},"b":${b}}`, 4)))).toMatch(
    /^INVALID_ARGUMENT: .*tensor "b" has the bytes from 4 to 0, expected them to begin at 4/,
  );
});

test("a header longer than 100,000,000 bytes is refused before it is read", () => {
  expect(refusalText(() => readSafetensors(safetensorsFile("{}", 0, 2n ** 64n - 1n)))).toMatch(
    /^INVALID_ARGUMENT: .*18446744073709551615 bytes/,
  );
  expect(refusalText(() => readSafetensors(safetensorsFile("{}", 0, 100_000_000n)))).toMatch(/^DATA_LOSS: /);
});

test.each([
  ["an HTML page", "<!doctype html><title>404</title>", 'it begins with "<!doctype html><"'],
  ["an .npy file", "\x93NUMPY\x01\x00v\x00{'descr'", 'it begins with "\\x93NUMPY\\x01\\x00v\\x00{\'desc", use readNpy for .npy files'],
  ["a .zip file", "PK\x03\x04\x14\0\0\0\0\0", 'it begins with "PK\\x03\\x04\\x14\\x00\\x00\\x00\\x00\\x00", use readNpz for .npz files'],
  ["a pointer of Git LFS", "version https://git-lfs.github.com/spec/v1\n", 'it begins with "version https://", a pointer of Git LFS'],
  ["eight bytes", "download", 'it begins with "download"'],
])("%s is refused as another kind of file", async (_, text, expected) => {
  const file = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const message = `INVALID_ARGUMENT: safetensors: not a safetensors file: ${expected}`;
  expect(refusalText(() => readSafetensors(file))).toContain(message);
  await expect(SafetensorsFile.open(new Blob([file]))).rejects.toThrow(expected);
});

test("more than 254 dimensions are a refusal of the tensor, not of the file", () => {
  const file = safetensorsFile(oneTensor("U8", new Array<number>(255).fill(1), 1), 1);
  expect(SafetensorsFile.fromBytes(file).entry("a").shape.length).toBe(255);
  expect(refusal(() => readSafetensors(file)).code).toBe("INVALID_ARGUMENT");
});

test("wrong arguments", () => {
  const file = writeSafetensors({});
  expect(refusal(() => readSafetensors("model.safetensors" as never)).code).toBe("INVALID_ARGUMENT");
  expect(refusalText(() => readSafetensors(file, { duplicate: "last" } as object))).toMatch(/did you mean "duplicates"/);
  expect(refusal(() => readSafetensors(file, { duplicates: "first" as "last" })).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => readSafetensors(file, { boolBytes: "no" as "keep" })).code).toBe("INVALID_ARGUMENT");
});
