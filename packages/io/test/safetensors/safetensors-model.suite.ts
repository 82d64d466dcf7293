// Models in several safetensors files: how they are divided, found and read, and every invalid index.
import { expect, test } from "@jest/globals";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import { MemoryFiles, openSafetensorsModel, saveSafetensorsModel, writeSafetensors, openTensors, parseNpyHeader } from "@onebuffer/io";
import { expectRefusal, refusal } from "@onebuffer/test-support";
import { npyFile, npyHeader } from "../npy/npy-file.ts";
import { opener } from "../source/file-opener.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const shard = (i: number, n: number): string => `model-0000${i}-of-0000${n}.safetensors`;

test("tensors are divided in the order in which they are given, a large one alone", async () => {
  const sizes = { d: 30, a: 80, c: 200, b: 40, __proto: 20 };
  const tensors = new Map(
    Object.entries(sizes).map(([name, bytes]) => [name === "__proto" ? "__proto__" : name, Tensor.zeros([bytes], { dtype: "uint8" })]),
  );
  const files = new MemoryFiles();
  const names = await saveSafetensorsModel(tensors, files, { maxShardBytes: 100, metadata: { format: "pt" } });
  expect(names).toEqual([1, 2, 3, 4].map((i) => shard(i, 4)));
  expect([...files.files.keys()]).toEqual([...names, "model.safetensors.index.json"]);
  // d and a are 110 bytes together, so d is alone; c is too large for any file and comes before the open one, with a; a and b are 120.
  const index = JSON.parse(new TextDecoder().decode(files.files.get("model.safetensors.index.json"))) as {
    metadata: unknown;
    weight_map: Record<string, string>;
  };
  expect(index.metadata).toEqual({ total_size: 370 });
  const model = await openSafetensorsModel(files.files);
  expect([...model.weightMap.keys()]).toEqual(["__proto__", "a", "b", "c", "d"]);
  expect(["d", "c", "a", "b", "__proto__"].map((name) => model.weightMap.get(name))).toEqual([1, 2, 3, 4, 4].map((i) => shard(i, 4)));
  const before = liveBuffers();
  const seen: unknown[] = [];
  using all = await model.tensors(undefined, { onProgress: (progress) => seen.push(progress) });
  expect([...all].map(([name, tensor]) => [name, tensor.numElements]).sort()).toEqual([
    ["__proto__", 20],
    ["a", 80],
    ["b", 40],
    ["c", 200],
    ["d", 30],
  ]);
  expect([(await model.entry("c")).byteLength, (await model.bytes("b")).length]).toEqual([200, 40]);
  using one = await model.tensor("a", { dtype: "uint8" });
  expect(one.numElements).toBe(80);
  expect(liveBuffers()).toBe(before + 6);
  for (const tensor of tensors.values()) tensor.dispose();
});

test("the index is the text that Hugging Face's libraries write", async () => {
  using t = Tensor.zeros([10]);
  const files = new MemoryFiles();
  await saveSafetensorsModel({ b: t, a: t }, files, { maxShardBytes: 40, name: "adapter" });
  expect([...files.files.keys()][2]).toBe("adapter.safetensors.index.json");
  expect(new TextDecoder().decode(files.files.get("adapter.safetensors.index.json"))).toBe(`{
  "metadata": {
    "total_size": 80
  },
  "weight_map": {
    "a": "adapter-00002-of-00002.safetensors",
    "b": "adapter-00001-of-00002.safetensors"
  }
}
`);
});

test("a model in one file needs no index; progress counts all files", async () => {
  using t = Tensor.zeros([10]);
  const files = new MemoryFiles();
  expect(await saveSafetensorsModel({ t }, files)).toEqual(["model.safetensors"]);
  const model = await openSafetensorsModel(files.files);
  using read = await model.tensor("t");
  expect(read.numElements).toBe(10);
  const none = new MemoryFiles();
  expect(await saveSafetensorsModel({}, none)).toEqual(["model.safetensors"]);
  const seen: number[] = [];
  const two = new MemoryFiles();
  await saveSafetensorsModel({ a: t, b: t }, two, {
    maxShardBytes: 40,
    onProgress: ({ bytes, totalBytes }) => void seen.push(bytes / totalBytes),
  });
  expect([seen.at(-1), [...seen].sort((a, b) => a - b)]).toEqual([1, seen]);
  const read2: number[] = [];
  using all = await (await openSafetensorsModel((name) => new Blob([two.files.get(name) as Uint8Array<ArrayBuffer>]))).tensors(undefined, {
    onProgress: ({ bytes, totalBytes }) => void read2.push(bytes / totalBytes),
  });
  expect([all.size, read2]).toEqual([2, [0.5, 1]]);
});

