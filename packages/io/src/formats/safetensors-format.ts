/** safetensors as a format: a file, and the index of a model in several files. */
import type { Tensor } from "@onebuffer/core";
import { isStatusError } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import type { TensorSlice } from "@onebuffer/slice";
import { readEntryRegion } from "../safetensors/entry-slice.ts";
import { kIndexName, kMaxIndexBytes, readModelIndex } from "../safetensors/model-index.ts";
import type { SafetensorsEntry } from "../safetensors/safetensors-header.ts";
import { SafetensorsFile } from "../safetensors/safetensors-file.ts";
import type { SafetensorsTensorOptions } from "../safetensors/safetensors-file.ts";
import { saveSafetensorsModel } from "../safetensors/save-safetensors-model.ts";
import { SafetensorsModel } from "../safetensors/safetensors-model.ts";
import { saveSafetensors } from "../safetensors/write-safetensors.ts";
import { checkedRead } from "../source/checked-read.ts";
import type { FileSet } from "../source/file-set.ts";
import { readAhead } from "../source/read-ahead.ts";
import { signalOf, transferOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { regionOfSlice } from "../tensor/region.ts";
import type { Format } from "./format.ts";
import { readToWrite, writeOneFile } from "./format.ts";
import { withFile } from "../source/named-file.ts";
import type { StoreNote, StoreReader } from "./checked-store.ts";
import type { TensorInfo } from "./tensor-store.ts";

/** Files that begin with the length of a header, less than 100 MB and thus with four zeros at its end, and the brace of the header. */
export const safetensorsFormat: Format = {
  name: "safetensors",
  names: /\.safetensors$/,
  sniff: ({ start }) => start[8] === 0x7b && start.subarray(4, 8).every((byte) => byte === 0),
  async open({ source }, options): Promise<StoreReader> {
    // Tensors are read one by one, in their order: small ones are read together. A slice reads its own bytes alone.
    const file = await SafetensorsFile.open(readAhead(source), signalOf(options));
    const notes = Array.from(file.metadata, ([name, value]): StoreNote => [`metadata ${name}`, value]);
    const slice: SliceRead = async (name, part, more) => {
      const entry = file.entry(name);
      return await readEntryRegion(source, entry, regionOfSlice(`tensor ${shownValue(name)}`, part, entry.shape), more);
    };
    return readerOf(file, file.entries, notes, slice);
  },
  writer: {
    names: /\.safetensors(\.index\.json)?$/,
    async write(tensors, files, name, { maxShardBytes, ...options }): Promise<void> {
      using all = await readToWrite(tensors);
      const transfer = transferOf(options);
      if (maxShardBytes === undefined) return await writeOneFile(files, name, (sink) => saveSafetensors(all, sink, transfer));
      const model = name.replace(/\.safetensors(\.index\.json)?$/, "");
      await saveSafetensorsModel(all, files, { maxShardBytes, name: model, ...transfer });
    },
  },
};

/** JSON files with a `weight_map`. */
export const safetensorsIndexFormat: Format = {
  name: "safetensors",
  names: /\.safetensors\.index\.json$/,
  async sniff({ source, start }, options): Promise<boolean> {
    if (source.size > kMaxIndexBytes || !/^\s*\{/.test(String.fromCharCode(...start))) return false;
    const bytes = await checkedRead(source, 0, source.size, "the index", options.signal);
    try {
      readModelIndex(bytes);
      return true;
    } catch (error) {
      if (!isStatusError(error)) throw error;
      return false;
    }
  },
  open: ({ files, source }, options) => openSafetensorsModelStore(withFile(files, kIndexName, source), options),
  writer: null,
};

/** Opens the model whose index, or only file, has its usual name in `files`. Throws NOT_FOUND if there is neither. */
export async function openSafetensorsModelStore(files: FileSet, options: TransferOptions): Promise<StoreReader> {
  const model = await SafetensorsModel.open(files, signalOf(options));
  const entries = new Map<string, SafetensorsEntry>();
  for (const name of model.names) entries.set(name, await model.entry(name, signalOf(options)));
  const shards = new Set(model.weightMap.values()).size;
  return readerOf(model, entries, [[`${shards} file${shards === 1 ? "" : "s"}`, ""]], (name, slice, more) =>
    model.slice(name, slice, more),
  );
}

type SliceRead = (name: string, slice: TensorSlice, options: SafetensorsTensorOptions) => Promise<Tensor>;

function readerOf(
  file: SafetensorsFile | SafetensorsModel,
  entries: ReadonlyMap<string, SafetensorsEntry>,
  notes: readonly StoreNote[],
  readSlice: SliceRead,
): StoreReader {
  return {
    format: "safetensors",
    names: [...entries.keys()],
    hasChecksums: false,
    notes,
    info: (name) => infoOf(entries.get(name)),
    async read(name, slice, options) {
      const kept = { ...options, boolBytes: "keep" } as const;
      return slice === null ? ((await file.tensor(name, kept)) as Tensor) : await readSlice(name, slice, kept);
    },
    bytes: async (name, options) => ({ bytes: await file.bytes(name, options), checksum: null }),
  };
}

function infoOf(entry: SafetensorsEntry | undefined): TensorInfo | undefined {
  if (entry === undefined) return undefined;
  const { name, dtype, type, shape, byteLength } = entry;
  return { name, dtype: dtype ?? type, shape, bytes: byteLength };
}
