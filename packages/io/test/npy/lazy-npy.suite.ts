// openNpy and saveNpy: which reads are made, rows, order, options, truncation; strings and raw bytes of readNpy.
import { expect, test } from "@jest/globals";
import { bytesCopied, liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { ChunkSink, openNpy, readNpy, readNpz, saveNpy, writeNpy, writeNpz } from "@onebuffer/io";
import type { ByteSource, NpyVoidDType } from "@onebuffer/io";
import { refusal, refusalText } from "@onebuffer/test-support";
import { npy, npyFile, npyHeader } from "./npy-file.ts";

function noted(bytes: Uint8Array<ArrayBuffer>): ByteSource & { readonly reads: (readonly [number, number])[] } {
  const reads: (readonly [number, number])[] = [];
  return {
    size: bytes.length,
    reads,
    read: async (offset, length) => {
      reads.push([offset, length]);
      return bytes.slice(offset, offset + length);
    },
  };
}

const numbered = (length: number): Uint8Array => Uint8Array.from({ length }, (_, i) => i + 1);
const codeOf = async (act: () => Promise<unknown>): Promise<string> =>
  await act().then(
    () => "nothing was thrown",
    (error: { readonly code: string }) => error.code,
  );

test("the header is one read, the data another, rows their own bytes", async () => {
  using t = Tensor.arange(0, 20_000);
  using matrix = t.reshape([1000, 20]);
  const source = noted(writeNpy(matrix));
  const file = await openNpy(source);
  expect([file.dtype, file.shape, file.fortranOrder, file.dataOffset, file.dataBytes]).toEqual(["float32", [1000, 20], false, 128, 80_000]);
  expect(source.reads).toEqual([[0, 4096]]);
  using rows = await file.rows(998, 1000);
  expect(source.reads.slice(1)).toEqual([[128 + 998 * 80, 160]]);
  expect(rows.toArray()).toEqual([0, 1].map((row) => Array.from({ length: 20 }, (_, i) => (998 + row) * 20 + i)));
  using last = await file.rows(999);
  expect(last.shape.dimSizes).toEqual([1, 20]);
  using none = await file.rows(5, 5);
  expect(none.shape.dimSizes).toEqual([0, 20]);
  using all = await file.tensor({ dtype: "float32" });
  expect(all.equals(matrix)).toBe(true);
});

test("a file in memory is a view, and its rows are", async () => {
  using t = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  const bytes = writeNpy(t);
  const file = await openNpy(bytes);
  const before = bytesCopied();
  using all = await file.tensor();
  using rows = await file.rows(1);
  expect([all.tensorData.buffer === bytes.buffer, rows.toArray(), bytesCopied() - before]).toEqual([true, [[3, 4]], 0]);
});

test("big-endian, Fortran order, bools, strings, raw bytes", async () => {
  const sources = (bytes: Uint8Array<ArrayBuffer>): readonly (Uint8Array<ArrayBuffer> | Blob)[] => [bytes, new Blob([bytes])];
  for (const source of sources(npy(">u2", [3], numbered(6)))) {
    const file = await openNpy(source);
    using t = await file.tensor();
    using rows = await file.rows(1, 2);
    expect([t.toArray(), rows.toArray()]).toEqual([[0x102, 0x304, 0x506], [0x304]]);
  }
  for (const source of sources(npy("|u1", [2, 3], numbered(6), "True"))) {
    const file = await openNpy(source);
    using t = await file.tensor();
    using rows = await file.rows(1, 2);
    using kept = await file.array();
    expect([t.toArray(), rows.toArray(), kept.map.toArray(), kept.tensor.shape.dimSizes]).toEqual([
      [
        [1, 3, 5],
        [2, 4, 6],
      ],
      [[2, 4, 6]],
      [
        [1, 3, 5],
        [2, 4, 6],
      ],
      [3, 2],
    ]);
  }
  for (const source of sources(npy("|b1", [3], Uint8Array.of(0, 1, 7)))) {
    const file = await openNpy(source);
    using normal = await file.tensor();
    using kept = await file.tensor({ boolBytes: "keep" });
    expect([[...normal.tensorData], [...kept.tensorData]]).toEqual([
      [0, 1, 1],
      [0, 1, 7],
    ]);
  }
  for (const source of sources(npy("|S2", [2, 2], Uint8Array.of(97, 0, 98, 99, 0, 0, 100, 0)))) {
    const file = await openNpy(source, { strings: true });
    using t = await file.tensor({ dtype: "string" });
    using rows = await file.rows(1);
    expect([t.toArray(), rows.toArray()]).toEqual([
      [
        ["a", "bc"],
        ["", "d"],
      ],
      [["", "d"]],
    ]);
  }
  for (const source of sources(npy("<V2", [2], Uint8Array.of(0x80, 0x3f, 0, 0x40)))) {
    using t = await (await openNpy(source, { voidAs: "bfloat16" })).tensor();
    expect([t.dtype as string, t.toArray()]).toEqual(["bfloat16", [1, 2]]);
  }
});

test("strings: every width of UTF-8, both byte orders, lone surrogates, characters that are none", () => {
  const codes = [0x41, 0xe9, 0x20ac, 0x1d11e, 0xd800, 0x10ffff, 0, 0x42, 0, 0];
  const wide = (littleEndian: boolean): Uint8Array => {
    const view = new DataView(new ArrayBuffer(4 * codes.length));
    codes.forEach((code, i) => view.setUint32(4 * i, code, littleEndian));
    return new Uint8Array(view.buffer);
  };
  const utf8 = [0x41, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0x9d, 0x84, 0x9e, 0xed, 0xa0, 0x80, 0xf4, 0x8f, 0xbf, 0xbf, 0, 0x42];
  for (const little of [true, false]) {
    using t = readNpy(npy(little ? "<U10" : ">U10", [], wide(little)), { strings: true });
    expect([...(t.toArray({ bytes: true }) as never as Uint8Array)]).toEqual(utf8);
  }
  using misaligned = readNpy(npyFile({ header: npyHeader("<U1", [1]).padEnd(61), data: Uint8Array.of(65, 0, 0, 0) }), { strings: true });
  expect(misaligned.toArray()).toEqual(["A"]);
  expect(refusalText(() => readNpy(npy("<U1", [1], Uint8Array.of(0, 0, 0x11, 0)), { strings: true }))).toMatch(
    /^INVALID_ARGUMENT: .*1114112/,
  );
  for (const descr of ["|S0", "<U0", "|S5000000000", "|a5", "|S"]) {
    expect(refusal(() => readNpy(npy(descr, [1], new Uint8Array(8)), { strings: true })).code).toMatch(/UNIMPLEMENTED|INVALID_ARGUMENT/);
  }
  expect(refusal(() => readNpy(npy("|S3", [2 ** 40], new Uint8Array(8)), { strings: true })).code).toBe("DATA_LOSS");
});

test("raw bytes have the dtype that is asked for, if its size is theirs", () => {
  const two = npy("|V2", [1], Uint8Array.of(0x80, 0x3f));
  using t = readNpy(two, { voidAs: "bfloat16" });
  expect([t.dtype as string, t.toArray()]).toEqual(["bfloat16", [1]]);
  using one = readNpy(npy("|V1", [1], Uint8Array.of(0x38)), { voidAs: "float8_e4m3fn" });
  expect(one.toArray()).toEqual([1]);
  expect(refusal(() => readNpy(two)).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => readNpy(two, { voidAs: "float8_e5m2" })).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => readNpy(two, { voidAs: "float16" as "bfloat16" })).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => readNpy(two, { strings: 1 as never })).code).toBe("INVALID_ARGUMENT");
});

