// openTensors, openTensorFiles and formatOf: files of every format under wrong names, slices, folders and prefixes, hostile bytes.
import { describe, expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { isStatusError, NotFoundError } from "@onebuffer/base";
import { cpuAllocator, liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import {
  BundleWriter,
  formatOf,
  MemoryFiles,
  openTensorFiles,
  openTensors,
  saveTensors,
  updateCheckpointState,
  writeCheckpoint,
} from "@onebuffer/io";
import { ChunkSink, writeNpy, writeNpz, writeSafetensors, writeTFRecords } from "@onebuffer/io";
import type { ByteSource, TensorStore } from "@onebuffer/io";
import { TensorSlice } from "@onebuffer/slice";
import { isLong, sampled } from "@onebuffer/test-support";
import { bundleOf, utf8 } from "../checkpoint/bundle-files.ts";
import { npy } from "../npy/npy-file.ts";
import { firstVersion, filesOf, sampleFiles } from "./sample-files.ts";
import type { SampleFile } from "./sample-files.ts";

const kNames = "w.npy w.npz w.safetensors w.safetensors.index.json w.index w.data-00000-of-00001 w.tfrecord w.pb w.txt w".split(" ");

function matrixOf(): Tensor<"float32"> {
  using line = Tensor.arange(0, 12);
  return line.reshape([4, 3]);
}

async function withSamples(act: (samples: readonly SampleFile[], matrix: Tensor<"float32">) => Promise<void>): Promise<void> {
  const live = liveBuffers();
  {
    using matrix = matrixOf();
    await act(await sampleFiles(matrix), matrix);
  }
  expect(liveBuffers()).toBe(live);
}

/** A source of a file that is not in memory, which notes the bytes that are read. */
function noted(bytes: Uint8Array): ByteSource & { readonly reads: (readonly [number, number])[] } {
  const reads: (readonly [number, number])[] = [];
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    reads.push([offset, length]);
    return bytes.slice(offset, offset + length);
  };
  return { size: bytes.length, reads, read };
}

const refusal = async (act: Promise<unknown>): Promise<string> =>
  await act.then(
    () => "nothing was thrown",
    (error: unknown) => (isStatusError(error) ? String(error) : `no StatusError: ${String(error)}`),
  );

test("the bytes decide the format, whatever the name", async () => {
  await withSamples(async (samples, matrix) => {
    const pairs = samples.flatMap((sample) => kNames.map((name) => [sample, name] as const));
    for (const [sample, name] of sampled(pairs, pairs.length / 3)) {
      const store = await openTensorFiles(filesOf(sample, name), name);
      expect([sample.kind, name, store.format]).toEqual([sample.kind, name, sample.format]);
      expect([sample.kind, name, await formatOf(sample.bytes, { name })]).toEqual([sample.kind, name, sample.format]);
      if (sample.tensor === null) {
        expect(store.names.map((each) => store.info(each).bytes)).toEqual([3, 0]);
        using record = await store.read("record 0");
        expect(record.toArray()).toBe("\u0001\u0002\u0003");
        continue;
      }
      expect(store.info(sample.tensor)).toEqual({ name: sample.tensor, dtype: "float32", shape: [4, 3], bytes: 48 });
      using read = await store.read(sample.tensor);
      expect([sample.kind, read.equals(matrix as never)]).toEqual([sample.kind, true]);
      const { bytes, checksum } = await store.bytes(sample.tensor);
      expect([sample.kind, Buffer.compare(bytes, matrix.tensorData)]).toEqual([sample.kind, 0]);
      expect(checksum).toBe(["npz", "checkpoint"].includes(sample.format) ? "ok" : null);
    }
  });
});

test("a slice is the part of the whole, from sources in memory and others, with any allocator", async () => {
  await withSamples(async (samples, matrix) => {
    for (const sample of samples.filter(({ tensor }) => tensor !== null)) {
      for (const text of ["-:-", "1,2:-", "-:1,1", "3,1:0,2", "0,4:0,3"]) {
        const slice = TensorSlice.parse(text);
        using expected = matrix.copySlice(slice);
        const files = filesOf(sample, "w");
        for (const input of [files, new Map([...files].map(([name, bytes]) => [name, noted(bytes)]))]) {
          const store = await openTensorFiles(input as Map<string, Uint8Array>, "w");
          const bytes: number[] = [];
          using part = await store.read(sample.tensor as string, slice, {
            allocator: cpuAllocator(),
            onProgress: (progress) => bytes.push(progress.bytes),
          });
          expect([sample.kind, text, part.toArray()]).toEqual([sample.kind, text, expected.toArray()]);
        }
      }
    }
  });
});

test("a slice reads only its bytes: .npy, stored members, safetensors, checkpoints", async () => {
  using line = Tensor.arange(0, 40_000, 1, { dtype: "int32" });
  using matrix = line.reshape([400, 100]);
  const made = new MemoryFiles();
  const writer = new BundleWriter(made, "m");
  await writer.add("w", matrix);
  await writer.finish();
  const zip = await writeNpz({ w: matrix });
  const cases: readonly (readonly [string, Uint8Array, number])[] = [
    ["", writeNpy(matrix), 128],
    ["w", zip, zip.length - 160_000 - 73],
    ["w", writeSafetensors({ w: matrix }), writeSafetensors({ w: matrix }).length - 160_000],
  ];
  for (const [name, bytes, dataAt] of cases) {
    const source = noted(bytes);
    const store = await openTensors(source);
    const before = source.reads.length;
    using rows = await store.read(name, TensorSlice.parse("7,2:-"));
    // .npy and .npz read their headers again, which are before the data.
    const data = source.reads.slice(before).filter(([offset]) => offset > 300);
    expect(rows.toArray()).toEqual([7, 8].map((row) => Array.from({ length: 100 }, (_, i) => 100 * row + i)));
    expect([store.format, data.reduce((sum, [, length]) => sum + length, 0)]).toEqual([store.format, 800]);
    expect(data[0]?.[0]).toBe(dataAt + 2800);
    using column = await store.read(name, TensorSlice.parse("10,5:50,1"));
    expect(column.toArray()).toEqual([10, 11, 12, 13, 14].map((row) => [100 * row + 50]));
  }
  const shard = noted(made.files.get("m.data-00000-of-00001") as Uint8Array);
  const store = await openTensorFiles({ "m.index": made.files.get("m.index") as Uint8Array, "m.data-00000-of-00001": shard }, "m");
  using rows = await store.read("w", TensorSlice.parse("7,2:-"));
  expect([shard.reads, rows.shape.dimSizes]).toEqual([[[2800, 800]], [2, 100]]);
});

test("a member's header alone is read, of a deflated one as much as it needs", async () => {
  using zeros = Tensor.zeros([2 ** 20]);
  for (const compressed of [false, true]) {
    const bytes = await writeNpz({ zeros }, { compressed });
    const source = noted(bytes);
    const store = await openTensors(source);
    expect(store.info("zeros")).toEqual({ name: "zeros", dtype: "float32", shape: [2 ** 20], bytes: 2 ** 22 });
    const total = source.reads.reduce((sum, [, length]) => sum + length, 0);
    expect(total).toBeLessThan(400_000);
  }
});

describe("names that are no files", () => {
  test("a prefix, a data file, a folder with a checkpoint, a SavedModel, a model of safetensors", async () => {
    using matrix = matrixOf();
    const made = new MemoryFiles();
    const writer = new BundleWriter(made, "m");
    await writer.add("w", matrix);
    await writer.finish();
    const state = new MemoryFiles();
    await updateCheckpointState(state, "m");
    const saved = new MemoryFiles();
    await writeCheckpoint(saved, "variables/variables", { w: matrix });
    const stores: readonly (readonly [string, TensorStore])[] = [
      ["checkpoint", await openTensorFiles(made.files, "m")],
      ["checkpoint", await openTensorFiles(made.files, "m.index")],
      ["checkpoint", await openTensorFiles(made.files, "m.data-00000-of-00001")],
      ["checkpoint", await openTensorFiles(new Map([["m.index", made.files.get("m.index") as Uint8Array]]), "m.data-00000-of-00001")],
      ["checkpoint", await openTensorFiles(new Map([...made.files, ...state.files]))],
      ["checkpoint", await openTensorFiles(saved.files, "")],
      ["safetensors", await openTensorFiles({ "model.safetensors": writeSafetensors({ w: matrix }) })],
      ["checkpoint v1", await openTensorFiles({ old: firstVersion("w", matrix as Tensor) }, "old")],
      ["checkpoint v1", await openTensorFiles({ "old-00000-of-00001": firstVersion("w", matrix as Tensor) }, "old")],
    ];
    for (const [format, store] of stores) expect([store.format, store.names.some((name) => name.startsWith("w"))]).toEqual([format, true]);
    expect(await refusal(openTensorFiles(made.files, "other"))).toBe("NOT_FOUND: no such file, and no checkpoint of this name");
    expect(await refusal(openTensorFiles(new Map()))).toMatch(/^NOT_FOUND: the folder has no model: .*model\.safetensors/);
  });

  test("a data file whose bytes look like another format belongs to its index; the end of a file is looked at after its beginning", async () => {
    const data = npy("|u1", [3], Uint8Array.of(1, 2, 3));
    const files = bundleOf({ w: { dtype: 4, shape: { dim: [{ size: data.length }] }, size: data.length, crc32c: 0 } }, data);
    expect((await openTensorFiles(files, "m.data-00000-of-00001")).format).toBe("checkpoint");
    expect((await openTensorFiles({ "m.data-00000-of-00001": data }, "m.data-00000-of-00001")).format).toBe("npy");
    const magic = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];
    expect((await openTensors(npy("|u1", [8], Uint8Array.from(magic)))).format).toBe("npy");
    expect(await formatOf(Uint8Array.from([...new Uint8Array(40), ...magic]))).toBe("checkpoint");
  });

  test("an index without its data file, with an entry that is malformed, and with one whose checksum is wrong", async () => {
    const files = bundleOf(
      { bad: utf8("\u0001"), w: { dtype: 4, shape: { dim: [{ size: 3 }] }, size: 3, crc32c: 7 } },
      Uint8Array.of(1, 2, 3),
    );
    const store = await openTensorFiles(files, "m");
    expect(store.info("bad")).toEqual({ name: "bad", dtype: "unreadable", shape: [], bytes: 0 });
    expect(store.notes.map(([name]) => name)).toEqual(["1 data file", "bad"]);
    expect(await refusal(store.read("bad"))).toMatch(/^(INVALID_ARGUMENT|DATA_LOSS)/);
    expect(await store.bytes("w")).toEqual({ bytes: Uint8Array.of(1, 2, 3), checksum: "bad" });
    expect(await refusal(store.read("w"))).toMatch(/^DATA_LOSS/);
    const alone = await openTensors(files.get("m.index") as Uint8Array);
    expect(alone.notes).toContainEqual(["missing", "the file.data-00000-of-00001"]);
    expect(await refusal(alone.read("w"))).toMatch(/^NOT_FOUND/);
  });
});

