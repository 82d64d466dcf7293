/** Writes tensors in any format that this library writes. */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkInteger, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import type { Tensor } from "@onebuffer/core";
import { toFileSinks } from "../checkpoint/create-sink.ts";
import type { BundleOutput } from "../checkpoint/create-sink.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import type { NamedTensors } from "../tensor/named-tensors.ts";
import { sharedTensors } from "../tensor/shared-tensors.ts";
import { checkTensor, namedEntries } from "../tensor/tensors-by-name.ts";
import type { TensorsByName } from "../tensor/tensors-by-name.ts";
import type { TensorsToWrite, WriteOptions } from "./format.ts";
import { kFormats } from "./formats.ts";
import type { FormatName, TensorStore } from "./tensor-store.ts";

/**
 * The options of `saveTensors`.
 *
 * @example
 * using w = Tensor.from([1, 2]);
 * const options: SaveTensorsOptions = { format: "npz", compressed: true };
 * const made = new MemoryFiles();
 * await saveTensors({ w }, made, "weights", options);
 * (await openTensorFiles(made.files, "weights")).format; // => "npz"
 */
export interface SaveTensorsOptions extends TransferOptions {
  /** The format; by default that of the name's ending. */
  readonly format?: FormatName;
  /** True deflates the members of an .npz file. */
  readonly compressed?: boolean;
  /** The most bytes of tensors in a file of safetensors; with it the model has several files and an index. */
  readonly maxShardBytes?: number;
}

const kKeys: readonly string[] = ["format", "compressed", "maxShardBytes", "signal", "onProgress"];

/**
 * Writes tensors to files: .npy, .npz, safetensors, or a checkpoint, whose `name` is its prefix. The tensors may be a store: each is read
 * when it is its turn, so that a checkpoint is written with one tensor in memory; the other formats need all at once. Bytes of dtypes that NumPy
 * lacks are written as raw bytes. Commits the files, and aborts them after an error.
 *
 * Throws INVALID_ARGUMENT for a name that tells no format, or an .npy file of several tensors; UNIMPLEMENTED for a dtype or a format that cannot
 * be written; CANCELLED, the errors of the store and of the files.
 *
 * @example
 * using weights = Tensor.from([1, 2, 3]);
 * const made = new MemoryFiles(); // or directorySinks(folder)
 * await saveTensors({ weights }, made, "model.safetensors");
 *
 * const store = await openTensorFiles(made.files, "model.safetensors");
 * const converted = new MemoryFiles();
 * await saveTensors(store, converted, "model.ckpt");
 * [...converted.files.keys()]; // => ["model.ckpt.data-00000-of-00001", "model.ckpt.index"]
 * await saveTensors(store, new MemoryFiles(), "model.txt"); // throws INVALID_ARGUMENT
 */
export async function saveTensors<M>(
  tensors: TensorsByName<M> | Pick<TensorStore, "names" | "info" | "read">,
  files: BundleOutput,
  name: string,
  options: SaveTensorsOptions = {},
): Promise<void> {
  checkOptions("saveTensors", options, kKeys);
  checkTransfer(options);
  checkText(name, "the name of a file");
  const { format, ...others } = options;
  const { compressed, maxShardBytes } = options;
  if (compressed !== undefined && typeof compressed !== "boolean")
    throw new InvalidArgumentError(`saveTensors: compressed is true or false, got ${shownValue(compressed)}`);
  if (maxShardBytes !== undefined) checkInteger(maxShardBytes, "maxShardBytes", 1);
  const writers = kFormats.flatMap((each) => (each.writer === null ? [] : [{ name: each.name, writer: each.writer }]));
  const found = writers.find((each) => (format === undefined ? each.writer.names.test(name) : each.name === format));
  if (found === undefined) {
    const what = format === undefined ? `the format of ${shownValue(name)}` : shownValue(format);
    throw new InvalidArgumentError(`saveTensors: ${what}: the formats are ${writers.map((each) => each.name).join(", ")}`);
  }
  const sinks = toFileSinks(files);
  if (isStore(tensors)) return await found.writer.write(tensors, sinks, name, others as WriteOptions);
  using held = heldTensors(tensors as TensorsByName);
  await found.writer.write(toWrite(held), sinks, name, others as WriteOptions);
}

function isStore(tensors: unknown): tensors is TensorsToWrite {
  const { names, info, read } = (tensors ?? {}) as Partial<TensorsToWrite>;
  return Array.isArray(names) && typeof info === "function" && typeof read === "function";
}

/** Returns handles of the tensors of a Map or an object. */
function heldTensors(tensors: TensorsByName): NamedTensors {
  const entries = namedEntries<Tensor>("saveTensors", tensors as ReadonlyMap<string, Tensor>, "tensors by name, or a TensorStore");
  for (const [name, tensor] of entries) checkTensor("saveTensors", name, tensor);
  return sharedTensors(entries.map(([name, tensor]) => ({ name, tensor })));
}

/** Returns tensors by name as a store of them. */
function toWrite(held: NamedTensors): TensorsToWrite {
  return {
    names: [...held.keys()],
    info: (name) => {
      const { dtype, shape, totalBytes } = held.tensor(name);
      return { name, dtype, shape: shape.dimSizes, bytes: totalBytes };
    },
    read: async (name) => held.tensor(name).share(),
  };
}
