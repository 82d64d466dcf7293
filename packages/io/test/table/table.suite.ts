/** Tests tables: what is written is read, every rule of the format is checked, and the index entries are TensorFlow's. */
import { describe, expect, test } from "@jest/globals";
import { crc32c, maskCrc } from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";
import fc from "fast-check";
import { memorySource } from "../../src/source/memory-source.ts";
import { BlockBuilder } from "../../src/table/block-builder.ts";
import { TableBlock } from "../../src/table/table-block.ts";
import { TableReader } from "../../src/table/table-reader.ts";
import { TableWriter } from "../../src/table/table-writer.ts";
import { joined, tableOf, utf8 } from "../checkpoint/bundle-files.ts";

type Entry = [key: Uint8Array, value: Uint8Array];

const open = (bytes: Uint8Array): Promise<TableReader> => TableReader.open(memorySource(bytes), "t");

async function read(bytes: Uint8Array): Promise<Entry[]> {
  const blocks = await (await open(bytes)).blocks();
  return blocks.flatMap((block) => Array.from({ length: block.count }, (_, i): Entry => [block.key(i), block.value(i)]));
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");
const texts = (entries: readonly Entry[]): string[] => entries.map(([key, value]) => `${hex(key)}=${hex(value)}`);

/** A block's entries and restart points, byte by byte. */
function block(entries: readonly (readonly [shared: number, key: string, value: string])[], restarts: readonly number[]): Uint8Array {
  const bytes = entries.flatMap(([shared, key, value]) => [shared, key.length, value.length, ...utf8(key), ...utf8(value)]);
  const words = new Uint8Array(Uint32Array.from([...restarts, restarts.length]).buffer);
  return Uint8Array.from([...bytes, ...words]);
}

const keysOf = (contents: Uint8Array, before: Uint8Array | null = null): string[] => {
  const read = new TableBlock(contents, "b", before);
  return Array.from({ length: read.count }, (_, i) => Buffer.from(read.key(i)).toString("latin1"));
};

describe("tables", () => {
  test("are read as they are written, whole and key by key", async () => {
    const key = fc.uint8Array({ maxLength: 12 }).map((bytes) => bytes.map((byte) => byte & 0xc1));
    const large = fc.constantFrom(60_000, 200_000, 262_144, 524_288).map((n) => new Uint8Array(n).fill(7));
    const value = fc.oneof({ weight: 15, arbitrary: fc.uint8Array({ maxLength: 40 }) }, { weight: 1, arbitrary: large });
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.tuple(key, value), { selector: ([k]) => hex(k), maxLength: 40 }), key, async (unsorted, other) => {
        const entries = unsorted.sort(([a], [b]) => Buffer.compare(a, b));
        const bytes = tableOf(entries);
        const found = await read(bytes);
        expect(found.map(([k]) => hex(k))).toEqual(entries.map(([k]) => hex(k)));
        found.forEach(([, v], i) => expect(Buffer.compare(v, (entries[i] as Entry)[1])).toBe(0));
        const table = await open(bytes);
        for (const [k, v] of entries.slice(0, 5)) expect(Buffer.compare((await table.find(k)) as Uint8Array, v)).toBe(0);
        const expected = entries.find(([k]) => hex(k) === hex(other))?.[1] ?? null;
        expect((await table.find(other))?.length).toBe(expected?.length);
      }),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 9 : 300 },
    );
  });

  test("without entries are 86 bytes", async () => {
    const bytes = tableOf([]);
    // Two blocks of 8 bytes and their trailers, metaindex and index, and the footer; there is no data block.
    expect(bytes.length).toBe(2 * (8 + 5) + 48);
    expect(await read(bytes)).toEqual([]);
    expect(await (await open(bytes)).find(utf8("a"))).toBeNull();
  });

  test.each([
    ["abc", "abe", "abd"],
    ["abc", "abd", "abc"],
    ["ab", "abc", "ab"],
    ["a\u007f", "b", "a\u007f"],
    ["ax", "cx", "b"],
  ])("the key of a block between %s and %s is %s, that of the last block %s raised", async (last, next, expected) => {
    const large = new Uint8Array(2 ** 18);
    const bytes = tableOf([
      [utf8(last), large],
      [utf8(next), large],
    ]);
    const index = new TableBlock(indexContents(bytes), "i", null);
    const first = utf8(next)[0] as number;
    expect([0, 1].map((i) => Buffer.from(index.key(i)).toString("latin1"))).toEqual([expected, String.fromCharCode(first + 1)]);
  });

  test("the key of a last block of ff bytes is not shortened", async () => {
    const bytes = tableOf([[Uint8Array.of(255, 255), utf8("v")]]);
    expect([...new TableBlock(indexContents(bytes), "i", null).key(0)]).toEqual([255, 255]);
    expect(texts(await read(bytes))).toEqual(["ffff=76"]);
  });

  test("keys that do not increase are not written", async () => {
    const table = new TableWriter();
    table.add(utf8("b"), utf8(""));
    await expectRefusal(() => table.add(utf8("b"), utf8("")), "INVALID_ARGUMENT", '"b" must come after "b"');
    await expectRefusal(() => table.add(utf8("a"), utf8("")), "INVALID_ARGUMENT", '"a"');
  });

  test("cut short anywhere are DATA_LOSS, and so is any changed byte of a block", async () => {
    const bytes = tableOf(["a", "abc", "b"].map((key): Entry => [utf8(key), utf8(`value of ${key}`)]));
    const expected = texts(await read(bytes));
    for (let length = 0; length < bytes.length; length++) await expectRefusal(() => read(bytes.slice(0, length)), "DATA_LOSS");
    for (let at = 0; at < bytes.length; at++) {
      const changed = bytes.slice();
      changed[at] = (changed[at] as number) ^ 0x20;
      // The metaindex is not read, and the padding of the footer means nothing.
      const outcome = await read(changed).then(texts, (error: unknown) => String(error));
      if (typeof outcome === "string") expect(outcome).toMatch(/^DATA_LOSS: /);
      else expect(outcome).toEqual(expected);
    }
  });

  test("an entry of 512 KiB begins a block, an entry after 256 KiB does, too", async () => {
    const value = (length: number): Uint8Array => new Uint8Array(length);
    const blocksOf = async (...entries: Entry[]): Promise<number[]> =>
      (await (await open(tableOf(entries))).blocks()).map(({ count }) => count);
    const [a, b, c] = [utf8("a"), utf8("b"), utf8("c")];
    // Of a pair, the key counts, too.
    expect(await blocksOf([a, value(1)], [b, value(2 ** 19 - 1)], [c, value(1)])).toEqual([1, 1, 1]);
    expect(await blocksOf([a, value(1)], [b, value(2 ** 19 - 2)], [c, value(1)])).toEqual([2, 1]);
    expect(await blocksOf([a, value(2 ** 19)], [c, value(1)])).toEqual([1, 1]);
    // 3 bytes of lengths, 2 of which have 3 bytes, a key, a restart point and the number of them.
    expect(await blocksOf([a, value(2 ** 18 - 14)], [c, value(1)])).toEqual([1, 1]);
    expect(await blocksOf([a, value(2 ** 18 - 15)], [c, value(1)])).toEqual([2]);
  });

  test("an index whose blocks overlap, or whose key is before a block's last, is DATA_LOSS", async () => {
    const bytes = tableOf([[utf8("b"), utf8("v")]]);
    const size = bytes.indexOf(0x76) + 9;
    /** The same data block with another index. */
    const withIndex = (...keys: string[]): Uint8Array => {
      const builder = new BlockBuilder(1);
      for (const key of keys) builder.add(utf8(key), Uint8Array.of(0, size));
      const contents = builder.finish();
      const typed = joined([contents, Uint8Array.of(0)]);
      const crc = new Uint8Array(Uint32Array.of(maskCrc(crc32c(typed))).buffer);
      const footer = new Uint8Array(48);
      footer.set([0, 0, size + 5, contents.length]);
      footer.set(bytes.slice(-8), 40);
      return joined([bytes.slice(0, size + 5), typed, crc, footer]);
    };
    expect(texts(await read(withIndex("b")))).toEqual(["62=76"]);
    expect(texts(await read(withIndex("x")))).toEqual(["62=76"]);
    await expectRefusal(() => open(withIndex("b", "c")), "DATA_LOSS", "begins before byte");
    await expectRefusal(() => read(withIndex("a")), "DATA_LOSS", 'its last key "b" is after its key in the index, "a"');
  });
});

