/** Files to try, written by the library in this page. */
import { Tensor, writeNpy } from "onebuffer";
import { BundleWriter, ChunkSink, MemoryFiles, writeNpz, writeSafetensors, writeTFRecords } from "onebuffer/io";
import { tensorProtoCodec } from "onebuffer/proto";
import type { GivenFile } from "./messages.ts";

/** The names of the samples. */
export const kSamples = [
  "checkpoint",
  "twelve numbers",
  ".npy",
  ".npz",
  "safetensors",
  "TFRecord",
  "TensorProto",
  "broken checkpoint",
] as const;
export type Sample = (typeof kSamples)[number];

const file = (name: string, bytes: Uint8Array): GivenFile => ({ name, blob: new Blob([bytes as Uint8Array<ArrayBuffer>]) });

/** Writes the files of a sample. */
export async function sampleFiles(sample: string): Promise<GivenFile[]> {
  using kernel = waves(64, 96);
  using bias = Tensor.linspace(-1, 1, 96);
  using labels = Tensor.from(["cat", "dog", "bird"]);
  const arrays = { "dense/bias": bias, "dense/kernel": kernel };
  if (sample === "twelve numbers") {
    using numbers = Tensor.arange(1, 13);
    using matrix = numbers.reshape([3, 4]);
    return await checkpoint("numbers", { numbers: matrix });
  }
  if (sample === ".npy") return [file("waves.npy", writeNpy(kernel))];
  if (sample === ".npz") return [file("arrays.npz", await writeNpz({ bias, kernel }))];
  if (sample === "safetensors") return [file("model.safetensors", writeSafetensors(arrays))];
  if (sample === "TFRecord") return [file("animals.tfrecord", await records("cat", "dog", "bird"))];
  if (sample === "TensorProto") return [file("kernel.pb", tensorProtoCodec.encode(bias.asProtoField()))];
  const files = await checkpoint("model.ckpt", { ...arrays, labels });
  return sample === "broken checkpoint" ? await Promise.all(files.map(damaged)) : files;
}

/** Writes a record for each text. */
async function records(...texts: readonly string[]): Promise<Uint8Array> {
  const sink = new ChunkSink();
  await writeTFRecords(
    sink,
    texts.map((text) => new TextEncoder().encode(text)),
  );
  return sink.toBytes();
}

async function checkpoint(prefix: string, tensors: Readonly<Record<string, Tensor>>): Promise<GivenFile[]> {
  const made = new MemoryFiles();
  const writer = new BundleWriter(made, prefix);
  for (const [name, tensor] of Object.entries(tensors)) await writer.add(name, tensor);
  await writer.finish();
  return [...made.files].map(([name, bytes]) => file(name, bytes as Uint8Array));
}

/** Changes one bit in the middle of an index. */
async function damaged({ name, blob }: GivenFile): Promise<GivenFile> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (name.endsWith(".index")) bytes[40]! ^= 4;
  return file(name, bytes);
}

/** A matrix with a pattern that a picture shows. */
function waves(rows: number, columns: number): Tensor<"float32"> {
  const tensor = Tensor.zeros([rows, columns]);
  const map = tensor.matrix();
  for (let y = 0; y < rows; y++)
    for (let x = 0; x < columns; x++) map.set(y, x, Math.sin(x / 7) * Math.cos(y / 9) + Math.sin((x + y) / 13) / 2);
  return tensor;
}
