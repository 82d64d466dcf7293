/**
 * mergeBundles: makes one checkpoint of several, each of which a process wrote (MergeBundles of
 * tensorflow/core/util/tensor_bundle/tensor_bundle.h).
 *
 *     part0.index  part0.data-00000-of-00001    ->    model.index  model.data-00000-of-00002
 *     part1.index  part1.data-00000-of-00001                       model.data-00001-of-00002
 *
 * Shards are numbered in the order in which the entries first name them. The slices of one tensor in several parts are put together.
 * TensorFlow moves the data files; here they are copied.
 */
import { InvalidArgumentError, isStatusError } from "@onebuffer/base";
import { checkArray, checkOptions, checkText, shownValue } from "@onebuffer/base/internal";
import { bundleEntryProtoCodec, tensorShapeProtoCodec, versionDefCodec } from "@onebuffer/proto";
import type { BundleEntryProto, BundleHeaderProto } from "@onebuffer/proto";
import { checkedRead } from "../source/checked-read.ts";
import type { FileSet } from "../source/file-set.ts";
import type { FileSinks } from "../source/file-sinks.ts";
import { openFile } from "../source/named-file.ts";
import { writeToSink } from "../source/sink-writer.ts";
import type { FileSetInput } from "../source/to-file-set.ts";
import { toFileSet } from "../source/to-file-set.ts";
import { checkTransfer } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { shownKey } from "../table/compare-bytes.ts";
import { BundleEntries, writeBundleIndex } from "./bundle-entries.ts";
import { BundleIndex } from "./bundle-index.ts";
import { dataFilename, metaFilename } from "./bundle-names.ts";
import { toFileSinks } from "./create-sink.ts";
import type { BundleOutput } from "./create-sink.ts";

/** The bytes of a data file that are copied at once. */
const kCopyBytes: number = 2 ** 22;

/**
 * Merges the checkpoints `prefixes` of `files` into the checkpoint `mergedPrefix`, which is written to `output`. The bytes are those that
 * TensorFlow writes for the same parts in the same order.
 *
 * Throws INVALID_ARGUMENT if a tensor is in two parts, other than as slices, or if their byte orders or versions differ; NOT_FOUND and
 * DATA_LOSS as `BundleReader.open`; CANCELLED if the signal is aborted.
 *
 * @example
 * const parts = new Map<string, Uint8Array>();
 * for (const name of ["a", "b"]) {
 *   const part = new MemoryFiles();
 *   const writer = new BundleWriter(part, `part-${name}`);
 *   using tensor = Tensor.from([1, 2]);
 *   await writer.add(name, tensor);
 *   await writer.finish();
 *   for (const [file, bytes] of part.files) parts.set(file, bytes);
 * }
 * const merged = new MemoryFiles();
 * await mergeBundles(parts, ["part-a", "part-b"], merged, "model");
 * const reader = await BundleReader.open(merged.files, "model");
 * [reader.keys, reader.numShards]; // => [["a", "b"], 2]
 */
export async function mergeBundles(
  files: FileSetInput,
  prefixes: readonly string[],
  output: BundleOutput,
  mergedPrefix: string,
  options: TransferOptions = {},
): Promise<void> {
  checkArray(prefixes, "a list of prefixes");
  // A copy: a getter or Proxy could return other values when it is read again.
  const parts: string[] = [];
  for (const prefix of prefixes) {
    checkText(prefix, "the prefix of a checkpoint");
    parts.push(prefix);
  }
  const sinks = toFileSinks(output);
  checkText(mergedPrefix, "the prefix of a checkpoint");
  checkOptions("mergeBundles", options, ["signal", "onProgress"]);
  checkTransfer(options);
  const set = toFileSet(files);
  const merge = new Merge();
  for (const prefix of parts) {
    const name = metaFilename(prefix);
    merge.add(prefix, await BundleIndex.read(await openFile(set, name, options.signal), name, options.signal));
  }
  const header = merge.header();
  try {
    for (const [name, shardId] of merge.shardIds)
      await copyFile(set, name, sinks, dataFilename(mergedPrefix, shardId, header.numShards ?? 0), options);
    await writeBundleIndex(sinks, mergedPrefix, header, merge.entries, options);
    await sinks.commit();
  } catch (error) {
    await sinks.abort(error).catch(() => undefined);
    throw error;
  }
}

