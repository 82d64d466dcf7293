// The zip's directory: what is found, and every contradiction is refused.
import { describe, expect, test } from "@jest/globals";
import { Tensor } from "@onebuffer/core";
import { NpzFile, openNpz, readNpz, writeNpy } from "@onebuffer/io";
import type { ByteSource } from "@onebuffer/io";
import { refusal, refusalText } from "@onebuffer/test-support";
import { crc32, deflateRawSync } from "node:zlib";
import { zipFile } from "./zip-file.ts";
import type { ZipOptions, ZipPart } from "./zip-file.ts";

const npy = (() => {
  using t = Tensor.from([1, 2, 3]);
  return writeNpy(t);
})();
const part: ZipPart = { name: "a.npy", data: npy };
const large = (...values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(4 + 8 * values.length);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, 1, true);
  view.setUint16(2, 8 * values.length, true);
  values.forEach((value, i) => view.setBigUint64(4 + 8 * i, BigInt(value), true));
  return bytes;
};

async function readsA(bytes: Uint8Array<ArrayBuffer>): Promise<void> {
  using inMemory = await NpzFile.fromBytes(bytes).tensor("a");
  expect(inMemory.toArray()).toEqual([1, 2, 3]);
  const file = await openNpz(new Blob([bytes]));
  using read = await file.tensor("a");
  expect(read.toArray()).toEqual([1, 2, 3]);
}

describe("files that are read", () => {
  const readable: Readonly<Record<string, readonly [readonly ZipPart[], ZipOptions?]>> = {
    plain: [[part]],
    "bytes before the zip": [[part], { prefix: new Uint8Array(1000).fill(0x50) }],
    "a comment": [[part], { comment: new TextEncoder().encode("made by hand") }],
    "the longest comment": [[part], { comment: new Uint8Array(65535) }],
    "a comment that has the mark of an end record": [
      [part],
      { comment: Uint8Array.of(0x50, 0x4b, 5, 6, ...new Array<number>(30).fill(0)) },
    ],
    zip64: [[part], { zip64: true }],
    "zip64 behind other bytes": [[part], { zip64: true, prefix: new Uint8Array(77) }],
    "sizes in the extra field": [[{ ...part, size: 0xffffffff, compressedSize: 0xffffffff, extra: large(npy.length, npy.length) }]],
    "two different sizes in the extra field": [
      [{ ...part, method: 8, size: 0xffffffff, compressedSize: 0xffffffff, extra: large(npy.length, deflateRawSync(npy).length) }],
    ],
    "offset in the extra field, behind another field": [
      [{ ...part, offset: 0xffffffff, extra: Uint8Array.of(9, 9, 1, 0, 7, ...large(0)) }],
    ],
    "extra bytes in the member's own header": [[{ ...part, localExtra: new Uint8Array(13) }]],
    "other members": [[{ name: "readme.txt", data: new Uint8Array(5) }, { name: "folder/", data: new Uint8Array(0) }, part]],
  };
  test.each(Object.entries(readable))("%s", async (_, [parts, options]) => await readsA(zipFile(parts, options)));
});

test("an .npy file is refused with the name of its reader", async () => {
  const message = "npz: this is an .npy file, of one array: use readNpy or openNpy";
  expect(refusalText(() => NpzFile.fromBytes(npy))).toBe(`INVALID_ARGUMENT: ${message}`);
  await expect(readNpz(npy)).rejects.toThrow(message);
  await expect(openNpz(new Blob([npy]))).rejects.toThrow(message);
});

test("names: UTF-8 where the flag says so, code page 437 elsewhere", () => {
  const utf8 = new TextEncoder().encode("ünï𝄞.npy");
  const file = NpzFile.fromBytes(
    zipFile([
      { name: utf8, data: npy, flags: 0x800 },
      { name: "\x81n\x8b\x9f\xe0\xff.npy", data: npy },
      { name: "__proto__.npy", data: npy },
      { name: "a/b.npy", data: npy },
      { name: ".npy", data: npy },
    ]),
  );
  expect(file.names).toEqual(["ünï𝄞", "ünïƒα\u00a0", "__proto__", "a/b", ""]);
  expect(refusalText(() => NpzFile.fromBytes(zipFile([{ name: "\xff.npy", data: npy, flags: 0x800 }])))).toMatch(/is not valid UTF-8/);
  expect(refusalText(() => NpzFile.fromBytes(zipFile([{ name: "a\0.npy", data: npy }])))).toMatch(/NUL/);
});

