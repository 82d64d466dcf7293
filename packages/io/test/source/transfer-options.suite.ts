// The options of a transfer: every function that takes them refuses values of other types, before it calls one of them.
import { expect, test } from "@jest/globals";
import { isStatusError } from "@onebuffer/base";
import { liveBuffers } from "@onebuffer/allocator";
import { Tensor } from "@onebuffer/core";
import {
  BundleReader,
  BundleWriter,
  CheckpointReader,
  ChunkSink,
  formatOf,
  latestCheckpoint,
  MemoryFiles,
  mergeBundles,
  NpzFile,
  openNpy,
  openNpz,
  openSafetensors,
  openSafetensorsModel,
  openTensorFiles,
  openTensors,
  parseNpyHeader,
  readCheckpointState,
  readNpz,
  readTFRecords,
  saveNpy,
  saveNpz,
  saveSafetensors,
  saveSafetensorsModel,
  saveTensors,
  TFRecordWriter,
  updateCheckpointState,
  writeCheckpoint,
  writeNpy,
  writeNpz,
  writeSafetensors,
  writeTFRecords,
} from "@onebuffer/io";
import type { TransferOptions } from "@onebuffer/io";
import { TensorSlice } from "@onebuffer/slice";
import { expectRefusal } from "@onebuffer/test-support";
import { bundleWith } from "../checkpoint/bundle-files.ts";

type Call = (options: TransferOptions) => unknown;

/** The functions that take the options of a transfer, by name. */
async function calls(tensor: Tensor<"float32">): Promise<Readonly<Record<string, Call>>> {
  const [npy, npz, safetensors] = [writeNpy(tensor), await writeNpz({ tensor }), writeSafetensors({ tensor })];
  const { files } = await bundleWith("m", { tensor });
  const model = { "model.safetensors": safetensors };
  const rows = TensorSlice.parse("0,1");
  const [array, zip, file] = [await openNpy(npy), NpzFile.fromBytes(npz), await openSafetensors(safetensors)];
  const [bundle, checkpoint, whole] = [
    await BundleReader.open(files, "m"),
    await CheckpointReader.open(files, "m"),
    await openSafetensorsModel(model),
  ];
  const store = await openTensors(npz);
  return {
    openNpy: (options) => openNpy(npy, options),
    "NpyFile tensor": (options) => array.tensor(options),
    "NpyFile slice": (options) => array.slice(rows, options),
    openNpz: (options) => openNpz(npz, options),
    readNpz: (options) => readNpz(npz, options),
    "NpzFile tensor": (options) => zip.tensor("tensor", options),
    "NpzFile slice": (options) => zip.slice("tensor", rows, options),
    "NpzFile tensors": (options) => zip.tensors(undefined, options),
    "NpzFile bytes": (options) => zip.bytes("tensor.npy", options),
    openSafetensors: (options) => openSafetensors(safetensors, options),
    "SafetensorsFile tensor": (options) => file.tensor("tensor", options),
    "SafetensorsFile slice": (options) => file.slice("tensor", rows, options),
    "SafetensorsFile tensors": (options) => file.tensors(undefined, options),
    "SafetensorsFile bytes": (options) => file.bytes("tensor", options),
    openSafetensorsModel: (options) => openSafetensorsModel(model, options),
    "SafetensorsModel tensors": (options) => whole.tensors(undefined, options),
    "SafetensorsModel tensor": (options) => whole.tensor("tensor", options),
    "SafetensorsModel entry": (options) => whole.entry("tensor", options),
    "BundleReader.open": (options) => BundleReader.open(files, "m", options),
    "BundleReader lookup": (options) => bundle.lookup("tensor", options),
    "BundleReader lookupSlice": (options) => bundle.lookupSlice("tensor", rows, options),
    "BundleReader lookupAll": (options) => bundle.lookupAll(undefined, options),
    "BundleReader lookupStoredBytes": (options) => bundle.lookupStoredBytes("tensor", options),
    "CheckpointReader.open": (options) => CheckpointReader.open(files, "m", options),
    "CheckpointReader getTensor": (options) => checkpoint.getTensor("tensor", options),
    mergeBundles: (options) => mergeBundles(files, ["m"], new MemoryFiles(), "n", options),
    readCheckpointState: (options) => readCheckpointState({}, options),
    latestCheckpoint: (options) => latestCheckpoint({}, options),
    updateCheckpointState: (options) => updateCheckpointState(new MemoryFiles(), "m", options),
    BundleWriter: (options) => new BundleWriter(new MemoryFiles(), "m", options),
    writeCheckpoint: (options) => writeCheckpoint(new MemoryFiles(), "m", { tensor }, options),
    readTFRecords: (options) => readTFRecords(npy, options),
    TFRecordWriter: (options) => new TFRecordWriter(new ChunkSink(), options),
    writeTFRecords: (options) => writeTFRecords(new ChunkSink(), [], options),
    saveNpy: (options) => saveNpy(tensor, new ChunkSink(), options),
    saveNpz: (options) => saveNpz({ tensor }, new ChunkSink(), options),
    saveSafetensors: (options) => saveSafetensors({ tensor }, new ChunkSink(), options),
    saveSafetensorsModel: (options) => saveSafetensorsModel({ tensor }, new MemoryFiles(), options),
    saveTensors: (options) => saveTensors({ tensor }, new MemoryFiles(), "m.npz", options),
    openTensors: (options) => openTensors(npz, options),
    openTensorFiles: (options) => openTensorFiles(files, "m", options),
    formatOf: (options) => formatOf(npz, options),
    "TensorStore read": (options) => store.read("tensor", null, options),
    "TensorStore bytes": (options) => store.bytes("tensor", options),
  };
}

/** Returns what a call throws, or its promise is rejected with. */
async function failureOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
    return "nothing was thrown";
  } catch (error) {
    return error;
  }
}

test("signals and listeners of other types are refused", async () => {
  using tensor = Tensor.from([
    [1, 2],
    [3, 4],
  ]);
  const before = liveBuffers();
  const faults: string[] = [];
  for (const [name, call] of Object.entries(await calls(tensor))) {
    for (const options of [{ signal: null }, { signal: "abort" }, { onProgress: null }, { onProgress: {} }]) {
      const error = await failureOf(() => call(options as never));
      if (!isStatusError(error, "INVALID_ARGUMENT")) faults.push(`${name}(${JSON.stringify(options)}): ${String(error)}`);
    }
  }
  expect(faults).toEqual([]);
  expect(liveBuffers()).toBe(before);
});

test("maxHeaderSize is a number", async () => {
  using tensor = Tensor.from([1, 2]);
  const npy = writeNpy(tensor);
  for (const maxHeaderSize of ["200", Number.NaN, -1, Symbol("most"), {}] as never[]) {
    await expectRefusal(() => parseNpyHeader(npy, { maxHeaderSize }), "INVALID_ARGUMENT", "maxHeaderSize");
    await expectRefusal(() => openNpy(npy, { maxHeaderSize }), "INVALID_ARGUMENT", "maxHeaderSize");
  }
  expect(parseNpyHeader(npy, { maxHeaderSize: Number.POSITIVE_INFINITY }).shape).toEqual([2]);
});
