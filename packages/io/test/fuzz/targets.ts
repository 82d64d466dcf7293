/** The readers that are fuzzed. A format adds its target here. */
import type { DType } from "@onebuffer/base";
import { Tensor } from "@onebuffer/core";
import {
  BundleReader,
  MemoryFiles,
  NpzFile,
  ObjectGraph,
  openNpy,
  openNpz,
  openSafetensorsModel,
  openTensors,
  readCheckpointState,
  readNpy,
  readSafetensors,
  readTFRecords,
  readTFRecordsSync,
  SafetensorsFile,
  Trackable,
  updateCheckpointState,
  writeCheckpoint,
  writeNpy,
  writeNpz,
  writeSafetensors,
  writeTFRecords,
  ChunkSink,
} from "@onebuffer/io";
import { TensorSlice } from "@onebuffer/slice";
import { sampleFiles } from "../formats/sample-files.ts";
import { checkpointTargets } from "./checkpoint-targets.ts";
import type { FuzzTarget } from "./fuzz-target.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const kDTypes = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split(" ") as DType[];

/** Calls `act` with tensors of several dtypes and shapes, and frees them. */
async function withTensors<T>(dtypes: readonly DType[], act: (tensors: ReadonlyMap<string, Tensor>) => T | Promise<T>): Promise<T> {
  const shapes: readonly (readonly number[])[] = [[2, 3], [], [4], [0, 2], [1, 2, 1, 2]];
  const tensors = new Map(
    dtypes.map((dtype, i) => [`t${i}`, Tensor.ones([...(shapes[i % shapes.length] as readonly number[])], { dtype }) as Tensor]),
  );
  try {
    return await act(tensors);
  } finally {
    for (const tensor of tensors.values()) tensor.dispose();
  }
}

const bytesOf = (tensor: Tensor): number => (tensor.dtype === "string" ? 0 : tensor.totalBytes);

/** Throws unless two tensors are the same. */
function checkSame(a: Tensor, b: Tensor): void {
  const same = a.dtype === b.dtype && String(a.shape.dimSizes) === String(b.shape.dimSizes);
  if (!same || (a.dtype !== "string" && Buffer.compare(a.tensorData, b.tensorData) !== 0))
    throw new Error("what is written and read again differs");
}

const kHeaderWords = [
  "'descr': ",
  "'<f4'",
  "'|b1'",
  "'>i8'",
  "True",
  "False",
  "(",
  ")",
  ",",
  "{}",
  "'shape': (3,)",
  "\\x41",
  '"""',
  "#",
  "2L",
  "0x",
  "u'",
];

const npy: FuzzTarget = {
  name: "npy",
  share: 35,
  words: kHeaderWords,
  seeds: async () => {
    const ours = await withTensors(kDTypes, (tensors) => [...tensors.values()].map((tensor) => writeNpy(tensor as never)));
    const edited = (from: string, to: string): Bytes[] =>
      ours.map((file) => {
        const text = Buffer.from(file).toString("latin1").replace(from, to);
        return new Uint8Array(Buffer.from(text, "latin1"));
      });
    return [
      ...ours,
      ...edited("False", "True "),
      ...edited("'<", "'>"),
      ...edited("'<f4'", "'|S4'"),
      ...edited("'<u4'", "'<U1'"),
      ...edited("'<i2'", "'<V2'"),
    ];
  },
  read: (file) => {
    using tensor = readNpy(file, { strings: true, voidAs: "bfloat16", boolBytes: "keep" } as { strings: true }) as Tensor;
    const dtype: string = tensor.dtype;
    if (dtype === "string" || dtype === "bfloat16") return bytesOf(tensor);
    using again = readNpy(writeNpy(tensor as never), { boolBytes: "keep" });
    checkSame(tensor, again as Tensor);
    return bytesOf(tensor);
  },
};

const lazyNpy: FuzzTarget = {
  name: "npy, read from a source",
  share: 5,
  words: kHeaderWords,
  seeds: npy.seeds,
  read: async (file) => {
    const open = await openNpy(
      { size: file.length, read: async (offset, length) => file.slice(offset, offset + length) },
      { strings: true, voidAs: "bfloat16" },
    );
    using tensor = await open.tensor();
    if (open.shape.length > 0) {
      using rows = await open.rows(Math.floor((open.shape[0] ?? 0) / 2));
      return bytesOf(tensor as Tensor) + bytesOf(rows as Tensor);
    }
    return bytesOf(tensor as Tensor);
  },
  mostBytes: (size) => 2 * size + 64,
};