describe("directories that are refused", () => {
  const refused: Readonly<Record<string, readonly [RegExp, readonly ZipPart[], ZipOptions?]>> = {
    "two members of one name": [/^INVALID_ARGUMENT: .*two members called "a.npy"/, [part, part]],
    "two members on the same bytes": [/^INVALID_ARGUMENT: .*ends at byte/, [part, { ...part, name: "b.npy", offset: 0 }]],
    "a member that reaches into the next": [
      /^INVALID_ARGUMENT: .*"a.npy" ends at byte/,
      [
        { ...part, compressedSize: 180 },
        { ...part, name: "b.npy" },
      ],
    ],
    "a member that reaches into the directory": [/^INVALID_ARGUMENT: .*ends at byte/, [{ ...part, compressedSize: npy.length + 1 }]],
    "a member behind the file": [/^INVALID_ARGUMENT: .*ends at byte/, [{ ...part, offset: 5000 }]],
    "more entries than there are": [/^INVALID_ARGUMENT: .*entries? /, [part], { entries: 2 }],
    "fewer entries than there are": [/^INVALID_ARGUMENT: .*1 entries have/, [part, { ...part, name: "b.npy" }], { entries: 1 }],
    "a directory larger than the file": [/^DATA_LOSS: .*does not fit/, [part], { directoryBytes: 5000 }],
    "a directory that begins in a member": [/^INVALID_ARGUMENT: /, [part], { directoryBytes: 70, directoryOffset: 0 }],
    "a directory behind the end record": [/^DATA_LOSS: .*does not fit/, [part], { directoryOffset: 5000 }],
    "a part of a split zip": [/^INVALID_ARGUMENT: .*split/, [part], { disk: 1 }],
    "no zip64 size": [/^INVALID_ARGUMENT: .*no zip64 size/, [{ ...part, size: 0xffffffff }]],
    "a short zip64 field": [
      /^INVALID_ARGUMENT: .*no zip64 size/,
      [{ ...part, size: 0xffffffff, compressedSize: 0xffffffff, extra: large(npy.length) }],
    ],
    "a size above 2^53": [
      /^INVALID_ARGUMENT: .*18446744073709551615/,
      [{ ...part, size: 0xffffffff, extra: Uint8Array.of(1, 0, 8, 0, 255, 255, 255, 255, 255, 255, 255, 255) }],
    ],
    "an extra field that exceeds the others": [/^INVALID_ARGUMENT: .*exceeds/, [{ ...part, extra: Uint8Array.of(9, 9, 9, 0, 7) }]],
    "a zip64 record with 2^60 entries": [/^INVALID_ARGUMENT: /, [part], { zip64: true, entries: 2 ** 40 }],
  };
  test.each(Object.entries(refused))("%s", async (_, [pattern, parts, options]) => {
    const bytes = zipFile(parts, options);
    expect(refusalText(() => NpzFile.fromBytes(bytes))).toMatch(pattern);
    await expect(openNpz(new Blob([bytes]))).rejects.toThrow();
  });

  test("trailing bytes and no zip at all are DATA_LOSS", () => {
    for (const bytes of [Uint8Array.of(...zipFile([part]), 0), new Uint8Array(0), new Uint8Array(21), new Uint8Array(100_000)])
      expect(refusal(() => NpzFile.fromBytes(bytes)).code).toBe("DATA_LOSS");
  });
});

