/** A file of every format with the same matrix, for tests that open files of any format. */
import { dataTypeOf } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import {
  BundleWriter,
  ChunkSink,
  MemoryFiles,
  saveSafetensorsModel,
  writeNpy,
  writeNpz,
  writeSafetensors,
  writeTFRecords,
} from "@onebuffer/io";
import { savedTensorSlicesCodec, tensorProtoCodec } from "@onebuffer/proto";
import { encodeTensorNameSlice, TensorSlice } from "@onebuffer/slice";
import { tableOf } from "../checkpoint/bundle-files.ts";

/** A file, those beside it, and what a store of it shows. */
export interface SampleFile {
  readonly kind: string;
  readonly format: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Files beside it by their names, where `FILE` stands for its own name. */
  readonly others: Readonly<Record<string, Uint8Array>>;
  /** The name of the matrix; null for records. */
  readonly tensor: string | null;
}

/** Returns a checkpoint of version 1 with one tensor. */
export function firstVersion(name: string, tensor: Tensor): Uint8Array<ArrayBuffer> {
  const slice = TensorSlice.full(tensor.dims);
  const { dtype: _, tensorShape: shape, ...data } = tensor.asProtoField({ copy: true });
  const meta = {
    tensor: [{ name, type: dataTypeOf(tensor.dtype), shape: shape ?? {}, slice: [slice.asProto()] }],
    versions: { producer: 1 },
  };
  return tableOf([
    [new Uint8Array(0), savedTensorSlicesCodec.encode({ meta })],
    [encodeTensorNameSlice(name, slice), savedTensorSlicesCodec.encode({ data: { name, slice: slice.asProto(), data } })],
  ]);
}

async function recordFile(compression?: "GZIP" | "ZLIB"): Promise<Uint8Array<ArrayBuffer>> {
  const sink = new ChunkSink();
  await writeTFRecords(sink, [Uint8Array.of(1, 2, 3), new Uint8Array(0)], compression === undefined ? {} : { compression });
  return sink.toBytes();
}

/** Returns files of all formats with this float32 matrix. */
export async function sampleFiles(matrix: Tensor<"float32">): Promise<readonly SampleFile[]> {
  const bundle = new MemoryFiles();
  const writer = new BundleWriter(bundle, "m");
  await writer.add("w", matrix);
  await writer.finish();
  const model = new MemoryFiles();
  await saveSafetensorsModel({ v: matrix, w: matrix }, model, { maxShardBytes: matrix.totalBytes });
  const column = writeNpy(matrix.matrix().transpose());
  const text = Buffer.from(column.subarray(0, 128)).toString("latin1");
  const { dimSizes } = matrix.shape;
  const columnMajor = text.replace("False", "True ").replace(`(${dimSizes.toReversed().join(", ")})`, `(${dimSizes.join(", ")})`);
  column.set(Buffer.from(columnMajor, "latin1"));
  const make = (
    kind: string,
    format: string,
    bytes: Uint8Array<ArrayBuffer>,
    tensor: string | null,
    others: SampleFile["others"] = {},
  ): SampleFile => ({ kind, format, bytes, others, tensor });
  return [
    make(".npy", "npy", writeNpy(matrix), ""),
    make("column-major .npy", "npy", column, ""),
    make(".npz", "npz", await writeNpz({ w: matrix }), "w"),
    make("deflated .npz", "npz", await writeNpz({ w: matrix }, { compressed: true }), "w"),
    make("safetensors", "safetensors", writeSafetensors({ w: matrix }), "w"),
    make(
      "safetensors index",
      "safetensors",
      model.files.get("model.safetensors.index.json") as Uint8Array<ArrayBuffer>,
      "w",
      Object.fromEntries([...model.files].filter(([name]) => !name.endsWith(".json"))),
    ),
    make("checkpoint", "checkpoint", bundle.files.get("m.index") as Uint8Array<ArrayBuffer>, "w", {
      "FILE.data-00000-of-00001": bundle.files.get("m.data-00000-of-00001") as Uint8Array,
    }),
    make("checkpoint v1", "checkpoint v1", firstVersion("w", matrix as Tensor), "w"),
    make("TFRecord", "TFRecord", await recordFile(), null),
    make("TFRecord with GZIP", "TFRecord", await recordFile("GZIP"), null),
    make("TFRecord with ZLIB", "TFRecord", await recordFile("ZLIB"), null),
    make("TensorProto", "TensorProto", tensorProtoCodec.encode(matrix.asProtoTensorContent()), ""),
  ];
}

/** The files of a sample under another name; of the index of a checkpoint the data file has its name without `.index`. */
export function filesOf({ bytes, others }: SampleFile, name: string): Map<string, Uint8Array> {
  return new Map([
    [name, bytes],
    ...Object.entries(others).map(([each, other]) => [each.replace("FILE", name.replace(/\.index$/, "")), other] as const),
  ]);
}