test("raw bytes are written on request: the header that NumPy writes with ml_dtypes", async () => {
  const kDTypes =
    "bfloat16 float8_e5m2 float8_e4m3fn float8_e4m3fnuz float8_e4m3b11fnuz float8_e5m2fnuz float4_e2m1fn int4 uint4 int2 uint2".split(" ");
  for (const dtype of kDTypes as NpyVoidDType[]) {
    using t = Tensor.ones([3], { dtype });
    const bytes = writeNpy(t, { voidTypes: true });
    expect(String.fromCharCode(...bytes.subarray(10, 24))).toBe(`{'descr': '<V${dtype === "bfloat16" ? 2 : 1}`);
    using again = readNpy(bytes, { voidAs: dtype });
    expect(again.equals(t as never)).toBe(true);
    expect(refusal(() => writeNpy(t)).code).toBe("UNIMPLEMENTED");
    const sink = new ChunkSink();
    await saveNpy(t, sink, { voidTypes: true });
    expect(sink.toBytes()).toEqual(bytes);
    using all = await readNpz(await writeNpz({ t }, { voidTypes: true }), { voidAs: dtype });
    expect(all.tensor("t").equals(t as never)).toBe(true);
  }
  using t = Tensor.ones([3]);
  using text = Tensor.zeros([3], { dtype: "string" });
  expect(writeNpy(t, { voidTypes: true })).toEqual(writeNpy(t));
  expect(refusal(() => writeNpy(text as never, { voidTypes: true })).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => writeNpy(t, { voidTypes: 1 as never })).code).toBe("INVALID_ARGUMENT");
  expect(refusal(() => writeNpy(t, { void: true } as object)).code).toBe("INVALID_ARGUMENT");
  // NumPy with ml_dtypes writes float8_e5m2 as f1, which it does not read.
  using e5m2 = readNpy(npy("<f1", [1], Uint8Array.of(0x3c)), { voidAs: "float8_e5m2" });
  expect(e5m2.toArray()).toEqual([1]);
  expect(refusal(() => readNpy(npy("<f1", [1], Uint8Array.of(0x3c)), { voidAs: "float8_e4m3fn" })).code).toBe("INVALID_ARGUMENT");
});