test("saveTensors writes every format that is written, of tensors and of stores, and what it wrote is read", async () => {
  await withSamples(async (samples, matrix) => {
    for (const [name, format, tensor] of [
      ["a.npy", "npy", ""],
      ["a.npz", "npz", "w"],
      ["a.safetensors", "safetensors", "w"],
      ["a.ckpt", "checkpoint", "w"],
    ] as const) {
      const made = new MemoryFiles();
      await saveTensors({ w: matrix }, made, name);
      const store = await openTensorFiles(made.files, name);
      using read = await store.read(tensor);
      expect([store.format, read.equals(matrix as never)]).toEqual([format, true]);
      // From every format that has the tensor under its name.
      for (const sample of samples.filter((each) => each.tensor === "w" && each.kind !== "safetensors index")) {
        const converted = new MemoryFiles();
        await saveTensors(await openTensorFiles(filesOf(sample, "x"), "x"), converted, "other", { format });
        expect([sample.kind, [...converted.files.values()]]).toEqual([sample.kind, [...made.files.values()]]);
      }
    }
    const shards = new MemoryFiles();
    await saveTensors({ v: matrix, w: matrix }, shards, "m.safetensors", { maxShardBytes: 48 });
    expect((await openTensorFiles(shards.files, "m.safetensors.index.json")).names).toEqual(["v", "w"]);
    for (const [name, options, error] of [
      ["a.txt", {}, /INVALID_ARGUMENT: saveTensors: the format of "a.txt"/],
      ["a", { format: "TFRecord" }, /INVALID_ARGUMENT: saveTensors: "TFRecord": the formats are npy, npz, safetensors, checkpoint/],
      ["a.npy", {}, /INVALID_ARGUMENT: an .npy file has one tensor, got 2/],
      ["a.ckpt", { maxShardBytes: 5 }, /UNIMPLEMENTED/],
      ["a.npz", { compressed: 1 as never }, /INVALID_ARGUMENT/],
      ["a.npz", { maxShardBytes: 0 }, /INVALID_ARGUMENT/],
      ["a.safetensors", { signal: { aborted: true } }, /CANCELLED/],
    ] as const) {
      const files = new MemoryFiles();
      expect(await refusal(saveTensors({ v: matrix, w: matrix }, files, name, options))).toMatch(error);
      expect(() => files.files).toThrow(/not complete/);
    }
  });
});

