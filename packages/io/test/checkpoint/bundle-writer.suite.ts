/** Tests what the writer refuses, and that a failure leaves no file. */
import { describe, expect, test } from "@jest/globals";
import { ResourceExhaustedError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { BundleReader, BundleWriter, MemoryFiles, mergeBundles } from "@onebuffer/io";
import type { ByteSink, FileSinks } from "@onebuffer/io";
import type { BundleEntryProto } from "@onebuffer/proto";
import { encodeTensorNameSlice, TensorSlice } from "@onebuffer/slice";
import { expectRefusal } from "@onebuffer/test-support";
import { bundleOf, indexOf, MemoryFolder, bundleWith } from "./bundle-files.ts";

/** Runs `act` with a new writer, a vector of two floats and a folder. */
async function withWriter(act: (writer: BundleWriter, tensor: Tensor, folder: MemoryFolder) => Promise<void>): Promise<void> {
  using tensor = Tensor.from([1, 2]) as Tensor;
  const folder = new MemoryFolder();
  await act(new BundleWriter(folder.create, "m"), tensor, folder);
}

/** A sink that fails at the n-th call of its methods, and what was called. */
function failingSink(after: number, calls: string[]): ByteSink {
  const call = (name: string): void => {
    calls.push(name);
    if (name !== "abort" && calls.length > after) throw new ResourceExhaustedError("the disk is full");
  };
  return { write: () => call("write"), close: () => call("close"), abort: () => call("abort") };
}

describe("BundleWriter", () => {
  test.each<[string, (writer: BundleWriter, tensor: Tensor) => Promise<void>, string]>([
    ["an empty key", (writer, tensor) => writer.add("", tensor), "empty key"],
    ["a key of a slice", (writer, tensor) => writer.add("\0w", tensor), "zero byte"],
    ["a key of another type", (writer, tensor) => writer.add(5 as never, tensor), "5"],
    ["no tensor", (writer) => writer.add("w", [1] as never), "Tensor"],
    ["a key twice", async (writer, tensor) => [await writer.add("w", tensor), await writer.add("w", tensor)][1], "Adding duplicate key"],
    ["numbers as variants", (writer, tensor) => writer.addVariants("w", tensor as never), "float32"],
    ["a slice of another shape", (writer, tensor) => writer.addSlice("w", [4], TensorSlice.parse("0,1"), tensor), "the tensor is [2]"],
    ["a slice that is there", (writer, tensor) => twoSlices(writer, tensor, [4], "0,2", [4], "0,2"), "Overlapping"],
    ["slices of different shapes", (writer, tensor) => twoSlices(writer, tensor, [4], "0,2", [5], "2,2"), "was added before"],
    [
      "a slice of a tensor that is there",
      async (writer, tensor) => {
        await writer.add("w", tensor);
        await writer.addSlice("w", [4], TensorSlice.parse("0,2"), tensor);
      },
      "was added before, whole",
    ],
    [
      "a tensor of which a slice is there",
      async (writer, tensor) => {
        await writer.addSlice("w", [4], TensorSlice.parse("0,2"), tensor);
        await writer.add("w", tensor);
      },
      "Adding duplicate key",
    ],
  ])("refuses %s, and everything after it", async (_, act, message) => {
    await withWriter(async (writer, tensor) => {
      const code = message === "Overlapping" ? "INTERNAL" : "INVALID_ARGUMENT";
      await expectRefusal(() => act(writer, tensor), code, message);
    });
  });

  test("refuses resources, uninitialized tensors, wrong options", async () => {
    using empty = new Tensor("float32", [2], {
      allocator: Object.setPrototypeOf({ allocateRaw: () => null }, (await import("@onebuffer/allocator")).cpuAllocator()) as never,
    });
    using resource = new Tensor("resource", [1]);
    await withWriter((writer) => expectRefusal(() => writer.add("r", resource as Tensor), "INVALID_ARGUMENT", "resource"));
    await withWriter((writer) => expectRefusal(() => writer.add("e", empty as Tensor), "FAILED_PRECONDITION", "not initialized"));
    for (const options of [{ alignment: 0 }, { alignment: 1.5 }, { align: 64 }, 5])
      await expectRefusal(() => new BundleWriter(() => new MemoryFolder().create("x"), "m", options as never), "INVALID_ARGUMENT");
    await expectRefusal(() => new BundleWriter({} as never, "m"), "INVALID_ARGUMENT", "function");
  });

  test("performs calls in order, although nobody waits, and holds the tensors meanwhile", async () => {
    const folder = new MemoryFolder();
    const writer = new BundleWriter(folder.create, "m");
    const added = ["b", "a", "c"].map((key, i) => {
      using tensor = Tensor.from([i]);
      return writer.add(key, tensor as Tensor);
    });
    await Promise.all([...added, writer.finish()]);
    expect([...new Float32Array((folder.files.get("m.data-00000-of-00001") as Uint8Array).buffer)]).toEqual([0, 1, 2]);
    const reader = await BundleReader.open(folder.files, "m");
    expect(reader.keys).toEqual(["a", "b", "c"]);
    await expectRefusal(() => writer.finish(), "FAILED_PRECONDITION", "finished");
    await writer.abort();
    expect(folder.files.size).toBe(2);
  });

  test("writes long tensors in pieces, and strings that are longer than a block", async () => {
    using long = new Tensor("uint8", [2 ** 22 + 2 ** 20 + 3]) as Tensor;
    const bytes = long.tensorData;
    for (let at = 0; at < bytes.length; at += 4096) bytes.fill(at >> 12, at, at + 4096);
    const texts = ["x".repeat(40_000), "y".repeat(40_000), "z".repeat(100_000), "", "w"];
    using strings = Tensor.from(texts);
    const made = new MemoryFiles();
    const events: unknown[] = [];
    const writer = new BundleWriter(made, "m", { onProgress: ({ bytes, name }) => events.push([bytes, name]) });
    await writer.add("long", long);
    await writer.add("strings", strings as Tensor);
    await writer.finish();
    const end = long.totalBytes;
    expect(events.slice(0, 2)).toEqual([
      [2 ** 22, undefined],
      [end, "long"],
    ]);
    expect(events.at(-1)).toEqual([end + 15 + 180_001, "strings"]);
    using all = await (await BundleReader.open(made.files, "m")).lookupAll();
    expect([Buffer.compare(all.tensor("long").tensorData, bytes), all.tensor("strings").toArray()]).toEqual([0, texts]);
  });

  test("without tensors makes an empty data file and an index", async () => {
    await withWriter(async (writer, _, folder) => {
      await writer.finish();
      expect([...folder.files].map(([name, bytes]) => [name, bytes.length > 0])).toEqual([
        ["m.data-00000-of-00001", false],
        ["m.index", true],
      ]);
      expect((await BundleReader.open(folder.files, "m")).keys).toEqual([]);
    });
  });

  test("a slice of everything is a tensor", async () => {
    await withWriter(async (writer, tensor, folder) => {
      await writer.addSlice("full", [2], TensorSlice.parse("-"), tensor);
      await writer.addSlice("explicit", [2], TensorSlice.parse("0,2"), tensor);
      await writer.finish();
      const reader = await BundleReader.open(folder.files, "m");
      expect(reader.keys.map((key) => reader.lookupTensorSlices(key))).toEqual([[], []]);
    });
  });

  test("aborts its files when a sink fails, at any call", async () => {
    using tensor = Tensor.from([1, 2]) as Tensor;
    for (let after = 0; after < 3; after++) {
      const calls: string[] = [];
      const index: string[] = [];
      const writer = new BundleWriter((name) => failingSink(name === "m.index" ? 0 : after, name === "m.index" ? index : calls), "m");
      const act = async (): Promise<void> => {
        await writer.add("w", tensor);
        await writer.finish();
      };
      await expectRefusal(act, "RESOURCE_EXHAUSTED", "disk is full");
      expect([calls.at(-1), index.at(-1)]).toEqual(after < 2 ? ["abort", undefined] : ["close", "abort"]);
      await expectRefusal(() => writer.add("v", tensor), "FAILED_PRECONDITION", "failed: the disk is full");
      await writer.abort();
    }
  });

  test("files of FileSinks appear together, or not at all", async () => {
    using tensor = Tensor.from([1, 2]) as Tensor;
    const made = new MemoryFiles();
    const writer = new BundleWriter(made, "m");
    await writer.add("a", tensor);
    await expectRefusal(() => made.files, "FAILED_PRECONDITION");
    await writer.finish();
    expect([...made.files.keys()]).toEqual(["m.data-00000-of-00001", "m.index"]);
    const ends: string[] = [];
    const noting = (after: number): FileSinks => ({
      create: async () => failingSink(after, []),
      commit: async () => void ends.push("commit"),
      abort: async (reason) => void ends.push(`abort ${String(reason)}`),
    });
    const failing = new BundleWriter(noting(0), "m");
    await expectRefusal(() => failing.add("a", tensor), "RESOURCE_EXHAUSTED");
    await expectRefusal(() => mergeBundles(made.files, ["m"], noting(1), "x"), "RESOURCE_EXHAUSTED");
    await mergeBundles(made.files, ["m"], noting(99), "x");
    expect(ends).toEqual([...new Array<string>(2).fill("abort RESOURCE_EXHAUSTED: the disk is full"), "commit"]);
    await expectRefusal(() => new BundleWriter({ create: made.create } as never, "m"), "INVALID_ARGUMENT", "FileSinks");
  });

  test("abort drops the data file", async () => {
    const calls: string[] = [];
    await withWriter(async (_, tensor) => {
      const writer = new BundleWriter(() => failingSink(99, calls), "m");
      await writer.add("w", tensor);
      await writer.abort();
      await expectRefusal(() => writer.finish(), "FAILED_PRECONDITION");
    });
    expect(calls).toEqual(["write", "abort"]);
  });

  test("a signal ends writing, and progress counts the bytes", async () => {
    const controller = new AbortController();
    const folder = new MemoryFolder();
    const bytes: number[] = [];
    const writer = new BundleWriter(folder.create, "m", { signal: controller.signal, onProgress: (event) => bytes.push(event.bytes) });
    using tensor = Tensor.from([1, 2]) as Tensor;
    await writer.add("a", tensor);
    await writer.add("b", tensor);
    expect(bytes).toEqual([8, 16]);
    controller.abort();
    await expectRefusal(() => writer.add("c", tensor), "CANCELLED");
  });
});

describe("mergeBundles", () => {
  test("refuses parts of different byte orders or versions, and tensors in two parts", async () => {
    const entry = { dtype: 1, shape: {}, size: 4 };
    const part = (prefix: string, header: Parameters<typeof indexOf>[1], key: string): [string, Uint8Array][] => [
      [`${prefix}.index`, indexOf({ [key]: entry }, header)],
      [`${prefix}.data-00000-of-00001`, new Uint8Array(4)],
    ];
    const files = new Map([
      ...part("little", { numShards: 1, version: { producer: 1 } }, "a"),
      ...part("big", { numShards: 1, endianness: 1, version: { producer: 1 } }, "b"),
      ...part("newer", { numShards: 1, version: { producer: 2 } }, "c"),
      ...part("again", { numShards: 1, version: { producer: 1 } }, "a"),
      ["broken.index", indexOf({ d: Uint8Array.of(0xff) })],
    ] as [string, Uint8Array][]);
    const merge = (...prefixes: string[]): Promise<void> => mergeBundles(files, prefixes, new MemoryFolder().create, "m");
    await expectRefusal(() => merge("little", "big"), "INVALID_ARGUMENT", "endianness", '"big"');
    await expectRefusal(() => merge("little", "newer"), "INVALID_ARGUMENT", "versions", '"newer"');
    await expectRefusal(() => merge("little", "again"), "INVALID_ARGUMENT", 'keyed by "a"', "again");
    await expectRefusal(() => merge("broken"), "INVALID_ARGUMENT", '"d"');
    await expectRefusal(() => mergeBundles(files, "little" as never, new MemoryFolder().create, "m"), "INVALID_ARGUMENT");
  });

  test("refuses slices of one tensor with different dtypes or shapes", async () => {
    const dim = (size: number): BundleEntryProto["shape"] => ({ dim: [{ size }] });
    const slices = [{ extent: [{ start: 0, length: 1 }] }];
    const files = new Map<string, Uint8Array>([
      ["a.index", indexOf({ w: { dtype: 1, shape: dim(2), slices } })],
      ["b.index", indexOf({ w: { dtype: 3, shape: dim(2), slices } })],
      ["c.index", indexOf({ w: { dtype: 1, shape: dim(3), slices } })],
      ["d.index", indexOf({ w: { dtype: 1, shape: dim(2) } })],
    ]);
    const merge = (...prefixes: string[]): Promise<void> => mergeBundles(files, prefixes, new MemoryFiles(), "m");
    await expectRefusal(() => merge("a", "b"), "INVALID_ARGUMENT", "different tensors", "b");
    await expectRefusal(() => merge("a", "c"), "INVALID_ARGUMENT", "different tensors", "c");
    await expectRefusal(() => merge("a", "d"), "INVALID_ARGUMENT", "Duplicate tensor", "d");
    await expectRefusal(() => merge("d", "a"), "INVALID_ARGUMENT", "Duplicate tensor", "a");
  });

  test("numbers shards in the order in which the keys name them, those of slices first", async () => {
    const entry: BundleEntryProto = { dtype: 4, shape: { dim: [{ size: 1 }] }, size: 1 };
    const key = encodeTensorNameSlice("w", TensorSlice.parse("0,1"));
    const header = { numShards: 3, version: { producer: 1 } };
    const files = new Map<string, Uint8Array>([
      ["p.index", indexOf({ a: entry, b: { ...entry, shardId: 2 } }, header, [[key, { ...entry, shardId: 1 }]])],
      ...[10, 11, 12].map((byte, i): [string, Uint8Array] => [`p.data-0000${i}-of-00003`, Uint8Array.of(byte)]),
    ]);
    const made = new MemoryFiles();
    await mergeBundles(files, ["p"], made, "m");
    expect([...made.files].filter(([name]) => name !== "m.index").map(([name, bytes]) => [name, ...bytes])).toEqual([
      ["m.data-00000-of-00003", 11],
      ["m.data-00001-of-00003", 10],
      ["m.data-00002-of-00003", 12],
    ]);
  });

  test("a part whose data file is missing is NOT_FOUND", async () => {
    const files = bundleOf({ a: { dtype: 1, shape: {}, size: 4 } }, new Uint8Array(4));
    files.delete("m.data-00000-of-00001");
    await expectRefusal(() => mergeBundles(files, ["m"], new MemoryFolder().create, "x"), "NOT_FOUND", "m.data-00000-of-00001");
  });

  test("bundles are merged with a signal, and not with one that is aborted", async () => {
    using numbers = Tensor.from([1, 2]);
    const { files } = await bundleWith("part", { a: numbers as Tensor });
    const merged = new MemoryFiles();
    await mergeBundles(files, ["part"], merged, "model", { signal: { aborted: false } });
    expect((await BundleReader.open(merged.files, "model")).keys).toEqual(["a"]);
    await expectRefusal(() => mergeBundles(files, ["part"], new MemoryFiles(), "model", { signal: { aborted: true } }), "CANCELLED");
  });
});

async function twoSlices(
  writer: BundleWriter,
  tensor: Tensor,
  ...[shapeA, a, shapeB, b]: readonly [readonly number[], string, readonly number[], string]
): Promise<void> {
  await writer.addSlice("w", shapeA, TensorSlice.parse(a), tensor);
  await writer.addSlice("w", shapeB, TensorSlice.parse(b), tensor);
}
