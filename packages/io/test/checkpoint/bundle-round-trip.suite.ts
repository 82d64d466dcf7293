/** Tests that bundles are read as they are written: every dtype, slices against a naive twin, progress, cancelling, several shards. */
import { describe, expect, test } from "@jest/globals";
import { allDTypes, DataLossError, dtypeSize, isObjectDType } from "@onebuffer/base";
import type { DType } from "@onebuffer/base";
import { cpuAllocator } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import type { ByteSource, FileSet, TransferProgress } from "@onebuffer/io";
import { BundleReader, BundleWriter, mergeBundles, openTensorFiles } from "@onebuffer/io";
import { TensorSlice } from "@onebuffer/slice";
import { expectRefusal } from "@onebuffer/test-support";
import fc from "fast-check";
import { bundleOf, masked, MemoryFolder, bundleWith } from "./bundle-files.ts";
import type { Files } from "./bundle-files.ts";

/** A tensor of any dtype but variant and resource whose bytes are all different from those of its neighbors. */
function sample(dtype: DType, shape: readonly number[]): Tensor {
  const count = shape.reduce((product, size) => product * size, 1);
  if (dtype === "string")
    return Tensor.from(
      Array.from({ length: count }, (_, i) => "λx".repeat(i % 5) + String(i)),
      { dtype, shape },
    ) as Tensor;
  const tensor = new Tensor(dtype, shape);
  const bytes = tensor.tensorData;
  for (let i = 0; i < bytes.length; i++) bytes[i] = dtype === "bool" ? i % 2 : (i * 37) & (dtypeSize(dtype) === 1 ? 3 : 255);
  return tensor as Tensor;
}

/** The elements as text: the bytes of numbers, the strings. */
const elements = (tensor: Tensor): string =>
  tensor.dtype === "string" ? JSON.stringify(tensor.toArray()) : Buffer.from(tensor.tensorData).toString("hex");

async function written(tensors: Readonly<Record<string, Tensor>>, alignment = 1): Promise<Files> {
  const folder = new MemoryFolder();
  const writer = new BundleWriter(folder.create, "m", { alignment });
  await Promise.all([...Object.entries(tensors).map(([key, tensor]) => writer.add(key, tensor)), writer.finish()]);
  return folder.files;
}

/** Files that note what is read of them. */
function watched(files: Files): FileSet & { readonly reads: [name: string, offset: number, length: number][] } {
  const reads: [string, number, number][] = [];
  return {
    reads,
    open: async (name): Promise<ByteSource> => {
      const bytes = files.get(name) as Uint8Array;
      const read = async (offset: number, length: number): Promise<Uint8Array> => {
        reads.push([name, offset, length]);
        return bytes.slice(offset, offset + length);
      };
      return { size: bytes.length, name, read };
    },
  };
}

const kStored = allDTypes.filter((dtype) => dtype !== "variant" && dtype !== "resource");