test("of records a damaged one is bad, and those after it are not; any is read from its offset", async () => {
  const sink = new ChunkSink();
  const records = [0, 1, 2, 3].map((value) => new Uint8Array(300_000).fill(value));
  await writeTFRecords(sink, records);
  const bytes = sink.toBytes();
  bytes[300_016 + 12 + 5] = 9; // within the second record
  const source = noted(bytes);
  const store = await openTensors(source);
  const verdicts = [];
  for (const name of store.names) verdicts.push((await store.bytes(name)).checksum);
  expect(verdicts).toEqual(["ok", "bad", "ok", "ok"]);
  for (const [name, value] of [
    ["record 3", 3],
    ["record 0", 0],
    ["record 2", 2],
  ] as const) {
    // prettier-ignore
    source.reads.length = 0;
    using record = await store.read(name);
    expect([name, (record.toArray({ bytes: true }) as never as Uint8Array)[7]]).toEqual([name, value]);
    expect(Math.min(...source.reads.map(([offset]) => offset))).toBe(value * 300_016);
  }
  expect(await refusal(store.read("record 1"))).toMatch(/^DATA_LOSS/);
  // A damaged length: that record and those after it are not listed. Of a compressed file it is not known how long it may be.
  bytes[2 * 300_016 + 6] = 200;
  for (const [file, code] of [
    [bytes, "DATA_LOSS"],
    [new Uint8Array(gzipSync(bytes)), "RESOURCE_EXHAUSTED"],
  ] as const) {
    // prettier-ignore
    const long = await openTensors(file);
    expect([long.names, long.notes.at(-1)?.[0]]).toEqual([["record 0", "record 1"], code]);
  }
});

