/**
 * The readers of checkpoints as targets of the fuzzer. Nearly every change of an index is found by its checksums, so the mutants are the
 * contents of blocks, and whole indexes whose checksums are set right again.
 */
import { InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import { BundleReader, BundleWriter, CheckpointReader, crc32c, maskCrc, MemoryFiles } from "@onebuffer/io";
import { savedTensorSlicesCodec } from "@onebuffer/proto";
import { encodeTensorNameSlice, TensorSlice } from "@onebuffer/slice";
import { memorySource } from "../../src/source/memory-source.ts";
import { BlockBuilder } from "../../src/table/block-builder.ts";
import { rawTrailer } from "../../src/table/block-contents.ts";
import { TableReader } from "../../src/table/table-reader.ts";
import { footerBytes, kTrailerBytes, readFooter } from "../../src/table/table-footer.ts";
import { TableBlock } from "../../src/table/table-block.ts";
import { readVarint, varintLength, writeVarint } from "../../src/table/varint.ts";
import type { FuzzTarget } from "./fuzz-target.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const kIndex = "m.index";
const kData = "m.data-00000-of-00001";

let made: Promise<ReadonlyMap<string, Bytes>> | null = null;

/** A small bundle: numbers, strings, variants, empty tensors, slices in runs and in bands. */
function bundle(): Promise<ReadonlyMap<string, Bytes>> {
  made ??= makeBundle();
  return made;
}

async function makeBundle(): Promise<ReadonlyMap<string, Bytes>> {
  const files = new MemoryFiles();
  const writer = new BundleWriter(files, "m");
  using numbers = Tensor.from([1, 2, 3]) as Tensor;
  using strings = Tensor.from(["one", "", "three"]);
  using half = Tensor.from([[7], [8]], { dtype: "int16" }) as Tensor;
  using empty = Tensor.zeros([0, 2]) as Tensor;
  await writer.add("numbers", numbers);
  await writer.add("strings", strings as Tensor);
  await writer.addVariants("variants", strings);
  await writer.add("empty", empty);
  for (const column of [0, 1]) await writer.addSlice("columns", [2, 2], TensorSlice.parse(`-:${column},1`), half);
  for (const row of [0, 3]) await writer.addSlice("rows", [6], TensorSlice.parse(`${row},3`), numbers);
  for (const row of [0, 3]) await writer.addSlice("texts", [6], TensorSlice.parse(`${row},3`), strings as Tensor);
  await writer.finish();
  return files.files;
}

/** Two files of version 1. */
function version1Blocks(): Bytes[] {
  const slices = ["0,2", "2,1"].map((text) => TensorSlice.parse(text));
  const builder = new BlockBuilder(16);
  const tensor = [
    { name: "s", type: 7, shape: {}, slice: [{}] },
    { name: "w", type: 1, shape: { dim: [{ size: 3 }] }, slice: slices.map((slice) => slice.asProto()) },
  ];
  builder.add(new Uint8Array(0), savedTensorSlicesCodec.encode({ meta: { tensor, versions: { producer: 1 } } }));
  const scalar = encodeTensorNameSlice("s", new TensorSlice());
  builder.add(scalar, savedTensorSlicesCodec.encode({ data: { name: "s", slice: {}, data: { stringVal: [Uint8Array.of(97)] } } }));
  for (const slice of slices) {
    const data = { name: "w", slice: slice.asProto(), data: { floatVal: slice.length(0) === 2 ? [1, 2] : [3] } };
    builder.add(encodeTensorNameSlice("w", slice), savedTensorSlicesCodec.encode({ data }));
  }
  return [builder.finish()];
}

/** A table whose only data block has these contents. */
function tableOfBlock(contents: Bytes): Bytes {
  const index = new BlockBuilder(1);
  const handle = new Uint8Array(1 + varintLength(contents.length));
  writeVarint(handle, 1, contents.length);
  index.add(new Uint8Array(300).fill(0xff), handle);
  const indexContents = index.finish();
  const offset = contents.length + kTrailerBytes;
  const handles = [
    { offset: 0, size: 0 },
    { offset, size: indexContents.length },
  ] as const;
  return new Uint8Array(
    Buffer.concat([contents, rawTrailer(contents), indexContents, rawTrailer(indexContents), footerBytes(handles[0], handles[1])]),
  );
}

/** Sets the checksums of a table's blocks right, as far as they can be found. */
function repaired(table: Bytes): Bytes {
  const result = table.slice();
  const repair = (offset: number, size: number): void => {
    const crc = maskCrc(crc32c(result.subarray(offset, offset + size + 1)));
    new DataView(result.buffer).setUint32(offset + size + 1, crc, true);
  };
  try {
    const index = readFooter(result.subarray(-48), result.length, "fuzz");
    repair(index.offset, index.size);
    const block = new TableBlock(result.subarray(index.offset, index.offset + index.size), "fuzz", null);
    for (let i = 0; i < block.count; i++) {
      const bytes = block.value(i);
      const cursor = { bytes, at: 0, end: bytes.length, what: "fuzz" };
      const offset = readVarint(cursor);
      const size = readVarint(cursor);
      if (offset + size + kTrailerBytes <= result.length) repair(offset, size);
    }
  } catch (error) {
    if (!isStatusError(error)) throw error;
  }
  return result;
}

/** Reads all tensors of a bundle, together and one by one, whole and in part. Returns their bytes. */
async function readAll(files: ReadonlyMap<string, Bytes>, verifyChecksums: boolean): Promise<number> {
  const reader = await BundleReader.open(files, "m", { verifyChecksums });
  let bytes = 0;
  for (const key of reader.keyBytes) {
    try {
      const { shape } = reader.lookupDtypeAndShape(key);
      using whole = await reader.lookup(key);
      bytes += sizeOf(whole);
      if (shape.dims === 0 || shape.dimSize(0) === 0) continue;
      const first = new TensorSlice(shape.dimSizes.map((size): [number, number] => [size >> 1, Math.ceil(size / 2)]));
      using part = await reader.lookupSlice(key, first);
      if (sizeOf(part) > sizeOf(whole)) throw new Error("a part is longer than the whole");
    } catch (error) {
      if (!isStatusError(error)) throw error;
    }
  }
  using all = await reader.lookupAll().catch((error: unknown) => {
    // TensorFlow's code for slices that overlap.
    throw isStatusError(error, "INTERNAL") ? new InvalidArgumentError(error.message) : error;
  });
  const together = [...all.values()].reduce((sum, tensor) => sum + sizeOf(tensor), 0);
  if (together !== bytes) throw new Error(`${together} bytes are read together, ${bytes} one by one`);
  return bytes;
}

const sizeOf = (tensor: Tensor): number => (tensor.dtype === "string" ? 0 : tensor.totalBytes);

const kWords: readonly Uint8Array[] = [
  Uint8Array.of(0x12, 0x02, 0x08, 0x03),
  Uint8Array.of(0x28, 0x0c),
  Uint8Array.of(0x3a, 0x06, 0x0a, 0x04, 0x08, 0x01, 0x10, 0x01),
  Uint8Array.of(0x08, 0x07),
  Uint8Array.of(0x08, 0x15),
  Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f),
  Uint8Array.of(0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00),
];