/** The contents of the index block of a table. */
function indexContents(bytes: Uint8Array): Uint8Array {
  const footer = bytes.subarray(-48);
  let at = 0;
  const numbers = Array.from({ length: 4 }, () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = footer[at++] as number;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  });
  return bytes.subarray(numbers[2] as number, (numbers[2] as number) + (numbers[3] as number));
}

describe("blocks", () => {
  test("share key bytes with the entry before", () => {
    expect(
      keysOf(
        block(
          [
            [0, "abc", "1"],
            [2, "d", "2"],
            [3, "e", ""],
            [0, "b", ""],
          ],
          [0, 16],
        ),
      ),
    ).toEqual(["abc", "abd", "abde", "b"]);
    expect(keysOf(block([], [0]))).toEqual([]);
    expect(keysOf(block([], []))).toEqual([]);
  });

  test("have at most the keys that a writer can make", async () => {
    // Each entry of 4 bytes shares all bytes of the one before and adds one: 2^14 entries would have keys of 2^27 bytes together.
    const entries = Array.from({ length: 2 ** 14 }, (_, i) => [...(i < 128 ? [i] : [(i & 127) | 128, i >> 7]), 1, 0, 0]);
    const contents = Uint8Array.from([...entries.flat(), ...[0, 0, 0, 0], ...[1, 0, 0, 0]]);
    await expectRefusal(() => keysOf(contents), "DATA_LOSS", "keys take more than");
  });

  test.each<[string, Uint8Array, string]>([
    ["fewer than 4 bytes", Uint8Array.of(0, 0), "beyond"],
    ["more restart points than bytes", Uint8Array.of(0, 0, 0, 0, 9, 0, 0, 0), "9 restart points in 8 bytes"],
    [
      "keys out of order",
      block(
        [
          [0, "b", ""],
          [0, "a", ""],
        ],
        [0],
      ),
      '"a" comes after "b"',
    ],
    [
      "equal keys",
      block(
        [
          [0, "b", ""],
          [1, "", ""],
        ],
        [0],
      ),
      '"b" comes after "b"',
    ],
    [
      "a key that is the start of the last",
      block(
        [
          [0, "bb", ""],
          [1, "", ""],
        ],
        [0],
      ),
      '"b" comes after "bb"',
    ],
    [
      "more shared bytes than the key has",
      block(
        [
          [0, "b", ""],
          [2, "c", ""],
        ],
        [0],
      ),
      "shares 2 of 1",
    ],
    ["shared bytes in the first entry", block([[1, "b", ""]], [0]), "shares 1 of 0"],
    [
      "shared bytes at a restart point",
      block(
        [
          [0, "b", ""],
          [1, "c", ""],
        ],
        [0, 4],
      ),
      "restart point, but shares 1",
    ],
    [
      "a restart point within an entry",
      block(
        [
          [0, "b", ""],
          [0, "c", ""],
        ],
        [0, 5],
      ),
      "1 of 2 restart points",
    ],
    [
      "restart points out of order",
      block(
        [
          [0, "b", ""],
          [0, "c", ""],
        ],
        [4, 0],
      ),
      "restart points",
    ],
    [
      "no restart point at the first entry",
      block(
        [
          [0, "b", ""],
          [0, "c", ""],
        ],
        [4],
      ),
      "restart points",
    ],
    ["entries without restart points", block([[0, "b", ""]], []), "0 of 0 restart points"],
    ["two restart points without entries", block([], [0, 0]), "0 of 2 restart points"],
    ["a value beyond the entries", block([[0, "b", "v"]], [0]).map((byte, i) => (i === 2 ? 2 : byte)), "goes beyond byte 5"],
    ["a number cut short", joined([Uint8Array.of(0x80), new Uint8Array(4), Uint8Array.of(1, 0, 0, 0)]), "end within the number"],
    [
      "a number of 33 bits",
      joined([Uint8Array.of(255, 255, 255, 255, 31, 0, 0), new Uint8Array(4), Uint8Array.of(1, 0, 0, 0)]),
      "too large",
    ],
  ])("with %s are DATA_LOSS", async (_, contents, message) => {
    await expectRefusal(() => keysOf(contents), "DATA_LOSS", message === "beyond" ? "bad" : message);
  });

  test("begin after the key of the block before", async () => {
    expect(keysOf(block([[0, "b", ""]], [0]), utf8("a"))).toEqual(["b"]);
    await expectRefusal(() => keysOf(block([[0, "b", ""]], [0]), utf8("b")), "DATA_LOSS", '"b" comes after "b"');
  });
});