test.each([null, "GZIP", "ZLIB"] as const)(
  "records that are read at the same time are each their own, compression %s",
  async (compression) => {
    const sink = new ChunkSink();
    const records = [5, 6, 7, 8, 9].map((value) => new Uint8Array(70_000).fill(value));
    await writeTFRecords(sink, records, compression === null ? {} : { compression });
    for (const source of [sink.toBytes(), new Blob([sink.toBytes()])]) {
      const store = await openTensors(source);
      const order = isLong ? [3, 0, 1, 2, 0, 4, 1] : [3, 0, 4, 0];
      const read = await Promise.all(order.map((k) => store.read(`record ${k}`)));
      const stored = await Promise.all(order.map((k) => store.bytes(`record ${k}`)));
      const found = read.map((tensor) => (tensor.toArray({ bytes: true }) as never as Uint8Array)[69_999]);
      for (const tensor of read) tensor.dispose();
      expect(found).toEqual(order.map((k) => k + 5));
      expect(stored.map(({ bytes, checksum }) => [bytes[0], bytes.length, checksum])).toEqual(order.map((k) => [k + 5, 70_000, "ok"]));
    }
  },
);

test("a signal ends the opening of a folder while its file checkpoint is read; a damaged one is passed over", async () => {
  const signal = { aborted: false };
  const files = {
    open: async (name: string): Promise<ByteSource> => {
      if (name !== "checkpoint") throw new NotFoundError(name);
      signal.aborted = true;
      return { size: 3, read: async () => new Uint8Array(3) };
    },
  };
  expect(await refusal(openTensorFiles(files, "", { signal }))).toMatch(/^CANCELLED/);
  const damaged = new Map([["checkpoint", Uint8Array.of(0xff)]]);
  expect(await refusal(openTensorFiles(damaged))).toMatch(/^NOT_FOUND: the folder has no model/);
});

test("types without a dtype keep the file's name for them, and give their bytes", async () => {
  const file = npy("|V3", [2], Uint8Array.of(1, 2, 3, 4, 5, 6));
  const objects = npy("|O", [1], Uint8Array.of(0x80, 4, 0x4e, 0x2e));
  using t = Tensor.from([1]);
  for (const store of [await openTensors(file), await openTensors(new Blob([file]))]) {
    expect(store.info("")).toEqual({ name: "", dtype: "|V3", shape: [2], bytes: 6 });
    expect([...(await store.bytes("")).bytes]).toEqual([1, 2, 3, 4, 5, 6]);
    expect(await refusal(store.read(""))).toMatch(/^UNIMPLEMENTED: npy: descr '\|V3' has no dtype here/);
  }
  const store = await openTensors(objects);
  expect([store.info("").dtype, (await refusal(store.bytes(""))).slice(0, 13)]).toEqual(["|O", "UNIMPLEMENTED"]);
  const damaged = await writeNpz({ t });
  damaged[damaged.length - 75] = 7; // a byte of the element: the directory takes 73
  const zip = await openTensors(damaged);
  expect((await zip.bytes("t")).checksum).toBe("bad");
  expect(await refusal(zip.read("t"))).toMatch(/^DATA_LOSS/);
});