/** Many entries may share the bytes of the data file, which has about 100. */
const mostBytes = (size: number): number => 100 * size + 1000;

const block: FuzzTarget = {
  name: "checkpoint, contents of the index's block",
  share: 5,
  words: kWords,
  seeds: async () => {
    const bytes = (await bundle()).get(kIndex) as Bytes;
    const [first] = await (await TableReader.open(memorySource(bytes), "fuzz")).blocks();
    const builder = new BlockBuilder(4);
    for (let i = 0; i < (first?.count ?? 0); i++) builder.add((first as TableBlock).key(i), (first as TableBlock).value(i));
    return [builder.finish()];
  },
  read: async (file) => readAll(new Map([...(await bundle()), [kIndex, tableOfBlock(file)]]), file.length % 2 === 0),
  mostBytes,
};

const index: FuzzTarget = {
  name: "checkpoint, index with repaired checksums",
  share: 3,
  words: kWords,
  seeds: async () => [(await bundle()).get(kIndex) as Bytes],
  read: async (file) => readAll(new Map([...(await bundle()), [kIndex, repaired(file)]]), file.length % 2 === 0),
  mostBytes,
};

const shard: FuzzTarget = {
  name: "checkpoint, data file",
  share: 1,
  seeds: async () => [(await bundle()).get(kData) as Bytes],
  read: async (file) => readAll(new Map([...(await bundle()), [kData, file]]), file.length % 2 === 0),
};

const version1: FuzzTarget = {
  name: "checkpoint of version 1, contents of its block",
  share: 2,
  words: kWords,
  seeds: async () => version1Blocks(),
  read: async (file) => {
    try {
      const reader = await CheckpointReader.open({ m: tableOfBlock(file) }, "m");
      let bytes = 0;
      for (const name of reader.variableToShapeMap.keys()) {
        using tensor = await reader.getTensor(name);
        bytes += sizeOf(tensor);
      }
      return bytes;
    } catch (error) {
      throw isStatusError(error, "INTERNAL") ? new InvalidArgumentError(error.message) : error;
    }
  },
};

/** The targets of checkpoints. */
export const checkpointTargets: readonly FuzzTarget[] = [block, index, shard, version1];