const kZipWords = ["PK\x01\x02", "PK\x03\x04", "PK\x05\x06", "PK\x06\x06", "PK\x06\x07", ".npy", "\x01\x00\x10\x00"];
const zipSeeds = (compressed: boolean) => async (): Promise<Bytes[]> => [
  await withTensors(kDTypes.slice(0, 3), (tensors) => writeNpz(tensors, { compressed })),
  await withTensors(kDTypes.slice(9, 11), (tensors) => writeNpz(tensors, { compressed })),
  await writeNpz({}),
];

const npz: FuzzTarget = {
  name: "npz, stored",
  share: 25,
  words: kZipWords,
  seeds: zipSeeds(false),
  read: (file) => {
    // Damaged data is what checksums find; without them the readers behind see it.
    const open = NpzFile.fromBytes(file, { verifyChecksums: file.length % 2 === 0 });
    let bytes = 0;
    for (const name of open.names) {
      using tensor = open.tensorSync(name, { strings: true });
      bytes += bytesOf(tensor as Tensor);
    }
    return bytes;
  },
  mostBytes: (size) => size,
};

const deflatedNpz: FuzzTarget = {
  name: "npz, deflated",
  share: 1,
  words: kZipWords,
  seeds: zipSeeds(true),
  read: async (file) => {
    using tensors = await (await openNpz(file, { verifyChecksums: file.length % 2 === 0 })).tensors();
    return [...tensors.values()].reduce((sum, tensor) => sum + bytesOf(tensor), 0);
  },
  mostBytes: (size) => 1032 * size,
};

const kJsonWords = [
  '"__metadata__":',
  '{"k":"v"}',
  '"dtype":"F4"',
  '"shape":[',
  '"data_offsets":[0,',
  "null",
  "-0",
  "2.0",
  "1e9",
  '"\\ud800"',
  '"\\u0061"',
  "[[[[",
  "{}",
  ",",
  "18446744073709551615",
];

const safetensors: FuzzTarget = {
  name: "safetensors",
  share: 30,
  words: kJsonWords,
  seeds: async () =>
    await withTensors([...kDTypes.slice(0, 13), "bfloat16", "float8_e4m3fn"], (tensors) => {
      using packed = Tensor.ones([2, 2], { dtype: "float4_e2m1fn" });
      const few = new Map([...tensors].slice(0, 3));
      return [
        writeSafetensors(tensors),
        writeSafetensors(few, { metadata: { format: "pt", "": "é𝄞" } }),
        writeSafetensors({ packed, b: few.get("t1") as Tensor }),
      ];
    }),
  read: (file) => {
    using tensors = readSafetensors(file, { duplicates: "last", boolBytes: "keep" });
    const { metadata } = SafetensorsFile.fromBytes(file, { duplicates: "last" });
    using again = readSafetensors(writeSafetensors(tensors, { metadata }), { boolBytes: "keep" });
    for (const [name, tensor] of tensors) checkSame(tensor, again.tensor(name));
    return [...tensors.values()].reduce((sum, tensor) => sum + bytesOf(tensor), 0);
  },
  mostBytes: (size) => 2 * size,
};

const safetensorsIndex: FuzzTarget = {
  name: "safetensors index",
  share: 4,
  words: [...kJsonWords, '"weight_map"', "../", '"a":"s"'],
  seeds: async () => [new Uint8Array(Buffer.from('{"metadata":{"total_size":8},"weight_map":{"a":"s","b":"t/u"}}'))],
  read: async (file) => (await openSafetensorsModel({ "model.safetensors.index.json": file })).names.length,
};

const records: FuzzTarget = {
  name: "TFRecord",
  share: 5,
  seeds: async () => {
    const sink = new ChunkSink();
    await writeTFRecords(sink, [new Uint8Array(0), Uint8Array.of(1, 2, 3), new Uint8Array(40).fill(7)]);
    return [sink.toBytes()];
  },
  read: (file) => {
    let bytes = 0;
    for (const record of readTFRecordsSync(file, { verifyChecksums: file.length % 2 === 0 })) bytes += record.length;
    return bytes;
  },
};

