// Files at the edges: names that begin with a byte order mark, many strings, headers that NumPy does not write, files that only seem to be of a
// format, elements of four bits, signals that are only half a signal.
import { describe, expect, test } from "@jest/globals";
import { gzipSync } from "node:zlib";
import { Tensor } from "@onebuffer/core";
import {
  BundleReader,
  BundleWriter,
  httpSource,
  MemoryFiles,
  mergeBundles,
  NpyFile,
  NpzFile,
  openTensorFiles,
  openTensors,
  parseNpyHeader,
  readNpz,
  SafetensorsFile,
  saveTensors,
  writeNpz,
  writeSafetensors,
  writeTFRecords,
  ChunkSink,
} from "@onebuffer/io";
import type { FetchLike } from "@onebuffer/io";
import { TensorSlice } from "@onebuffer/slice";
import { expectRefusal, refusal } from "@onebuffer/test-support";
import { npy, npyFile } from "../npy/npy-file.ts";
import { JsonScanner } from "../../src/safetensors/json-scanner.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

async function bundleWith(prefix: string, tensors: Readonly<Record<string, Tensor>>): Promise<MemoryFiles> {
  const files = new MemoryFiles();
  const writer = new BundleWriter(files, prefix);
  for (const [name, tensor] of Object.entries(tensors)) await writer.add(name, tensor);
  await writer.finish();
  return files;
}

describe("checkpoints", () => {
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

  test("bundles are merged with a signal, and not with one that is aborted", async () => {
    using numbers = Tensor.from([1, 2]);
    const { files } = await bundleWith("part", { a: numbers as Tensor });
    const merged = new MemoryFiles();
    await mergeBundles(files, ["part"], merged, "model", { signal: { aborted: false } });
    expect((await BundleReader.open(merged.files, "model")).keys).toEqual(["a"]);
    await expectRefusal(() => mergeBundles(files, ["part"], new MemoryFiles(), "model", { signal: { aborted: true } }), "CANCELLED");
  });

  test("a name that is no text is refused, and a damaged file of version 1 is no missing one", async () => {
    await expectRefusal(() => openTensorFiles(new Map(), 7 as Any), "INVALID_ARGUMENT", "the name of a file");
    await expectRefusal(() => openTensorFiles(new Map([["m", new Uint8Array(100).fill(7)]]), "m"), "INVALID_ARGUMENT");
  });
});

describe("npy and npz", () => {
  test("strings in three quotes are read", () => {
    const header = (quote: string): string => `{'descr': ${quote}<f4${quote}, 'fortran_order': False, 'shape': (2, 3), }`;
    for (const quote of ["'", '"', "'''", '"""']) expect(parseNpyHeader(npyFile({ header: header(quote) })).dtype).toBe("float32");
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

  test("names choose arrays, progress has the names of compressed ones, and messages that of the call", async () => {
    using a = Tensor.from([1, 2, 3]);
    using b = Tensor.from([4]);
    const bytes = await writeNpz({ a, b }, { compressed: true });
    using tensors = await readNpz(bytes, { names: ["b"] });
    expect([...tensors.keys()]).toEqual(["b"]);
    const names: (string | undefined)[] = [];
    using all = await readNpz(bytes, { onProgress: ({ name }) => names.push(name) });
    // The bytes of an array are reported as they come, without its name.
    expect(names).toContain(undefined);
    expect([all.size, new Set(names.filter((name) => name !== undefined))]).toEqual([2, new Set(["a", "b"])]);
    await expectRefusal(() => NpzFile.open(bytes, { verify: true } as Any), "INVALID_ARGUMENT", "verifyChecksums");
    const file = await NpyFile.open(npy("<f4", [1], new Uint8Array(4)));
    await expectRefusal(() => file.array({ axis: 1 } as Any), "INVALID_ARGUMENT", "array");
  });
});

describe("other formats", () => {
  test("a compressed file of records has a note of its compression, and another compressed file is no records", async () => {
    const sink = new ChunkSink();
    await writeTFRecords(sink, [Uint8Array.of(1, 2, 3)], { compression: "GZIP" });
    const store = await openTensors(sink.toBytes());
    expect([store.format, store.names, store.notes.map((note) => [...note])]).toEqual(["TFRecord", ["record 0"], [["compressed", "GZIP"]]]);
    await expectRefusal(() => openTensors(new Uint8Array(gzipSync("some text that is no record"))), "INVALID_ARGUMENT");
  });

  test("a dtype that NumPy lacks is written with a type of bytes", async () => {
    using t = Tensor.from([1, 2], { dtype: "bfloat16" });
    const files = new MemoryFiles();
    await saveTensors({ t } as Any, files, "t.npy");
    expect(files.files.get("t.npy")!.length).toBeGreaterThan(4);
  });

  test("slices of elements of four bits are those of the whole", async () => {
    using t = Tensor.from([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.5, -1, -1.5, -2], { dtype: "float4_e2m1fn", shape: [3, 4] } as Any);
    const file = SafetensorsFile.fromBytes(await safetensorsOf({ t } as Any));
    for (const text of ["-:-", "1,1:-", "-:1,2", "1,2:1,3", "2,1:3,1", "0,2:2,2"]) {
      using part = await file.slice("t", TensorSlice.parse(text));
      using expected = t.copySlice(TensorSlice.parse(text));
      expect([text, part.toArray()]).toEqual([text, expected.toArray()]);
    }
  });

  test("integers of a header go up to 2^64 - 1", () => {
    const read = (text: string): unknown => new JsonScanner(text, "header").unsigned();
    expect(read("18446744073709551615")).toBe(2n ** 64n - 1n);
    for (const text of ["18446744073709551616", "18446744073709551617"]) expect(refusal(() => read(text)).code).toBe("INVALID_ARGUMENT");
    expect(refusal(() => new JsonScanner("7", "header").object(() => {})).message).toContain("an object");
  });
});

describe("signals", () => {
  const kBytes = Uint8Array.of(1, 2, 3, 4);
  const answer: FetchLike = async () =>
    ({
      status: 206,
      headers: new Headers({ "content-range": `bytes 0-0/${kBytes.length}`, "content-length": "1" }),
      body: new Blob([kBytes.slice(0, 1)]).stream(),
    }) as Any;

  test("a signal without listeners is enough, and one with listeners has none left", async () => {
    const source = await httpSource("http://host/file", { fetch: answer, signal: { aborted: false } });
    expect(source.size).toBe(4);
    const listeners = new Set<unknown>();
    const signal = {
      aborted: false,
      addEventListener: (type: string, listener: unknown) => listeners.add(type + String(listener)),
      removeEventListener: (type: string, listener: unknown) => listeners.delete(type + String(listener)),
    } as Any;
    await httpSource("http://host/file", { fetch: answer, signal });
    expect(listeners.size).toBe(0);
  });
});

async function safetensorsOf(tensors: Readonly<Record<string, Tensor>>): Promise<Uint8Array<ArrayBuffer>> {
  return await writeSafetensors(tensors as Any);
}
