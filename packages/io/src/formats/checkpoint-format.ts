/** TensorFlow's checkpoints of version 2 as a format: an index, and data files beside it. */
import { isStatusError, UnimplementedError } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import type { TensorSlice } from "@onebuffer/slice";
import { dataFilename, metaFilename } from "../checkpoint/bundle-names.ts";
import { BundleWriter } from "../checkpoint/bundle-writer.ts";
import { BundleReader } from "../checkpoint/bundle-reader.ts";
import type { FileSet } from "../source/file-set.ts";
import { signalOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { kFooterMagic } from "../table/table-footer.ts";
import { elementBytes } from "./element-bytes.ts";
import { beginsWith } from "./format.ts";
import type { Format } from "./format.ts";
import { fileOrNull, withFile } from "../source/named-file.ts";
import type { StoreNote, StoreReader } from "./checked-store.ts";
import type { StoredBytes, TensorInfo } from "./tensor-store.ts";

/** The name of a data file: the prefix of its checkpoint, and a suffix. */
const kDataFile = /^(.*)\.data-\d{5}-of-\d{5}$/s;
/** Data files are looked for only if there are at most so many: the number is in the index, which may be damaged. */
const kMostShards = 1000;

/** Returns the prefix of the checkpoint of a data file, or undefined for another name. */
export function prefixOfDataFile(name: string): string | undefined {
  return kDataFile.exec(name)?.[1];
}

/** Tables: files that end with their magic number, as the index of a checkpoint does. Version 1, whose files are tables too, comes before. */
export const checkpointFormat: Format = {
  name: "checkpoint",
  names: /\.(index|data-\d{5}-of-\d{5})$/,
  sniff: ({ end }) => beginsWith(end, ...kFooterMagic),
  async open({ name, source, end, files }, options): Promise<StoreReader> {
    const prefix = prefixOfDataFile(name);
    if (prefix !== undefined) {
      // A table with the name of a data file, without an index of this prefix, is an index itself.
      const isIndex = beginsWith(end, ...kFooterMagic) && (await fileOrNull(files, metaFilename(prefix), options.signal)) === null;
      if (!isIndex) return await openBundleStore(files, prefix, options);
    }
    const base = name.replace(/\.index$/, "");
    return await openBundleStore(withFile(files, metaFilename(base), source), base, options);
  },
  writer: {
    names: /\.(ckpt|index)$/,
    /** Reads and writes one tensor after the other. */
    async write(tensors, files, name, { maxShardBytes, ...options }): Promise<void> {
      if (maxShardBytes !== undefined)
        throw new UnimplementedError("a checkpoint is written with one data file; mergeBundles makes one of several checkpoints");
      const writer = new BundleWriter(files, name.replace(/\.index$/, ""), signalOf(options));
      try {
        for (const each of tensors.names) {
          using tensor = await tensors.read(each);
          if (tensors.info(each).dtype === "variant") await writer.addVariants(each, tensor as Tensor<"string">);
          else await writer.add(each, tensor);
        }
        await writer.finish();
      } catch (error) {
        await writer.abort(error);
        throw error;
      }
    },
  },
};

/** Opens the checkpoint `prefix` of `files`. Throws what `BundleReader.open` throws. */
export async function openBundleStore(files: FileSet, prefix: string, options: TransferOptions): Promise<StoreReader> {
  return await bundleReaderStore(await BundleReader.open(files, prefix, signalOf(options)), files);
}

/** Returns the reader of an open checkpoint, whose checksums are verified. An entry that is malformed has a note; reading it throws. */
export async function bundleReaderStore(reader: BundleReader, files: FileSet): Promise<StoreReader> {
  const keys = reader.keyBytes;
  const infos = new Map<string, TensorInfo>();
  const keyOf = new Map<string, Uint8Array<ArrayBuffer>>();
  const { numShards } = reader;
  const notes: StoreNote[] = [[`${numShards} data file${numShards === 1 ? "" : "s"}`, ""], ...(await missingShards(reader, files))];
  if (reader.isBigEndian) notes.push(["big-endian", ""]);
  for (const [i, name] of reader.keys.entries()) {
    const key = keys[i] as Uint8Array<ArrayBuffer>;
    keyOf.set(name, key);
    try {
      const { dtype, shape } = reader.lookupDtypeAndShape(key);
      infos.set(name, { name, dtype, shape: shape.dimSizes, bytes: reader.storedSize(key) });
    } catch (error) {
      if (!isStatusError(error)) throw error;
      infos.set(name, { name, dtype: "unreadable", shape: [], bytes: 0 });
      notes.push([name, `${error.code}: ${error.message}`]);
    }
  }
  const find = (name: string): Uint8Array<ArrayBuffer> => keyOf.get(name) as Uint8Array<ArrayBuffer>;
  let unchecked: BundleReader | undefined;
  return {
    format: "checkpoint",
    names: [...infos.keys()],
    hasChecksums: true,
    notes,
    info: (name) => infos.get(name),
    read: async (name, slice: TensorSlice | null, options): Promise<Tensor> =>
      slice === null ? await reader.lookup(find(name), options) : await reader.lookupSlice(find(name), slice, options),
    async bytes(name, options): Promise<StoredBytes> {
      const key = find(name);
      try {
        return { bytes: await storedBytes(reader, key, options), checksum: "ok" };
      } catch (error) {
        if (!isStatusError(error, "DATA_LOSS")) throw error;
        unchecked ??= await BundleReader.open(files, reader.prefix, { verifyChecksums: false, ...signalOf(options) });
        return { bytes: await storedBytes(unchecked, key, options), checksum: "bad" };
      }
    },
  };
}

async function storedBytes(
  reader: BundleReader,
  key: Uint8Array<ArrayBuffer>,
  options: TransferOptions,
): Promise<Uint8Array<ArrayBufferLike>> {
  const { dtype } = reader.lookupDtypeAndShape(key);
  using tensor = await reader.lookup(key, options);
  // Looking them up verifies the checksum of strings, which covers their lengths as well.
  const isObjects = dtype === "string" || dtype === "variant";
  return isObjects ? await reader.lookupStoredBytes(key, options) : elementBytes(tensor);
}

/** Returns a note for each data file that is not there, where the files can be listed. */
async function missingShards({ prefix, numShards }: BundleReader, files: FileSet): Promise<StoreNote[]> {
  if (files.list === undefined || numShards > kMostShards || prefix.includes("/")) return [];
  // A folder whose files cannot be listed can still have files that are opened.
  const names = new Set(await files.list().catch(() => null));
  if (names.size === 0) return [];
  const wanted = Array.from({ length: numShards }, (_, i) => dataFilename(prefix, i, numShards));
  return wanted.filter((name) => !names.has(name)).map((name) => ["missing", name]);
}