const compressedRecords: FuzzTarget = {
  name: "TFRecord, compressed",
  share: 1,
  seeds: async () => {
    const sink = new ChunkSink();
    await writeTFRecords(sink, [new Uint8Array(0), new Uint8Array(3000).fill(7)], { compression: "GZIP" });
    return [sink.toBytes()];
  },
  read: async (file) => {
    let bytes = 0;
    const source = { size: file.length, read: async (offset: number, length: number) => file.slice(offset, offset + length) };
    for await (const record of readTFRecords(source, { compression: "GZIP" })) bytes += record.length;
    return bytes;
  },
  mostBytes: (size) => 1032 * size,
};

const objectGraph: FuzzTarget = {
  name: "object graph",
  share: 4,
  words: ["\x08\x01", "\x12\x01a", "\x12\x00", "\x0a\x00", "VARIABLE_VALUE", "/", "."],
  seeds: async () => {
    const made = new MemoryFiles();
    using w = Tensor.from([1]);
    const variable = new Trackable(w);
    const optimizer = new Trackable().setSlot("m", variable, w);
    await writeCheckpoint(made, "c", { model: { w: variable, list: [w, { "k/ey": w }] }, optimizer }, { saveCounter: 1 });
    const reader = await BundleReader.open(made.files, "c");
    using graph = await reader.lookup("_CHECKPOINTABLE_OBJECT_GRAPH", { dtype: "string" });
    return [new Uint8Array(graph.flat().at(0))];
  },
  read: (file) => {
    const graph = ObjectGraph.decode(file);
    for (const [path, node] of graph.paths()) if (graph.find(path) !== node) throw new Error(`${path} is another object`);
    return [...graph.variables()].length;
  },
};

const checkpointState: FuzzTarget = {
  name: "the file checkpoint",
  share: 4,
  words: ["all_model_checkpoint_paths", ": ", '"', "'", "\\303\\244", "[", "]", "{", "#", "1e5", "-inf", "\n"],
  seeds: async () => {
    const sink = new ChunkSink();
    const previous = { allModelCheckpointPaths: ["a", "b\n"], allModelCheckpointTimestamps: [1, 2.5], lastPreservedTimestamp: 1 };
    await updateCheckpointState(() => sink, "c", { previous, timestamp: 3 });
    return [sink.toBytes()];
  },
  read: async (file) => {
    const state = await readCheckpointState({ checkpoint: file });
    if (state === null) throw new Error("the file is there");
    const sink = new ChunkSink();
    const { modelCheckpointPath: latest } = await updateCheckpointState(() => sink, "latest", { previous: state });
    if ((await readCheckpointState({ checkpoint: sink.toBytes() }))?.modelCheckpointPath !== latest) throw new Error("written otherwise");
    return 0;
  },
};

const anyFormat: FuzzTarget = {
  name: "a file of any format",
  share: 5,
  words: [...kHeaderWords, ...kZipWords, ...kJsonWords],
  seeds: async () => {
    using matrix = Tensor.from([
      [1, 2, 3],
      [4, 5, 6],
    ]); // prettier-ignore
    // Files whose tensors are in files beside them have fuzz targets of their own.
    return (await sampleFiles(matrix)).filter(({ others }) => Object.keys(others).length === 0).map(({ bytes }) => bytes);
  },
  read: async (file) => {
    const store = await openTensors({ size: file.length, read: async (offset, length) => file.slice(offset, offset + length) });
    let bytes = 0;
    for (const name of store.names) {
      const { shape } = store.info(name);
      using tensor = await store.read(name);
      const slice = new TensorSlice(shape.map((size) => [0, Math.min(1, size)]));
      using part = await store.read(name, slice);
      using expected = tensor.copySlice(slice);
      checkSame(part, expected);
      bytes += bytesOf(tensor);
    }
    return bytes;
  },
  mostBytes: (size) => 1032 * size,
};

/** All targets. */
export const targets: readonly FuzzTarget[] = [
  npy,
  lazyNpy,
  npz,
  deflatedNpz,
  safetensors,
  safetensorsIndex,
  records,
  ...checkpointTargets,
  compressedRecords,
  objectGraph,
  checkpointState,
  anyFormat,
];
