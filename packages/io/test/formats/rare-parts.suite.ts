// What is rare in files: header texts with escapes and comments, members of a zip that are no arrays of ours, bools that are not 0 or 1, numbers
// that end too early, and stores of files that cannot be listed.
import { describe, expect, test } from "@jest/globals";
import { TrackingAllocator, cpuAllocator } from "@onebuffer/allocator";
import { NotFoundError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import {
  BundleWriter,
  CheckpointReader,
  MemoryFiles,
  NpyArray,
  openTensorFiles,
  openSafetensorsModel,
  openTensors,
  parseNpyHeader,
  readCheckpointState,
  SafetensorsFile,
  saveSafetensorsModel,
  writeNpy,
  writeSafetensors,
} from "@onebuffer/io";
import type { ByteSource } from "@onebuffer/io";
import { TensorSlice } from "@onebuffer/slice";
import { LinearMemory } from "@onebuffer/wasm";
import { expectRefusal, expectStatus, refusal } from "@onebuffer/test-support";
import { newFoldKernel } from "../../src/checksum/fold-kernel.ts";
import { scanString } from "../../src/npy/python-string.ts";
import { JsonScanner } from "../../src/safetensors/json-scanner.ts";
import { readVarint } from "../../src/table/varint.ts";
import { npy, npyFile, npyHeader } from "../npy/npy-file.ts";
import { zipFile } from "../npz/zip-file.ts";
import { firstVersion, sampleFiles } from "./sample-files.ts";

/** The calls of some tests are wrong on purpose. */
type Any = ReturnType<typeof JSON.parse>;

/** Returns a function that opens files as sources that are read. */
const opener =
  (files: ReadonlyMap<string, Uint8Array>) =>
  async (name: string): Promise<ByteSource> => {
    const bytes = files.get(name);
    if (bytes === undefined) throw new NotFoundError(name);
    return { size: bytes.length, name, read: async (offset, length) => bytes.slice(offset, offset + length) };
  };

describe("header texts", () => {
  test("strings have Python's escapes, and end on their line unless they have three quotes", () => {
    const value = (text: string): string => scanString(text, 0).value;
    expect([value("'a\\tb'"), value("'it\\'s'"), value("'a\\\nb'"), value("'''a\nb'''"), value("r'ab\\c'")]).toEqual([
      "a\tb",
      "it's",
      "ab",
      "a\nb",
      "ab\\c",
    ]);
    expectStatus(() => value("'a\nb'"), "INVALID_ARGUMENT", "has no closing '");
    expectStatus(() => value("'''a\nb"), "INVALID_ARGUMENT", "has no closing '''");
  });

  test("a comment may stand before the dictionary", () => {
    const plain = npyHeader("<f4", [2, 3]);
    const shapeOf = (header: string): unknown => {
      try {
        return parseNpyHeader(npyFile({ header })).shape;
      } catch (error) {
        return String(error);
      }
    };
    expect(shapeOf(`# a comment\n${plain}`)).toEqual([2, 3]);
  });

  test("strings of JSON are read whole, also those of escapes alone", () => {
    const read = (text: string): string => new JsonScanner(text, "header").string();
    expect([read('"\\\\"'), read('"\\n"'), read('"plain"')]).toEqual(["\\", "\n", "plain"]);
    for (const text of ['"\u0001"', '"abc', '"']) expect([text, refusal(() => read(text)).code]).toEqual([text, "INVALID_ARGUMENT"]);
    expect(refusal(() => new JsonScanner('{"a":1 7', "header").object(() => {})).code).toBe("INVALID_ARGUMENT");
  });

  test("a number that ends behind the bytes it is read from is damaged", () => {
    const cursor = { bytes: Uint8Array.of(0x80, 1), at: 0, end: 1, what: "a number" } as Any;
    expectStatus(() => readVarint(cursor), "DATA_LOSS", "the bytes end within the number at byte 0");
    expect(readVarint({ ...cursor, at: 0, end: 2 })).toBe(128);
  });

  test("a number of more bytes than it may have is damaged, also if they add nothing", () => {
    const cursor = (count: number): Any => ({ bytes: new Uint8Array(count).fill(0x80, 0, -1), at: 0, end: count, what: "a number" });
    for (const most of [5, 10] as const) {
      expect(readVarint(cursor(most), most)).toBe(0);
      expectStatus(() => readVarint(cursor(most + 1), most), "DATA_LOSS", "the number at byte 0 is too large");
    }
  });

  test("a tensor without a type in a file of NumPy is refused without a remedy if it has none", () => {
    using handles = new Tensor("resource", [1]);
    expect(() => writeNpy(handles as Any)).toThrow(/has no type in an \.npy file$/);
    for (const wrong of [7, null, {}]) expectStatus(() => new NpyArray(wrong as Any, false), "INVALID_ARGUMENT", "a Tensor");
  });
});

describe("stores", () => {
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

  test("a checkpoint of version 1 knows its names, and gives slices from an allocator", async () => {
    using t = Tensor.from([1, 2, 3]);
    const bytes = firstVersion("w", t as Tensor);
    const reader = await CheckpointReader.open(new Map([["m", bytes]]), "m");
    expect([reader.hasTensor("w"), reader.hasTensor("x")]).toEqual([true, false]);
    await expectRefusal(() => reader.getTensor("x", { dtype: "float32" }), "NOT_FOUND");
    const store = await openTensors(bytes);
    const tracking = new TrackingAllocator(cpuAllocator(), true);
    {
      using part = await store.read("w", TensorSlice.parse("1,2"), { allocator: tracking });
      expect([part.toArray(), tracking.getSizes()[2]]).toEqual([[2, 3], 8]);
    }
    tracking.getRecordsAndUnRef();
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

  test("slices of bools are 0 or 1, whatever the file has", async () => {
    using t = Tensor.from([false, true, true, true, false, true], { shape: [2, 3] } as Any);
    const bytes = await writeSafetensors({ t } as Any);
    bytes.set([0, 1, 2, 255, 0, 7], bytes.length - 6);
    using part = await SafetensorsFile.fromBytes(bytes).slice("t", TensorSlice.parse("-:1,2"));
    expect([...part.tensorData]).toEqual([1, 1, 0, 1]);
  });
});

test("the kernel of checksums writes only into the memory that it has reserved", () => {
  const memory = new LinearMemory();
  const kernel = newFoldKernel(memory, [145, 183, 211, 300]);
  const behind = memory.reserve(65536)!;
  const bytes = new Uint8Array(memory.buffer, behind, 65536).fill(0xaa);
  kernel!.shorten(new Uint8Array(70_000).fill(3), 0);
  expect(bytes.findIndex((byte) => byte !== 0xaa)).toBe(-1);
});