/** The state of a merge. */
class Merge {
  readonly entries: BundleEntries = new BundleEntries();
  /** The number in the merged checkpoint of each data file. */
  readonly shardIds: Map<string, number> = new Map();
  #numShards = 0;
  #first: BundleHeaderProto | null = null;

  add(prefix: string, index: BundleIndex): void {
    const { header } = index;
    this.#numShards += index.numShards;
    this.#first ??= header;
    if ((header.endianness ?? 0) !== (this.#first.endianness ?? 0))
      throw new InvalidArgumentError(`Merging bundles with conflicting endianness, at ${shownValue(prefix)}`);
    if (versionText(header) !== versionText(this.#first))
      throw new InvalidArgumentError(`Merging bundles with different format versions, at ${shownValue(prefix)}`);
    // In the order of the keys' bytes, which those of slices come first in.
    for (const ofSlices of [true, false]) for (const key of index.keys(ofSlices)) this.#addEntry(prefix, index, key);
  }

  header(): BundleHeaderProto {
    return { ...this.#first, numShards: this.#numShards };
  }

  #addEntry(prefix: string, index: BundleIndex, key: Uint8Array<ArrayBufferLike>): void {
    const entry = decodeEntry(index.findBytes(key) as Uint8Array<ArrayBufferLike>, key, prefix);
    const known = this.entries.get(key);
    if (known === undefined) {
      const file = dataFilename(prefix, entry.shardId ?? 0, index.numShards);
      const shardId = this.shardIds.get(file) ?? this.shardIds.size;
      this.shardIds.set(file, shardId);
      this.entries.set(key, { ...entry, shardId });
      return;
    }
    const isSliced = (known.slices?.length ?? 0) > 0 && (entry.slices?.length ?? 0) > 0;
    if (!isSliced) throw new InvalidArgumentError(`Duplicate tensor keyed by ${shownKey(key)} encountered, when merging prefix: ${prefix}`);
    if (known.dtype !== entry.dtype || shapeText(known) !== shapeText(entry))
      throw new InvalidArgumentError(`The slices of ${shownKey(key)} are of different tensors, when merging prefix: ${prefix}`);
    this.entries.set(key, { ...known, slices: [...(known.slices ?? []), ...(entry.slices ?? [])] });
  }
}

function decodeEntry(bytes: Uint8Array<ArrayBufferLike>, key: Uint8Array<ArrayBufferLike>, prefix: string): BundleEntryProto {
  try {
    return bundleEntryProtoCodec.decode(bytes);
  } catch (cause) {
    throw new InvalidArgumentError(`${prefix}: the entry of ${shownKey(key)}${isStatusError(cause) ? `: ${cause.message}` : ""}`, {
      cause,
    });
  }
}

const versionText = ({ version = {} }: BundleHeaderProto): string => versionDefCodec.encode(version).join();
const shapeText = ({ shape = {} }: BundleEntryProto): string => tensorShapeProtoCodec.encode(shape).join();

/** Copies a file in pieces. */
async function copyFile(files: FileSet, from: string, sinks: FileSinks, to: string, options: TransferOptions): Promise<void> {
  const source = await openFile(files, from, options.signal);
  await writeToSink(await sinks.create(to), source.size, options, async (writer) => {
    for (let at = 0; at < source.size; at += kCopyBytes)
      await writer.write(await checkedRead(source, at, Math.min(kCopyBytes, source.size - at), from, options.signal), from);
  });
}