describe("members that are refused when they are read", () => {
  const refused: Readonly<Record<string, readonly [RegExp, ZipPart]>> = {
    encrypted: [/^UNIMPLEMENTED: npz: member "a.npy" is encrypted/, { ...part, flags: 1 }],
    bzip2: [/^UNIMPLEMENTED: .*method 12 \(bzip2\), only stored and deflated/, { ...part, method: 12 }],
    lzma: [/^UNIMPLEMENTED: .*method 14 \(lzma\)/, { ...part, method: 14 }],
    "another method": [/^UNIMPLEMENTED: .*method 99,/, { ...part, method: 99 }],
    "stored with two sizes": [/^INVALID_ARGUMENT: .*140 bytes in 139/, { ...part, compressedSize: 139 }],
    "another name in its own header": [/^INVALID_ARGUMENT: .*another name/, { ...part, localName: "b.npy" }],
    "a longer name in its own header": [/^INVALID_ARGUMENT: .*(another name|ends at byte)/, { ...part, localName: "aa.npy" }],
    "an extra field that moves it into the next member": [/^INVALID_ARGUMENT: .*"a.npy" ends at byte/, { ...part, localExtraLength: 1 }],
    "no header of its own": [/^INVALID_ARGUMENT: .*no header of its own/, { ...part, localMagic: 0x04034b51 }],
    "a wrong checksum": [/^DATA_LOSS: .*CRC-32 [0-9a-f]{8}, the zip's directory has 00000001/, { ...part, crc: 1 }],
    "a wrong checksum of deflated bytes": [/^DATA_LOSS: .*CRC-32/, { ...part, method: 8, crc: 1 }],
    "more bytes than declared": [/^DATA_LOSS: .*more than 139 bytes/, { ...part, method: 8, size: 139 }],
    "fewer bytes than declared": [/^DATA_LOSS: .*inflates to 140 bytes/, { ...part, method: 8, size: 141 }],
    "a size that deflate cannot make": [/^DATA_LOSS: .*cannot inflate to 4000000000/, { ...part, method: 8, size: 4_000_000_000 }],
    "no .npy file": [/^INVALID_ARGUMENT: npy header: not an .npy file/, { ...part, data: new Uint8Array(140).fill(7) }],
    "a deflated one that is no .npy file": [
      /^INVALID_ARGUMENT: npy header: not an .npy file/,
      { ...part, method: 8, data: new Uint8Array(140).fill(7) },
    ],
    "a deflated one without bytes": [/^DATA_LOSS: npy header/, { ...part, method: 8, data: new Uint8Array(0) }],
    "an .npy file that ends early": [/^DATA_LOSS: npy: expected 12 bytes/, { ...part, data: npy.subarray(0, 139) }],
    "a deflated .npy file that ends early": [/^DATA_LOSS: npy: expected 12 bytes/, { ...part, method: 8, data: npy.subarray(0, 139) }],
    "a deflated header that ends early": [/^DATA_LOSS: npy header/, { ...part, method: 8, data: npy.subarray(0, 60) }],
  };
  test.each(Object.entries(refused))("%s", async (_, [pattern, only]) => {
    const other: ZipPart = { name: "z.npy", data: npy };
    const bytes = zipFile([only, other]);
    for (const source of [bytes, new Blob([bytes])]) {
      const file = await openNpz(source);
      expect(file.names).toEqual(["a", "z"]);
      const text = await file.tensor("a").then(
        (tensor) => {
          tensor.dispose();
          return "nothing was thrown";
        },
        (error: unknown) => String(error),
      );
      expect(text).toMatch(pattern);
      using z = await file.tensor("z");
      expect(z.toArray()).toEqual([1, 2, 3]);
    }
    if (only.method === 8) return;
    expect(refusalText(() => NpzFile.fromBytes(bytes).tensorSync("a"))).toMatch(pattern);
  });

  test("checksums can be left unchecked", async () => {
    const bytes = zipFile([
      { ...part, crc: 1 },
      { ...part, name: "b.npy", method: 8, crc: 1 },
    ]);
    using tensors = await readNpz(new Blob([bytes]), { verifyChecksums: false });
    expect([...tensors.values()].map((tensor) => tensor.toArray())).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  });
});

test("bytes behind an array are ignored, but count for the checksum", async () => {
  const longer = Uint8Array.of(...npy, 1, 2, 3);
  const bytes = zipFile([
    { name: "a.npy", data: longer },
    { name: "b.npy", data: longer, method: 8 },
  ]);
  for (const source of [bytes, new Blob([bytes])]) {
    using tensors = await readNpz(source);
    expect([...tensors.values()].map((tensor) => tensor.toArray())).toEqual([
      [1, 2, 3],
      [1, 2, 3],
    ]);
  }
  const damaged = zipFile([{ name: "a.npy", data: longer, crc: crc32(Uint8Array.of(...npy, 1, 2, 4)) }]);
  await expect(readNpz(new Blob([damaged]))).rejects.toMatchObject({ code: "DATA_LOSS" });
});

test("a file that ends early at any byte is DATA_LOSS or INVALID_ARGUMENT", async () => {
  for (const method of [0, 8]) {
    const bytes = zipFile([{ ...part, method }], { comment: Uint8Array.of(1, 2, 3) });
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      const code = await readNpz(cut).then(
        (tensors) => {
          tensors.dispose();
          return "read";
        },
        (error: { readonly code: string }) => error.code,
      );
      expect([length, code]).toEqual([length, "DATA_LOSS"]);
    }
  }
});

test("opening reads the end and the directory, and an array its own bytes", async () => {
  const bytes = zipFile([{ name: "big.npy", data: new Uint8Array(600_000) }, part]);
  const reads: number[] = [];
  const source: ByteSource = {
    size: bytes.length,
    read: async (offset, length) => {
      reads.push(length);
      return bytes.slice(offset, offset + length);
    },
  };
  const file = await openNpz(source);
  expect(reads).toEqual([42, 46 + 7 + 46 + 5]);
  reads.length = 0;
  using a = await file.tensor("a");
  expect(a.toArray()).toEqual([1, 2, 3]);
  expect(reads.length).toBe(1);
});

test("one field that is not set is enough for the record of zip64", async () => {
  for (const unset of ["entries", "length", "offset"]) {
    const bytes = zipFile([part], { zip64: true });
    const view = new DataView(bytes.buffer);
    const end = bytes.length - 22;
    if (unset !== "entries") for (const at of [8, 10]) view.setUint16(end + at, 1, true);
    if (unset !== "length") view.setUint32(end + 12, 1, true);
    if (unset !== "offset") view.setUint32(end + 16, 1, true);
    await readsA(bytes);
  }
});