describe("bundles", () => {
  test.each([1, 64])("hold every dtype, with an alignment of %i", async (alignment) => {
    const tensors = Object.fromEntries(
      kStored.flatMap((dtype) => [[2, 3], [], [0, 2]].map((shape) => [`${dtype} [${shape.join()}]`, sample(dtype, shape)])),
    );
    try {
      const files = await written(tensors, alignment);
      const reader = await BundleReader.open(files, "m");
      expect(reader.keys).toEqual(Object.keys(tensors).sort());
      expect([reader.numShards, reader.isBigEndian]).toEqual([1, false]);
      const all = await reader.lookupAll();
      for (const [key, tensor] of Object.entries(tensors)) {
        const found = all.get(key) as Tensor;
        expect([key, found.dtype, found.shape.dimSizes, elements(found)]).toEqual([
          key,
          tensor.dtype,
          tensor.shape.dimSizes,
          elements(tensor),
        ]);
        found.dispose();
      }
      expect((files.get("m.data-00000-of-00001") as Uint8Array).length % alignment).toBe(0);
    } finally {
      for (const tensor of Object.values(tensors)) tensor.dispose();
    }
  });

  test("regions of whole and sliced tensors are those of a naive twin, of which no more than needed is read", async () => {
    const size = fc.integer({ min: 1, max: 5 });
    const cases = fc.array(size, { minLength: 1, maxLength: 4 }).chain((shape) =>
      fc.record({
        shape: fc.constant(shape),
        dtype: fc.constantFrom<DType>("uint8", "bfloat16", "float32", "float64", "complex128", "string"),
        cuts: fc.array(fc.nat(4), { minLength: shape.length, maxLength: shape.length }),
        ends: fc.array(fc.tuple(fc.nat(4), fc.nat(4)), { minLength: shape.length, maxLength: shape.length }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(cases, async ({ shape, dtype, cuts, ends }) => {
        using whole = sample(dtype, shape);
        const region = new TensorSlice(
          shape.map((length, d): [number, number] => {
            const [a = 0, b = 0] = ends[d] ?? [];
            const [from, to] = [Math.min(a, b) % length, Math.max(a, b) % length];
            return from === 0 && to === length - 1 && a === 0 ? [0, -1] : [Math.min(from, to), Math.abs(to - from) + 1];
          }),
        );
        const folder = new MemoryFolder();
        const writer = new BundleWriter(folder.create, "m");
        await writer.add("whole", whole);
        for (const slice of partition(shape, cuts)) {
          using part = whole.copySlice(slice);
          await writer.addSlice("sliced", shape, slice, part);
        }
        await writer.finish();
        const files = watched(folder.files);
        const reader = await BundleReader.open(files, "m");
        using expected = whole.copySlice(region);
        for (const key of ["whole", "sliced"]) {
          files.reads.length = 0;
          using found = await reader.lookupSlice(key, region);
          expect([found.shape.dimSizes, elements(found)]).toEqual([expected.shape.dimSizes, elements(expected)]);
          // The first dimension's rows are contiguous: of a slice of rows nothing else is read.
          const isRows = [...region].slice(1).every(([start, length], d) => start === 0 && (length === -1 || length === shape[d + 1]));
          if (key === "whole" && isRows && !isObjectDType(dtype))
            expect(files.reads.reduce((sum, [, , length]) => sum + length, 0)).toBe(expected.totalBytes);
          using all = await reader.lookup(key);
          expect(elements(all)).toBe(elements(whole));
        }
      }),
      { numRuns: process.env["ONEBUFFER_LONG"] === undefined ? 4 : 600 },
    );
  });

  test("a slice of columns is read in bands, long gaps are not read", async () => {
    const rows = 20;
    const columns = 40_000;
    using flat = Tensor.arange(0, rows * columns, 1, { dtype: "int32" });
    using wide = flat.reshape([rows, columns]);
    using narrow = flat.reshape([rows * 400, 100]);
    const files = watched(await written({ wide, narrow }));
    const reader = await BundleReader.open(files, "m");
    files.reads.length = 0;
    using corner = await reader.lookupSlice("wide", TensorSlice.parse("5,3:7,2"));
    expect(corner.toArray()).toEqual([5, 6, 7].map((row) => [row * columns + 7, row * columns + 8]));
    expect(files.reads.map(([, , length]) => length)).toEqual([8, 8, 8]);
    files.reads.length = 0;
    using last = await reader.lookupSlice("narrow", TensorSlice.parse("-:99,1"));
    expect([...(last.flat().data as Int32Array).subarray(-2)]).toEqual([799_899, 799_999]);
    // 3.2 MB in bands of up to 1 MiB.
    expect(files.reads.length).toBe(4);
    expect(Math.max(...files.reads.map(([, , length]) => length))).toBeLessThanOrEqual(2 ** 20);
  });

  test("progress ends with all bytes, and an aborted signal leaves nothing", async () => {
    using a = Tensor.arange(300_000);
    using b = Tensor.zeros([1000, 1000]);
    const files = await written({ a, b });
    const reader = await BundleReader.open(files, "m");
    const events: TransferProgress[] = [];
    const tensors = await reader.lookupAll(["b", "a"], { onProgress: (event) => events.push(event) });
    expect([...tensors.keys()]).toEqual(["b", "a"]);
    for (const tensor of tensors.values()) tensor.dispose();
    expect(events.at(-1)).toEqual({ bytes: 5_200_000, totalBytes: 5_200_000, name: "b" });
    events.length = 0;
    using slice = await reader.lookupSlice("b", TensorSlice.parse("-:1,2"), { onProgress: (event) => events.push(event) });
    expect([slice.numElements, events.at(-1)]).toEqual([2000, { bytes: 8000, totalBytes: 8000, name: "b" }]);
    const controller = new AbortController();
    await expectRefusal(
      () => reader.lookupAll(undefined, { signal: controller.signal, onProgress: () => controller.abort("enough") }),
      "CANCELLED",
      "enough",
    );
    await expectRefusal(() => reader.lookup("a", { signal: controller.signal }), "CANCELLED");
    await expectRefusal(() => BundleReader.open(files, "m", { signal: controller.signal }), "CANCELLED");
    const onProgress = (): void => {
      throw new DataLossError("from the listener");
    };
    await expectRefusal(() => reader.lookupAll(undefined, { onProgress }), "DATA_LOSS", "from the listener");
  });

  test("elements of 4 and 2 bits take a byte each, whose other bits mean nothing", async () => {
    const bytes = Uint8Array.of(0x0e, 0xfe, 0x07, 0x02);
    const dim = { dim: [{ size: 4 }] };
    const numbers = { int4: 29, uint4: 30, int2: 31, uint2: 32, float4_e2m1fn: 33 };
    const entries = Object.entries(numbers).map(([key, dtype]) => [key, { dtype, shape: dim, size: 4, crc32c: masked(bytes) }]);
    using all = await (await BundleReader.open(bundleOf(Object.fromEntries(entries), bytes), "m")).lookupAll();
    expect(Object.fromEntries([...all].map(([key, tensor]) => [key, tensor.toArray()]))).toEqual({
      int4: [-2, -2, 7, 2],
      uint4: [14, 14, 7, 2],
      int2: [-2, -2, -1, -2],
      uint2: [2, 2, 3, 2],
      float4_e2m1fn: [-4, -4, 6, 1],
    });
  });

  test("checksums are verified unless that is switched off", async () => {
    using tensor = Tensor.from([1, 2, 3]);
    using text = Tensor.from(["a", "b"]);
    const files = await written({ tensor, text });
    const data = files.get("m.data-00000-of-00001") as Uint8Array;
    data[0] = 1;
    data[data.length - 1] = 0x63;
    const strict = await BundleReader.open(files, "m");
    await expectRefusal(() => strict.lookup("tensor"), "DATA_LOSS", "Checksum does not match");
    await expectRefusal(() => strict.lookupStoredBytes("tensor"), "DATA_LOSS", "Checksum does not match");
    await expectRefusal(() => strict.lookup("text"), "DATA_LOSS", "Checksum does not match");
    await expectRefusal(() => strict.lookupAll(), "DATA_LOSS");
    // The checksum is that of the whole tensor: the second element is read without it.
    using second = await strict.lookupSlice("tensor", TensorSlice.parse("1,1"));
    expect(second.toArray()).toEqual([2]);
    const loose = await BundleReader.open(files, "m", { verifyChecksums: false });
    using changed = await loose.lookup("text");
    expect(changed.toArray()).toEqual(["a", "c"]);
    using number = await loose.lookup("tensor");
    expect(number.toArray()).toEqual([1.0000001192092896, 2, 3]);
  });

  test("keys may be any bytes", async () => {
    const key = Uint8Array.of(0x6e, 0xff, 0x00, 0x78);
    using tensor = Tensor.from([1, 2]);
    using row = Tensor.from([3]);
    const folder = new MemoryFolder();
    const writer = new BundleWriter(folder.create, "m");
    await writer.add(key, tensor);
    await writer.add(Uint8Array.of(0x6e, 0xfe, 0x00, 0x78), tensor);
    const sliced = Uint8Array.of(0xff);
    await writer.addSlice(sliced, [2], TensorSlice.parse("0,1"), row);
    await writer.addSlice(sliced, [2], TensorSlice.parse("1,1"), row);
    await writer.finish();
    const reader = await BundleReader.open(folder.files, "m");
    expect(reader.keyBytes.map((each) => [...each])).toEqual([[0x6e, 0xfe, 0x00, 0x78], [...key], [0xff]]);
    expect(reader.keys).toEqual(["n\ufffd\0x", "n\ufffd\0x", "\ufffd"]);
    expect([reader.contains(key), reader.contains("n\ufffd\0x")]).toEqual([true, false]);
    using found = await reader.lookup(key, { dtype: "float32" });
    expect(found.toArray()).toEqual([1, 2]);
    using both = await reader.lookup(sliced);
    expect(both.toArray()).toEqual([3, 3]);
    await expectRefusal(() => reader.lookupAll(), "INVALID_ARGUMENT", "two keys");
  });

  test("tensors come from the allocator that is given", async () => {
    using tensor = Tensor.from([1, 2]);
    const reader = await BundleReader.open(await written({ tensor }), "m");
    using found = await reader.lookup("tensor", { allocator: cpuAllocator() });
    expect([found.toArray(), found.tensorData.buffer.byteLength]).toEqual([[1, 2], 8]);
    const full = { name: "full" };
    Object.setPrototypeOf(full, cpuAllocator());
    Object.assign(full, { allocateRaw: () => null });
    await expectRefusal(() => reader.lookup("tensor", { allocator: full as never }), "RESOURCE_EXHAUSTED", "full");
  });

  test("variants are strings of their messages", async () => {
    using messages = Tensor.from(["first", "", "third"], { dtype: "string" });
    const folder = new MemoryFolder();
    const writer = new BundleWriter(folder.create, "m");
    await writer.addVariants("v", messages);
    await writer.finish();
    const files = folder.files;
    const reader = await BundleReader.open(files, "m");
    expect(reader.lookupDtypeAndShape("v").dtype).toBe("variant");
    using found = await reader.lookup("v", { dtype: "string" });
    expect(found.toArray()).toEqual(["first", "", "third"]);
    for (let at = 0; at < (files.get("m.data-00000-of-00001") as Uint8Array).length; at++) {
      const changed = new Map(files);
      changed.set(
        "m.data-00000-of-00001",
        (files.get("m.data-00000-of-00001") as Uint8Array).map((byte, i) => (i === at ? byte ^ 1 : byte)),
      );
      await expectRefusal(async () => (await BundleReader.open(changed, "m")).lookup("v"), "DATA_LOSS");
    }
  });

  test("parts are merged, slices of one tensor put together", async () => {
    using a = Tensor.from([[1, 2]]);
    using b = Tensor.from([[3, 4]]);
    const folder = new MemoryFolder();
    for (const [i, rows] of [a, b].entries()) {
      const writer = new BundleWriter(folder.create, `part${i}`);
      await writer.addSlice("w", [2, 2], TensorSlice.parse(`${i},1:-`), rows);
      await writer.add(`only ${i}`, rows);
      await writer.finish();
    }
    await mergeBundles(folder.files, ["part1", "part0"], folder.create, "m");
    const reader = await BundleReader.open(folder.files, "m");
    expect([reader.numShards, reader.keys]).toEqual([2, ["only 0", "only 1", "w"]]);
    expect(reader.lookupTensorSlices("w").map(String)).toEqual(["1,1:-", "0,1:-"]);
    using w = await reader.lookup("w");
    expect(w.toArray()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    // Merged parts can be merged again.
    using more = Tensor.from([5]);
    const writer = new BundleWriter(folder.create, "part2");
    await writer.add("more", more);
    await writer.finish();
    await mergeBundles(folder.files, ["m", "part2"], folder.create, "all");
    const all = await BundleReader.open(folder.files, "all");
    const tensors = await all.lookupAll();
    expect([all.numShards, ...[...tensors].map(([key, tensor]) => [key, tensor.toArray()])]).toEqual([
      3,
      ["more", [5]],
      ["only 0", [[1, 2]]],
      ["only 1", [[3, 4]]],
      [
        "w",
        [
          [1, 2],
          [3, 4],
        ],
      ],
    ]);
    for (const tensor of tensors.values()) tensor.dispose();
    await expectRefusal(() => mergeBundles(folder.files, ["m", "m"], folder.create, "x"), "INVALID_ARGUMENT", "Duplicate tensor");
    await expectRefusal(() => mergeBundles(folder.files, ["nothing"], folder.create, "x"), "NOT_FOUND");
  });
});

/** Slices that cover a shape without overlap: each dimension is cut once, or not at all. */
function partition(shape: readonly number[], cuts: readonly number[]): TensorSlice[] {
  let extents: [number, number][][] = [[]];
  for (const [d, size] of shape.entries()) {
    const cut = (cuts[d] ?? 0) % size;
    const parts: [number, number][] =
      cut === 0
        ? [[0, -1]]
        : [
            [0, cut],
            [cut, size - cut],
          ];
    extents = extents.flatMap((before) => parts.map((part) => [...before, part]));
  }
  return extents.map((each) => new TensorSlice(each));
}

test("a name keeps its byte order mark, and ten thousand strings their lengths' checksum", async () => {
  using numbers = Tensor.from([1, 2]);
  const texts = Array.from({ length: 10_000 }, (_, i) => "x".repeat(i % 3) + i);
  using strings = Tensor.from(texts);
  const { files } = await bundleWith("m", { "\ufeffa": numbers as Tensor, strings: strings as Tensor });
  const reader = await BundleReader.open(files, "m");
  expect([...reader.keys].sort()).toEqual(["strings", "\ufeffa"]);
  using read = await reader.lookup("strings");
  expect(read.toArray()).toEqual(texts);
  const store = await openTensorFiles(files, "m");
  const stored = await reader.lookupStoredBytes("strings");
  const { bytes, ...others } = await store.bytes("strings");
  expect([Buffer.compare(bytes, stored), others]).toEqual([0, { checksum: "ok" }]);
});
