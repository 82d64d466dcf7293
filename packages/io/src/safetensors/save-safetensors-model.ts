/** Writes a model to several safetensors files and an index, as Hugging Face's libraries divide it. */
import { argumentError, checkInteger, checkOptions, checkText } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import type { FileSinks } from "../source/file-sinks.ts";
import { writeToSink } from "../source/sink-writer.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { writeAndCommit } from "../source/write-and-commit.ts";
import type { NamedTensors } from "../tensor/named-tensors.ts";
import { sharedTensors } from "../tensor/shared-tensors.ts";
import type { TensorsByName } from "../tensor/tensors-by-name.ts";
import { writeModelIndex } from "./model-index.ts";
import { indexNameOf } from "./safetensors-model.ts";
import { layOut, storedBytes } from "./safetensors-writer.ts";
import type { Placed, SafetensorsLayout } from "./safetensors-writer.ts";
import type { SafetensorsWriteOptions } from "./write-safetensors.ts";

/**
 * The options of `saveSafetensorsModel`.
 *
 * @example
 * using a = Tensor.zeros([100]);
 * const options: SafetensorsModelWriteOptions = { maxShardBytes: 300, metadata: { format: "pt" } };
 * const made = new MemoryFiles();
 * await saveSafetensorsModel({ a, b: a }, made, options); // => ["model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"]
 */
export interface SafetensorsModelWriteOptions extends SafetensorsWriteOptions, TransferOptions {
  /** The most bytes of tensors in a file, unless one tensor has more; 5,000,000,000 by default, as there. */
  readonly maxShardBytes?: number;
  /** The model's name, with which the names of its files begin; "model" by default. */
  readonly name?: string;
}

const kMaxShardBytes = 5_000_000_000;

/**
 * Writes tensors to files called `model-00001-of-00003.safetensors` and so on, and an index; to `model.safetensors` alone if they fit one file.
 * Each file has the same metadata. Commits the files, and returns the names of those with tensors.
 *
 * Throws what `saveSafetensors` throws; the files are then aborted. Copies none of the elements.
 *
 * @example
 * using a = Tensor.from([1, 2, 3]);
 * const made = new MemoryFiles(); // in Node: directorySinks("folder")
 * await saveSafetensorsModel({ a }, made); // => ["model.safetensors"]
 * using tensors = readSafetensors(made.files.get("model.safetensors")!);
 * tensors.tensor("a").toArray(); // => [1, 2, 3]
 */
export async function saveSafetensorsModel<M>(
  tensors: TensorsByName<M>,
  files: FileSinks,
  given: SafetensorsModelWriteOptions = {},
): Promise<string[]> {
  checkOptions("saveSafetensorsModel", given, ["maxShardBytes", "name", "metadata", "signal", "onProgress"]);
  // A getter could return another value when it is read again.
  const options = { ...given };
  checkTransfer(options);
  const { maxShardBytes = kMaxShardBytes, name = "model", metadata } = options;
  checkInteger(maxShardBytes, "a number of bytes", 1);
  checkText(name, "the name of a model");
  const { create, commit } = (files ?? {}) as Partial<FileSinks>;
  if (typeof create !== "function" || typeof commit !== "function") throw argumentError("FileSinks such as MemoryFiles", files);
  const { given: placed } = layOut("saveSafetensorsModel", tensors as TensorsByName, metadata);
  const shards = shardsOf(placed, maxShardBytes);
  const digits = (n: number): string => String(n).padStart(5, "0");
  const names = shards.map((_, i) =>
    shards.length === 1 ? `${name}.safetensors` : `${name}-${digits(i + 1)}-of-${digits(shards.length)}.safetensors`,
  );
  const layouts = shards.map((shard) => layOut("saveSafetensorsModel", shard, metadata));
  const totalBytes = layouts.reduce((sum, layout) => sum + layout.totalBytes, 0);
  using held = sharedTensors(placed);
  await writeAndCommit(files, async () => {
    let before = 0;
    for (const [i, layout] of layouts.entries()) {
      await saveShard(files, names[i] as string, layout, held, options, before, totalBytes);
      before += layout.totalBytes;
    }
    if (shards.length > 1) await saveIndex(files, indexNameOf(name), layouts, names);
  });
  return names;
}

/** Divides tensors, in the order in which they are given: a file is closed before the tensor that it has no room for. */
function shardsOf(tensors: readonly Placed[], maxShardBytes: number): Map<string, Tensor>[] {
  const shards: Map<string, Tensor>[] = [];
  let current = new Map<string, Tensor>();
  let bytes = 0;
  for (const { name, tensor, byteLength } of tensors) {
    if (byteLength > maxShardBytes) {
      shards.push(new Map([[name, tensor]]));
      continue;
    }
    if (bytes + byteLength > maxShardBytes) {
      shards.push(current);
      current = new Map();
      bytes = 0;
    }
    current.set(name, tensor);
    bytes += byteLength;
  }
  if (current.size > 0 || shards.length === 0) shards.push(current);
  return shards;
}

async function saveShard(
  files: FileSinks,
  name: string,
  layout: SafetensorsLayout,
  held: NamedTensors,
  { signal, onProgress }: TransferOptions,
  before: number,
  totalBytes: number,
): Promise<void> {
  const transfer: TransferOptions = {
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress: (part) => onProgress({ ...part, bytes: before + part.bytes, totalBytes }) }),
  };
  await writeToSink(await files.create(name), layout.totalBytes, transfer, async (writer) => {
    await writer.write(layout.header);
    for (const placed of layout.tensors) await writer.write(storedBytes(placed, held.tensor(placed.name)), placed.name);
  });
}

async function saveIndex(files: FileSinks, name: string, layouts: readonly SafetensorsLayout[], names: readonly string[]): Promise<void> {
  const weightMap = new Map(layouts.flatMap(({ tensors }, i) => tensors.map((placed) => [placed.name, names[i] as string])));
  const totalSize = layouts.reduce((sum, { tensors }) => sum + tensors.reduce((bytes, { byteLength }) => bytes + byteLength, 0), 0);
  const bytes = writeModelIndex(weightMap, totalSize);
  await writeToSink(await files.create(name), bytes.length, {}, async (writer) => await writer.write(bytes));
}
