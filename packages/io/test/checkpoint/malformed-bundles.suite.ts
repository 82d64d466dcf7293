/** Tests that malformed bundles end in errors before anything is allocated: cut short anywhere, changed anywhere, with impossible entries. */
import { describe, expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { BundleReader, BundleWriter, CheckpointReader } from "@onebuffer/io";
import type { BundleEntryProto } from "@onebuffer/proto";
import { TensorSlice } from "@onebuffer/slice";
import { expectRefusal } from "@onebuffer/test-support";
import { BundleIndex } from "../../src/checkpoint/bundle-index.ts";
import { bundleOf, indexOf, masked, MemoryFolder } from "./bundle-files.ts";
import type { Files } from "./bundle-files.ts";

const kIndex = "m.index";
const kData = "m.data-00000-of-00001";

/** A small bundle with numbers, strings, a variant and a tensor in two slices, and its tensors as text. */
async function small(): Promise<{ files: Files; expected: string }> {
  using numbers = Tensor.from([1, -2, 3]);
  using strings = Tensor.from(["one", "", "three"]);
  using rows = Tensor.from([[7, 8]], { dtype: "int16" });
  const folder = new MemoryFolder();
  const writer = new BundleWriter(folder.create, "m");
  await writer.add("numbers", numbers);
  await writer.add("strings", strings);
  await writer.addVariants("variants", strings);
  await writer.addSlice("sliced", [2, 2], TensorSlice.parse("0,1:-"), rows);
  await writer.addSlice("sliced", [2, 2], TensorSlice.parse("1,1:-"), rows);
  await writer.finish();
  return { files: folder.files, expected: await everything(folder.files) };
}

/** All tensors of a bundle as text. */
async function everything(files: Files): Promise<string> {
  const tensors = await (await BundleReader.open(files, "m")).lookupAll();
  let text = "";
  for (const [key, tensor] of tensors) {
    text += `${key} ${tensor.dtype} ${tensor.toString()}\n`;
    tensor.dispose();
  }
  return text;
}

const replaced = (files: Files, name: string, bytes: Uint8Array): Files => new Map([...files, [name, bytes]]);

/** A bundle with one entry, `w`. */
const withEntry = (entry: BundleEntryProto | Uint8Array, data = new Uint8Array(16)): Files => bundleOf({ w: entry }, data);

const lookup = async (files: Files): Promise<void> => {
  using tensor = await (await BundleReader.open(files, "m")).lookup("w");
  expect(tensor).toBe(undefined);
};

const kTwo64 = 2n ** 63n - 1n;

/** `npm test` cuts and changes at every third byte, and so changes every bit of a byte; `npm run long` at each. */
const kStep = process.env["ONEBUFFER_LONG"] === undefined ? 3 : 1;

describe("malformed bundles", () => {
  test("cut short at any byte", async () => {
    const { files } = await small();
    for (const name of [kIndex, kData]) {
      const bytes = files.get(name) as Uint8Array;
      for (let length = 0; length < bytes.length; length += kStep)
        await expectRefusal(() => everything(replaced(files, name, bytes.slice(0, length))), "DATA_LOSS");
    }
  });

  test("changed at any byte: an error, or the same tensors", async () => {
    const { files, expected } = await small();
    for (const name of [kIndex, kData]) {
      const bytes = files.get(name) as Uint8Array;
      for (let at = 0; at < bytes.length; at += kStep) {
        const changed = bytes.slice();
        changed[at] = (changed[at] as number) ^ (1 << (at % 8));
        try {
          expect(await everything(replaced(files, name, changed))).toBe(expected);
        } catch (error) {
          expect(isStatusError(error) ? error.code : error).toBe("DATA_LOSS");
        }
      }
    }
  });

  test.each<[string, BundleEntryProto | Uint8Array, "DATA_LOSS" | "INVALID_ARGUMENT", string]>([
    ["no dtype", { shape: {} }, "INVALID_ARGUMENT", "w"],
    ["an unknown dtype", { dtype: 99 }, "INVALID_ARGUMENT", "99"],
    ["a reference dtype", { dtype: 101 }, "INVALID_ARGUMENT", "101"],
    ["a resource", { dtype: 20, size: 16 }, "INVALID_ARGUMENT", "resource"],
    ["a negative dimension", { dtype: 1, shape: { dim: [{ size: -1 }] } }, "INVALID_ARGUMENT", "-1"],
    ["255 dimensions", { dtype: 1, shape: { dim: Array.from({ length: 255 }, () => ({ size: 1 })) } }, "INVALID_ARGUMENT", "255"],
    ["too many elements", { dtype: 1, shape: { dim: [{ size: 2 ** 40 }, { size: 2 ** 40 }] } }, "INVALID_ARGUMENT", "w"],
    [
      "too many elements beside a 0",
      { dtype: 1, shape: { dim: [{ size: kTwo64 }, { size: kTwo64 }, { size: 0 }] } },
      "INVALID_ARGUMENT",
      "w",
    ],
    ["an unknown rank", { dtype: 1, shape: { unknownRank: true }, size: 4 }, "INVALID_ARGUMENT", "unknown rank"],
    [
      "a size that is not the shape's",
      { dtype: 1, shape: { dim: [{ size: 4 }] }, size: 12 },
      "DATA_LOSS",
      "stored size 12; expected size 16",
    ],
    ["a size beyond the shape's", { dtype: 1, shape: { dim: [{ size: 3 }] }, size: 16 }, "DATA_LOSS", "stored size 16; expected size 12"],
    ["a huge shape", { dtype: 1, shape: { dim: [{ size: 2 ** 45 }] }, size: 16 }, "DATA_LOSS", "expected size 140737488355328"],
    ["a huge shape and size", { dtype: 1, shape: { dim: [{ size: 2 ** 45 }] }, size: 2 ** 47 }, "DATA_LOSS", "140737488355328"],
    ["more strings than bytes", { dtype: 7, shape: { dim: [{ size: 2 ** 40 }] }, size: 16 }, "DATA_LOSS", "is at least 1099511627776"],
    ["more variants than bytes", { dtype: 21, shape: { dim: [{ size: 17 }] }, size: 16 }, "DATA_LOSS", "is at least 17"],
    [
      "no elements and another checksum than that of no bytes",
      { dtype: 1, shape: { dim: [{}] }, crc32c: 7 },
      "DATA_LOSS",
      "does not match",
    ],
    ["a negative size", { dtype: 1, shape: {}, size: -4 }, "INVALID_ARGUMENT", "size is -4"],
    ["a negative offset", { dtype: 1, shape: {}, size: 4, offset: -4 }, "INVALID_ARGUMENT", "offset is -4"],
    ["an offset beyond 2^53", { dtype: 1, shape: {}, size: 4, offset: kTwo64 }, "INVALID_ARGUMENT", "9223372036854775807"],
    ["an offset and a size beyond the shard", { dtype: 1, shape: {}, size: 4, offset: 13 }, "DATA_LOSS", "13"],
    ["a negative shard", { dtype: 1, shape: {}, size: 4, shardId: -1 }, "INVALID_ARGUMENT", "shard -1 of 1"],
    ["a shard that does not exist", { dtype: 1, shape: {}, size: 4, shardId: 1 }, "INVALID_ARGUMENT", "shard 1 of 1"],
    ["a slice of another rank", { dtype: 1, shape: {}, slices: [{ extent: [{}] }] }, "INVALID_ARGUMENT", "Mismatching ranks"],
    [
      "a slice beyond the shape",
      { dtype: 1, shape: { dim: [{ size: 2 }] }, slices: [{ extent: [{ start: 1, length: 2 }] }] },
      "INVALID_ARGUMENT",
      "out of bounds",
    ],
    [
      "a slice with a negative start",
      { dtype: 1, shape: { dim: [{ size: 2 }] }, slices: [{ extent: [{ start: -1, length: 2 }] }] },
      "INVALID_ARGUMENT",
      "w",
    ],
    [
      "a slice of length 0",
      { dtype: 1, shape: { dim: [{ size: 2 }] }, slices: [{ extent: [{ start: 1, length: 0 }] }] },
      "INVALID_ARGUMENT",
      "w",
    ],
    [
      "variants in slices",
      { dtype: 21, shape: { dim: [{ size: 2 }] }, slices: [{ extent: [{ start: 0, length: 1 }] }] },
      "INVALID_ARGUMENT",
      "slices",
    ],
    ["a slice without its entry", { dtype: 1, shape: { dim: [{ size: 2 }] }, slices: [{ extent: [{}] }] }, "DATA_LOSS", "is missing"],
    ["a message cut short", Uint8Array.of(8, 1, 18, 9), "DATA_LOSS", "w"],
    ["no message", Uint8Array.of(0xff, 0xff), "DATA_LOSS", "w"],
  ])("an entry with %s", async (_, entry, code, message) => {
    await expectRefusal(() => lookup(withEntry(entry)), code, '"w"', message);
  });

  test.each<[string, number[], string]>([
    ["lengths that need more bytes", [5, 1, 0, 0, 0, 0, 0x61], "2 strings take 12 bytes, but the stored size is 7"],
    ["bytes left over", [1, 1, 0, 0, 0, 0, 0x61, 0x62, 0x63], "2 strings take 8 bytes, but the stored size is 9"],
    ["a huge length", [255, 255, 255, 255, 255, 255, 255, 7, 1, 0, 0, 0, 0], "2 strings take"],
    ["a length beyond 2^53", [255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 0], "too large"],
    ["a length cut short", [1, 255], "end within the number"],
  ])("strings with %s", async (_, bytes, message) => {
    const data = Uint8Array.from(bytes);
    const entry: BundleEntryProto = { dtype: 7, shape: { dim: [{ size: 2 }] }, size: data.length, crc32c: masked(data) };
    await expectRefusal(() => lookup(withEntry(entry, data)), "DATA_LOSS", message);
  });

  test("strings whose lengths have another checksum, and variants with bytes left over", async () => {
    // The entry's checksum is right: it covers the lengths as fixed32, the wrong checksum, and the string.
    const lengthsCrc = Uint8Array.of(1, 2, 3, 4);
    const strings = Uint8Array.of(1, ...lengthsCrc, 0x61);
    const entry: BundleEntryProto = { dtype: 7, shape: {}, size: 6, crc32c: masked(Uint8Array.of(1, 0, 0, 0, ...lengthsCrc, 0x61)) };
    await expectRefusal(() => lookup(withEntry(entry, strings)), "DATA_LOSS", "The length checksum does not match");
    const variant = Uint8Array.of(1, 0x61, ...new Uint8Array(Uint32Array.of(masked(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, 0x61))).buffer));
    const crc32c = masked(Uint8Array.of(1, 0, 0, 0, 0, 0, 0, 0, ...variant.subarray(1)));
    using message = await (await BundleReader.open(withEntry({ dtype: 21, shape: {}, size: 6, crc32c }, variant), "m")).lookup("w");
    expect(message.toArray()).toBe("a");
    const longer = withEntry({ dtype: 21, shape: {}, size: 7, crc32c }, Uint8Array.of(...variant, 0));
    await expectRefusal(() => lookup(longer), "DATA_LOSS", "1 variants take 6 bytes, but the stored size is 7");
    const shorter = withEntry({ dtype: 21, shape: {}, size: 5, crc32c }, variant);
    await expectRefusal(() => lookup(shorter), "DATA_LOSS", "goes beyond the end");
  });

  test("slices that overlap, do not cover, or are of another dtype or shape", async () => {
    const extents = (...lengths: number[][]): BundleEntryProto => ({
      dtype: 1,
      shape: { dim: [{ size: 4 }] },
      slices: lengths.map(([start = 0, length = 0]) => ({ extent: [{ start, length }] })),
    });
    const key = (start: number, length: number): string => `\0w\0\x01\x01\x01${String.fromCharCode(0x80 + start, 0x80 + length)}`;
    const stored = (dtype: number, count: number): BundleEntryProto => ({
      dtype,
      shape: { dim: [{ size: count }] },
      size: count * 4,
      crc32c: masked(new Uint8Array(count * 4)),
    });
    const bundle = (full: BundleEntryProto, parts: Readonly<Record<string, BundleEntryProto>>): Files => {
      // Keys of slices are bytes, not UTF-8.
      const latin = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0));
      return new Map([
        [
          kIndex,
          indexOf(
            { w: full },
            undefined,
            Object.entries(parts).map(([each, entry]) => [latin(each), entry]),
          ),
        ],
        [kData, new Uint8Array(16)],
      ]);
    };
    using whole = await (
      await BundleReader.open(bundle(extents([0, 2], [2, 2]), { [key(0, 2)]: stored(1, 2), [key(2, 2)]: stored(1, 2) }), "m")
    ).lookup("w");
    expect(whole.toArray()).toEqual([0, 0, 0, 0]);
    await expectRefusal(() => lookup(bundle(extents([0, 2], [1, 3]), {})), "INTERNAL", "Overlapping slices");
    await expectRefusal(() => lookup(bundle(extents([0, 2], [3, 1]), {})), "INVALID_ARGUMENT", "Does not have sufficient slices");
    for (const [dtype, count] of [
      [3, 2],
      [1, 1],
      [1, 3],
    ] as const) {
      const parts = { [key(0, 2)]: stored(1, 2), [key(2, 2)]: stored(dtype, count) };
      await expectRefusal(() => lookup(bundle(extents([0, 2], [2, 2]), parts)), "DATA_LOSS", "its slice 2,2");
    }
    const nested = { [key(0, 2)]: stored(1, 2), [key(2, 2)]: { ...stored(1, 2), slices: [{ extent: [{}] }] } };
    await expectRefusal(() => lookup(bundle(extents([0, 2], [2, 2]), nested)), "DATA_LOSS", "its slice 2,2");
  });

  test("headers of other versions, without shards, or missing", async () => {
    const open = (header: Parameters<typeof bundleOf>[2]): Promise<BundleReader> =>
      BundleReader.open(bundleOf({}, new Uint8Array(0), header), "m");
    expect((await open({ numShards: 3 })).keys).toEqual([]);
    expect((await open({ version: { producer: 9, minConsumer: 1, badConsumers: [2, 3] } })).numShards).toBe(0);
    await expectRefusal(() => open({ version: { minConsumer: 2 } }), "INVALID_ARGUMENT", "min consumer version 2");
    await expectRefusal(() => open({ version: { badConsumers: [3, 1] } }), "INVALID_ARGUMENT", "disallows consumer version 1");
    await expectRefusal(() => open({ version: { producer: -1 } }), "INVALID_ARGUMENT", "producer version -1");
    await expectRefusal(() => open({ numShards: -1 }), "INVALID_ARGUMENT", "-1 shards");
    const files: Files = new Map([[kIndex, indexOf({ w: { dtype: 1 } }, null)]]);
    await expectRefusal(() => BundleReader.open(files, "m"), "DATA_LOSS", "header is missing");
    await expectRefusal(() => BundleReader.open(new Map(), "m"), "NOT_FOUND", "m.index");
    await expectRefusal(() => lookup(new Map([[kIndex, indexOf({ w: { dtype: 1, shape: {}, size: 4 } })]])), "NOT_FOUND", kData);
  });

  test("big-endian numbers, complex numbers and strings are read in the memory's order", async () => {
    const floats = Uint8Array.of(0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0);
    const lengths = Uint8Array.of(0, 0, 0, 2);
    const lengthCrc = masked(lengths);
    const crc = new Uint8Array(4);
    new DataView(crc.buffer).setUint32(0, lengthCrc);
    const text = Uint8Array.of(0x68, 0x69);
    const stored = Uint8Array.of(2, ...crc, ...text);
    const files = bundleOf(
      {
        c: { dtype: 8, shape: {}, size: 8, crc32c: masked(floats) },
        f: { dtype: 1, shape: { dim: [{ size: 2 }] }, size: 8, crc32c: masked(floats) },
        s: { dtype: 7, shape: {}, offset: 8, size: stored.length, crc32c: masked(Uint8Array.of(...lengths, ...crc, ...text)) },
      },
      Uint8Array.of(...floats, ...stored),
      { numShards: 1, endianness: 1 },
    );
    const reader = await BundleReader.open(files, "m");
    expect(reader.isBigEndian).toBe(true);
    const all = await reader.lookupAll();
    expect([...all].map(([key, tensor]) => [key, tensor.toArray()])).toEqual([
      ["c", [1, -2]],
      ["f", [1, -2]],
      ["s", "hi"],
    ]);
    for (const tensor of all.values()) tensor.dispose();
    using second = await reader.lookupSlice("f", TensorSlice.parse("1,1"));
    expect(second.toArray()).toEqual([-2]);
  });

  test("a data file that could not be opened is tried again", async () => {
    const { files } = await small();
    let failures = 2;
    const reader = await BundleReader.open((name) => (name === kData && failures-- > 0 ? undefined : files.get(name)), "m");
    await expectRefusal(() => reader.lookup("numbers"), "NOT_FOUND", kData);
    await expectRefusal(() => reader.lookupAll(), "NOT_FOUND", kData);
    using numbers = await reader.lookup("numbers");
    expect(numbers.toArray()).toEqual([1, -2, 3]);
  });

  test("wrong JavaScript values are INVALID_ARGUMENT", async () => {
    const { files } = await small();
    const reader = await BundleReader.open(files, "m");
    const refuse = (act: () => unknown, ...text: string[]): Promise<void> => expectRefusal(act, "INVALID_ARGUMENT", ...text);
    await refuse(() => BundleReader.open(5 as never, "m"));
    await refuse(() => BundleReader.open(files, 5 as never), "prefix");
    await refuse(() => BundleReader.open(files, "m", { verify: false } as never), "verifyChecksums");
    await refuse(() => reader.lookup(5 as never), "5");
    await refuse(() => reader.lookup("\ud800"), "well-formed");
    const gone = new Uint8Array(3);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    await refuse(() => reader.contains(gone), "detached");
    await refuse(() => reader.lookupAll(gone as never), "list of keys");
    await refuse(() => reader.lookupSlice("numbers", null as never), "TensorSlice");
    await refuse(() => reader.lookup("numbers", { dtype: "int32" }), "float32");
    await refuse(() => reader.lookup("numbers", { dtyp: "int32" } as never), "dtype");
    await refuse(() => reader.lookupSlice("numbers", "0,1" as never), "TensorSlice");
    await refuse(() => reader.lookupAll("numbers" as never), "list of keys");
    await refuse(() => reader.lookupAll(["numbers", "numbers"]), "two keys");
    await refuse(() => reader.lookupStoredBytes("sliced"), "2 slices");
    await expectRefusal(() => reader.lookupSlice("numbers", TensorSlice.parse("2,2")), "INTERNAL", "out of bounds");
    await expectRefusal(() => reader.lookupDtypeAndShape("nothing"), "NOT_FOUND", '"nothing"');
    expect([reader.contains(""), reader.contains("numbers"), reader.contains("zzz")]).toEqual([false, true, false]);
    await refuse(() => CheckpointReader.open(files, 5 as never), "name");
  });
});

test("an index of more than 8 MiB is read by parts, a smaller one at once", async () => {
  for (const size of [2 ** 23, 2 ** 23 + 1]) {
    const reads: number[] = [];
    const read = async (_: number, length: number): Promise<Uint8Array> => {
      reads.push(length);
      return new Uint8Array(length);
    };
    await expectRefusal(() => BundleIndex.read({ size, read }, "m.index"), "DATA_LOSS", "m.index");
    expect([size, reads[0] === size]).toEqual([size, size === 2 ** 23]);
  }
});