test("wrong calls, names that are not there, signals", async () => {
  using t = Tensor.from([1, 2]);
  const store = await openTensors(writeSafetensors({ weights: t }));
  expect(() => store.info("weight")).toThrow(/did you mean "weights"/);
  const aborted = { signal: { aborted: true } };
  for (const act of [
    () => store.read("weights", null, aborted),
    () => store.bytes("weights", aborted),
    () => openTensors(new Blob([writeNpy(t)]), aborted),
    () => formatOf(new Blob([writeNpy(t)]), aborted),
  ])
    expect(await refusal(act())).toMatch(/^CANCELLED/);
  for (const act of [
    () => store.read("weights", 5 as never),
    () => store.read("weights", null, { boolBytes: "keep" } as object),
    () => store.bytes("weights", { onProgress: 5 as never }),
    () => openTensors("w.npy" as never),
    () => openTensors(writeNpy(t), { name: "x" } as object),
    () => openTensorFiles(5 as never, "x"),
    () => openTensorFiles({}, 5 as never),
    () => formatOf(writeNpy(t), { name: 5 as never }),
    () => store.read("weights", TensorSlice.parse("-:-")),
  ])
    expect(await refusal(act())).toMatch(/^INVALID_ARGUMENT/);
  expect(await refusal(store.read("weights", TensorSlice.parse("1,2")))).toMatch(
    /^OUT_OF_RANGE: tensor "weights" of shape \[2\]: the slice 1,2 is 1 to 3/,
  );
  expect(await refusal(openTensors(utf8("neither of these")))).toMatch(/^INVALID_ARGUMENT: not a file of tensors/);
  // A message without a shape: nobody writes these two bytes.
  expect(await formatOf(Uint8Array.of(8, 1))).toBe(null);
  expect((await openTensorFiles({ "scalar.pb": Uint8Array.of(8, 1) }, "scalar.pb")).info("").shape).toEqual([]);
  expect(await refusal(openTensors(new Uint8Array(0)))).toMatch(/^INVALID_ARGUMENT: not a file of tensors/);
});

/** Opens a file and reads all of it. Returns the error unless it is a StatusError, or "" . */
async function readAll(bytes: Uint8Array, name: string, others: Map<string, Uint8Array>): Promise<string> {
  try {
    const store = await openTensorFiles(new Map([...others, [name, bytes]]), name);
    for (const each of store.names) {
      const slice = new TensorSlice(store.info(each).shape.map((size) => [0, Math.min(1, size)]));
      for (const act of [() => store.read(each), () => store.read(each, slice)]) {
        await act().then(
          (tensor) => tensor.dispose(),
          (error: unknown) => {
            if (!isStatusError(error)) throw error;
          },
        );
      }
      await store.bytes(each).catch((error: unknown) => {
        if (!isStatusError(error)) throw error;
      });
    }
    return "";
  } catch (error) {
    return isStatusError(error) ? "" : String((error as Error).stack);
  }
}

test("truncated, changed and random bytes under any name are read or refused with a StatusError, and nothing is held", async () => {
  await withSamples(async (samples) => {
    const live = liveBuffers();
    const name = fc.constantFrom(...kNames);
    const damaged = fc.constantFrom(...samples).chain((sample) =>
      fc.record({
        sample: fc.constant(sample),
        length: fc.oneof(fc.nat(sample.bytes.length), fc.constant(sample.bytes.length)),
        changes: fc.array(fc.tuple(fc.nat(sample.bytes.length - 1), fc.nat(255)), { maxLength: 3 }),
      }),
    );
    await fc.assert(
      fc.asyncProperty(damaged, name, async ({ sample, length, changes }, each) => {
        const bytes = sample.bytes.slice();
        for (const [at, value] of changes) bytes[at] = value;
        expect(await readAll(bytes.subarray(0, length), each, filesOf(sample, each))).toBe("");
      }),
      { numRuns: isLong ? 20_000 : 60 },
    );
    const starts = samples.map(({ bytes }) => bytes.subarray(0, 12));
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 100 }),
        fc.constantFrom(new Uint8Array(0), ...starts),
        name,
        async (random, start, each) => {
          expect(await readAll(new Uint8Array([...start, ...random]), each, new Map())).toBe("");
        },
      ),
      { numRuns: isLong ? 20_000 : 60 },
    );
    expect(liveBuffers()).toBe(live);
  });
});