test("invalid indexes and files that do not fit them", async () => {
  using t = Tensor.zeros([10]);
  const ok = writeSafetensors({ t });
  const open = (index: string): Promise<unknown> =>
    openSafetensorsModel({ "model.safetensors.index.json": text(index), "x.safetensors": ok });
  for (const index of [
    "",
    "[]",
    "{}",
    '{"weight_map":[]}',
    '{"weight_map":{"t":1}}',
    '{"weight_map":{"t":"x.safetensors"}} x',
    '{"weight_map":{"t":"x.safetensors","t":"y.safetensors"}}',
    '{"weight_map":{},"weight_map":{}}',
    '{"weight_map":{"t":"../x.safetensors"}}',
    '{"weight_map":{"t":"/x.safetensors"}}',
    '{"weight_map":{"t":"a\\\\x"}}',
    '{"weight_map":{"t":""}}',
  ])
    await expectRefusal(() => open(index), "INVALID_ARGUMENT");
  await expectRefusal(() => openSafetensorsModel({ "y.safetensors": ok }), "NOT_FOUND", "model.safetensors.index.json");
  const model = await openSafetensorsModel({
    "model.safetensors.index.json": text(
      '{"metadata":null,"more":[1],"weight_map":{"t":"x.safetensors","u":"x.safetensors","v":"absent"}}',
    ),
    "x.safetensors": ok,
  });
  await expectRefusal(() => model.tensor("u"), "DATA_LOSS", '"u" is not in its file "x.safetensors"');
  await expectRefusal(() => model.tensor("v"), "NOT_FOUND", "absent");
  await expectRefusal(() => model.tensor("w"), "NOT_FOUND", 'no tensor "w"');
  await expectRefusal(() => model.tensors(), "DATA_LOSS");
  using read = await model.tensor("t");
  expect(read.numElements).toBe(10);
});

test("a failure aborts the files, and wrong arguments write nothing", async () => {
  using t = Tensor.zeros([10]);
  using wide = Tensor.zeros([1], { dtype: "complex128" });
  const events: string[] = [];
  const files = (fails: boolean) => ({
    create: async (name: string) => {
      events.push(name);
      return {
        write: () => {
          if (fails) throw new Error("full");
        },
        close: () => undefined,
      };
    },
    commit: async () => void events.push("commit"),
    abort: async () => void events.push("abort"),
  });
  await expect(saveSafetensorsModel({ t }, files(true))).rejects.toThrow("full");
  expect(events.splice(0)).toEqual(["model.safetensors", "abort"]);
  await expectRefusal(() => saveSafetensorsModel({ t, wide }, files(false)), "UNIMPLEMENTED");
  await expectRefusal(() => saveSafetensorsModel({ t }, {} as never), "INVALID_ARGUMENT");
  await expectRefusal(() => saveSafetensorsModel({ t }, null as never), "INVALID_ARGUMENT");
  await expectRefusal(() => saveSafetensorsModel(t as never, files(false)), "INVALID_ARGUMENT");
  await expectRefusal(() => saveSafetensorsModel(new Array(1e9) as never, files(false)), "INVALID_ARGUMENT");
  await expectRefusal(() => saveSafetensorsModel({ t }, files(false), { maxShardBytes: 0 }), "INVALID_ARGUMENT");
  await expectRefusal(() => saveSafetensorsModel({ t }, files(false), { name: 3 as never }), "INVALID_ARGUMENT");
  expect(events).toEqual([]);
});

test("progress of a model has the names of its tensors, and an address is no path", async () => {
  const files = new MemoryFiles();
  using t = Tensor.from([1, 2, 3]);
  await saveSafetensorsModel({ t } as Any, files);
  const model = await openSafetensorsModel({ open: opener(files.files) });
  const names: (string | undefined)[] = [];
  using tensors = await model.tensors(["t"], { onProgress: ({ name }) => names.push(name) });
  expect([tensors.size, names.filter((name) => name !== undefined)]).toEqual([1, [`tensor "t"`]]);
  for (const [text, advice] of [
    ["https://host/a", "got the address"],
    ["/a/b", "for a path give fileSource"],
  ] as const)
    await expectRefusal(() => openTensors(text as Any), "INVALID_ARGUMENT", advice);
  expect(refusal(() => parseNpyHeader(npyFile({ header: npyHeader("<U0", [1]) }))).code).toBe("UNIMPLEMENTED");
  expect(refusal(() => parseNpyHeader(npyFile({ header: npyHeader("<Ux", [1]) }))).code).toBe("INVALID_ARGUMENT");
});