test("refusals, and nothing is held after them", async () => {
  using t = Tensor.from([1, 2, 3]);
  const bytes = writeNpy(t);
  const before = liveBuffers();
  const file = await openNpy(new Blob([bytes]));
  expect(await codeOf(() => file.tensor({ dtype: "int32" }))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(() => file.rows(1, 4))).toBe("OUT_OF_RANGE");
  expect(await codeOf(() => file.rows(2, 1))).toBe("OUT_OF_RANGE");
  expect(await codeOf(() => file.rows(-1))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(() => file.tensor({ signal: { aborted: true } }))).toBe("CANCELLED");
  expect(await codeOf(() => file.tensor({ order: "keep" } as object))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(() => openNpy(bytes, { string: true } as object))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(async () => (await openNpy(npy("<f4", [], numbered(4)))).rows(0))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(() => openNpy(npyFile({ header: npyHeader("<f4", [1]).padEnd(50_000), data: numbered(4) })))).toBe(
    "INVALID_ARGUMENT",
  );
  using long = await (await openNpy(npyFile({ header: npyHeader("<f4", [1]).padEnd(9_000), data: numbered(4) }))).tensor();
  expect(long.shape.dimSizes).toEqual([1]);
  const short: ByteSource = {
    size: bytes.length,
    read: async (offset, length) => bytes.slice(offset, offset + Math.min(length, offset === 0 ? length : 5)),
  };
  expect(await codeOf(async () => await (await openNpy(short)).tensor())).toBe("DATA_LOSS");
  long.dispose();
  expect(liveBuffers()).toBe(before);
  for (let length = 0; length < bytes.length; length++) {
    expect([length, await codeOf(() => openNpy(new Blob([bytes.slice(0, length)])))]).toEqual([length, "DATA_LOSS"]);
    expect([length, refusal(() => readNpy(bytes.slice(0, length))).code]).toEqual([length, "DATA_LOSS"]);
  }
});

test("saveNpy writes the bytes of writeNpy, of tensors, maps and expressions, without a copy", async () => {
  using t = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  const parts: Uint8Array<ArrayBufferLike>[] = [];
  const before = bytesCopied();
  expect(await saveNpy(t, { write: (bytes: Uint8Array) => void parts.push(bytes) })).toBe(144);
  expect([parts.length, parts[1]?.buffer === t.tensorData.buffer, bytesCopied() - before]).toEqual([2, true, 0]);
  const sink = new ChunkSink();
  await saveNpy(t.matrix().mul(2).transpose(), sink);
  expect(sink.toBytes()).toEqual(writeNpy(t.matrix().mul(2).transpose()));
  expect(await codeOf(() => saveNpy(3 as never, new ChunkSink()))).toBe("INVALID_ARGUMENT");
  expect(await codeOf(() => saveNpy(t, new ChunkSink(), { signal: { aborted: true } }))).toBe("CANCELLED");
});
