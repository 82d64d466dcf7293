// The stores that openTensors and openTensorFiles return: the names and notes of their parts, their bytes, whether they have checksums.
import { expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { openTensorFiles, openTensors, writeTFRecords, ChunkSink, BundleWriter, MemoryFiles, readCheckpointState } from "@onebuffer/io";
import { expectRefusal } from "@onebuffer/test-support";
import { npy, npyFile } from "../npy/npy-file.ts";
import { Tensor } from "@onebuffer/core";
import { opener } from "../source/file-opener.ts";
import { zipFile } from "../npz/zip-file.ts";
import { sampleFiles } from "./sample-files.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

test("a name that is no text is refused, and a damaged file of version 1 is no missing one", async () => {
  await expectRefusal(() => openTensorFiles(new Map(), 7 as Any), "INVALID_ARGUMENT", "the name of a file");
  await expectRefusal(() => openTensorFiles(new Map([["m", new Uint8Array(100).fill(7)]]), "m"), "INVALID_ARGUMENT");
});

test("a type without a dtype is shown only in a header that NumPy writes", async () => {
  const header = (quote: string): string => `{${quote}descr${quote}: '<M8[ns]', 'fortran_order': False, 'shape': (1,), }`;
  const data = new Uint8Array(8);
  const store = await openTensors(npyFile({ header: header("'"), data }));
  expect(store.info(store.names[0]!).dtype).toBe("<M8[ns]");
  await expectRefusal(() => openTensors(npyFile({ header: header('"'), data })), "UNIMPLEMENTED");
});

test("the bytes of a column-major array are in the order of its elements", async () => {
  const columns = npy("<i2", [2, 3], new Uint8Array(Int16Array.of(1, 4, 2, 5, 3, 6).buffer), "True");
  const store = await openTensors(columns);
  const { bytes } = await store.bytes(store.names[0]!);
  expect([...new Int16Array(bytes.slice().buffer)]).toEqual([1, 2, 3, 4, 5, 6]);
});

test("a compressed file of records has a note of its compression, and another compressed file is no records", async () => {
  const sink = new ChunkSink();
  await writeTFRecords(sink, [Uint8Array.of(1, 2, 3)], { compression: "GZIP" });
  const store = await openTensors(sink.toBytes());
  expect([store.format, store.names, store.notes.map((note) => [...note])]).toEqual(["TFRecord", ["record 0"], [["compressed", "GZIP"]]]);
  await expectRefusal(() => openTensors(new Uint8Array(gzipSync("some text that is no record"))), "INVALID_ARGUMENT");
});

test("members that are no arrays of ours have a note, and the others are there", async () => {
  const header = `{"descr": '<M8[ns]', "fortran_order": False, "shape": (1,), }`;
  const data = [
    { name: "a.npy", data: npyFile({ header, data: new Uint8Array(8) }) },
    { name: "b.npy", data: npy("<f4", [1], new Uint8Array(4)) },
  ];
  const store = await openTensors(zipFile(data));
  expect([store.names, store.notes.map(([name]) => name), store.notes[0]![1]]).toEqual([
    ["b"],
    ["a"],
    expect.stringContaining("UNIMPLEMENTED: "),
  ]);
});

test("a checkpoint in files that cannot be listed has one note", async () => {
  const files = new MemoryFiles();
  using t = Tensor.from([1, 2]);
  const writer = new BundleWriter(files, "m");
  await writer.add("t", t);
  await writer.finish();
  const { files: made } = files;
  const store = await openTensorFiles({ open: opener(made) }, "m.index");
  expect([store.names, store.notes.map((note) => [...note])]).toEqual([["t"], [["1 data file", ""]]]);
  expect(await readCheckpointState(made, { onProgress: () => {} })).toBeNull();
  const aborted = new MemoryFiles();
  await aborted.create("x");
  await aborted.abort();
  await aborted.commit();
  expect(aborted.files.size).toBe(0);
});

test("only formats with checksums say that they have them", async () => {
  using matrix = Tensor.zeros([2, 2]);
  const has: Record<string, boolean> = {};
  for (const { format, bytes, others } of await sampleFiles(matrix as Any)) {
    if (Object.keys(others).length > 0) continue;
    const store = await openTensors(bytes).catch(() => null);
    if (store !== null) has[format] = store.hasChecksums;
  }
  expect(has["TensorProto"]).toBe(false);
});
