/**
 * The formats, in the order in which a file is tried as each, and the functions that open a file of any of them.
 *
 *     1. a data file of a checkpoint whose index is there: its bytes may be those of anything
 *     2. the bytes: magic numbers at the beginning or, of tables, at the end; the checksum of a record; a TensorProto, which has no magic
 *        number, if it can be decoded
 *     3. the name, for a damaged file
 */
import { InvalidArgumentError } from "@onebuffer/base";
import { checkOptions, checkText } from "@onebuffer/base/internal";
import { metaFilename } from "../checkpoint/bundle-names.ts";
import type { ByteSource } from "../source/byte-source.ts";
import { checkedRead } from "../source/checked-read.ts";
import type { FileSet } from "../source/file-set.ts";
import { toByteSource } from "../source/to-byte-source.ts";
import type { SourceInput } from "../source/to-byte-source.ts";
import { toFileSet } from "../source/to-file-set.ts";
import type { FileSetInput } from "../source/to-file-set.ts";
import { checkTransfer, signalOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { CheckedStore } from "./checked-store.ts";
import { checkpointFormat, prefixOfDataFile } from "./checkpoint-format.ts";
import { checkpointV1Format } from "./checkpoint-v1-format.ts";
import { kEndBytes, kStartBytes } from "./format.ts";
import type { Format, FormatFile } from "./format.ts";
import { npyFormat } from "./npy-format.ts";
import { npzFormat } from "./npz-format.ts";
import { fileOrNull } from "../source/named-file.ts";
import { openFolder, openPrefix } from "./open-folder.ts";
import { safetensorsFormat, safetensorsIndexFormat } from "./safetensors-format.ts";
import { tensorProtoFormat } from "./tensor-proto-format.ts";
import type { FormatName, TensorStore } from "./tensor-store.ts";
import { tfRecordFormat } from "./tf-record-format.ts";

/** All formats. Those with a magic number at the beginning come first: the end of a file may be an element's bytes. */
export const kFormats: readonly Format[] = [
  npyFormat,
  npzFormat,
  tfRecordFormat,
  safetensorsFormat,
  checkpointV1Format,
  checkpointFormat,
  safetensorsIndexFormat,
  tensorProtoFormat,
];

const kOpenKeys: readonly string[] = ["signal", "onProgress"];

/**
 * Opens a file of any format: .npy, .npz, safetensors, the index of a checkpoint, a checkpoint of version 1, TFRecord, TensorProto. The bytes
 * decide the format; the name of the source only if they do not show any.
 *
 * The tensors of a checkpoint, and of a model with an index, are in other files: `openTensorFiles` opens those.
 *
 * Throws INVALID_ARGUMENT if the file is of no format, the errors of the format's reader if it is damaged, CANCELLED, and the errors of the
 * source.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4]]);
 * const store = await openTensors(new Blob([await writeNpz({ weights })])); // or fileSource(path), await httpSource(url), bytes
 * [store.format, store.names, store.info("weights").shape]; // => ["npz", ["weights"], [2, 2]]
 * using row = await store.read("weights", TensorSlice.parse("1,1:-"));
 * row.toArray(); // => [[3, 4]]
 * await openTensors(new TextEncoder().encode("a text")); // throws INVALID_ARGUMENT
 */
export async function openTensors(input: SourceInput, options: TransferOptions = {}): Promise<TensorStore> {
  checkOpenOptions("openTensors", options);
  return await openFile(await fileOf(...alone(input), options), options);
}

/**
 * Opens the tensors called `name` among files that belong together: a file of any format, as `openTensors` does, but with the files beside it;
 * the prefix of a checkpoint of either version, one of its data files, or the index of a model in several safetensors files; with "" what the
 * folder holds, a model of safetensors, its newest checkpoint, or a SavedModel.
 *
 * Throws NOT_FOUND if there is neither such a file nor such a checkpoint, otherwise as `openTensors`.
 *
 * @example
 * using weights = Tensor.from([[1, 2], [3, 4]]);
 * const made = new MemoryFiles(); // or directoryFiles(folder)
 * const writer = new BundleWriter(made, "model.ckpt");
 * await writer.add("weights", weights);
 * await writer.finish();
 * const store = await openTensorFiles(made.files, "model.ckpt");
 * [store.format, store.names]; // => ["checkpoint", ["weights"]]
 * (await openTensorFiles(made.files, "model.ckpt.data-00000-of-00001")).names; // => ["weights"]
 * await openTensorFiles(made.files, "other.ckpt"); // throws NOT_FOUND
 */
export async function openTensorFiles(input: FileSetInput, name: string = "", options: TransferOptions = {}): Promise<TensorStore> {
  checkText(name, "the name of a file");
  checkOpenOptions("openTensorFiles", options);
  const files = toFileSet(input);
  if (name === "") return new CheckedStore(await openFolder(files, options));
  const source = await fileOrNull(files, name, options.signal);
  if (source === null) return new CheckedStore(await openPrefix(files, name, options));
  return await openFile(await fileOf(files, name, source, options), options);
}

/**
 * Returns the format of a file, as `openTensors` finds it, or null if it is of none. Opens nothing. `name` is the name of the file; by default
 * that of the source.
 *
 * Throws CANCELLED, and the errors of the source.
 *
 * @example
 * using t = Tensor.from([1, 2]);
 * await formatOf(writeNpy(t)); // => "npy"
 * await formatOf(new Uint8Array(3), { name: "damaged.safetensors" }); // => "safetensors"
 * await formatOf(new Uint8Array(3)); // => null
 */
export async function formatOf(input: SourceInput, options: TransferOptions & { readonly name?: string } = {}): Promise<FormatName | null> {
  checkOptions("formatOf", options, ["name", ...kOpenKeys]);
  checkTransfer(options);
  const [files, own, source] = alone(input);
  const { name = own } = options;
  checkText(name, "the name of a file");
  return (await detect(await fileOf(files, name, source, options), options))?.name ?? null;
}

function checkOpenOptions(call: string, options: TransferOptions): void {
  checkOptions(call, options, kOpenKeys);
  checkTransfer(options);
}

/** Returns a source as the only file of a set, and the last part of its name. */
function alone(input: SourceInput): [files: FileSet, name: string, source: ByteSource] {
  const source = toByteSource(input);
  const name = String(source.name ?? "the file")
    .replace(/^"|"$/g, "")
    .split("/")
    .at(-1) as string;
  return [toFileSet(new Map([[name, source]])), name, source];
}

/** Reads the beginning and the end of a file. */
async function fileOf(files: FileSet, name: string, source: ByteSource, { signal }: TransferOptions): Promise<FormatFile> {
  const { size } = source;
  const start = await checkedRead(source, 0, Math.min(kStartBytes, size), "the beginning of the file", signal);
  const endBytes = Math.min(kEndBytes, size);
  const end = await checkedRead(source, size - endBytes, endBytes, "the end of the file", signal);
  // Copied: a source may use the memory of a read again.
  return { name, source, start: start.slice(), end: end.slice(), files };
}

async function openFile(file: FormatFile, options: TransferOptions): Promise<TensorStore> {
  const format = await detect(file, signalOf(options));
  if (format === null)
    throw new InvalidArgumentError("not a file of tensors: neither .npy, .npz, safetensors, a checkpoint, TFRecord nor a TensorProto");
  return new CheckedStore(await format.open(file, options));
}

/** Returns the format of a file, or null if it is of none. */
async function detect(file: FormatFile, options: TransferOptions): Promise<Format | null> {
  const prefix = prefixOfDataFile(file.name);
  if (prefix !== undefined && (await fileOrNull(file.files, metaFilename(prefix), options.signal)) !== null) return checkpointFormat;
  for (const format of kFormats) if (await format.sniff(file, options)) return format;
  return kFormats.find(({ names }) => names.test(file.name)) ?? null;
}
