/** TensorFlow's checkpoints of version 1 as a format: tables without other files beside them, alone or in shards. */
import { dtypeSize, isObjectDType, isStatusError, NotFoundError } from "@onebuffer/base";
import type { DType, RawDType } from "@onebuffer/base";
import { shownValue } from "@onebuffer/base/internal";
import { product } from "@onebuffer/storage/internal";
import { CheckpointReader } from "../checkpoint/checkpoint-reader.ts";
import type { FileSet } from "../source/file-set.ts";
import { signalOf } from "../source/transfer-options.ts";
import type { TransferOptions } from "../source/transfer-options.ts";
import { kFooterMagic } from "../table/table-footer.ts";
import { TableReader } from "../table/table-reader.ts";
import { elementBytes } from "./element-bytes.ts";
import { beginsWith } from "./format.ts";
import type { Format } from "./format.ts";
import type { StoreReader } from "./checked-store.ts";
import type { StoredBytes, TensorInfo } from "./tensor-store.ts";

/** The tag of the field `meta`, a message, with which the value of the empty key begins. Version 2 has the number of shards there. */
const kMetaTag = 0x0a;

/** Tables whose empty key has the slices of all tensors. */
export const checkpointV1Format: Format = {
  name: "checkpoint v1",
  names: /(?!)/,
  async sniff({ name, source, end }, { signal }): Promise<boolean> {
    if (!beginsWith(end, ...kFooterMagic)) return false;
    try {
      const header = await (await TableReader.open(source, name, signal)).find(new Uint8Array(0), signal);
      return header?.[0] === kMetaTag;
    } catch (error) {
      if (!isStatusError(error) || error.code === "CANCELLED") throw error;
      return false;
    }
  },
  async open({ name, source }, options): Promise<StoreReader> {
    const only: FileSet = {
      open: async (each) => {
        if (each === name) return source;
        throw new NotFoundError(`no file ${shownValue(each)}`);
      },
    };
    return await openFirstVersionStore(only, name, options);
  },
  writer: null,
};

/** Opens the checkpoint `prefix` of `files`: one file, or shards if the files can be listed. Throws what `CheckpointReader.open` throws. */
export async function openFirstVersionStore(files: FileSet, prefix: string, options: TransferOptions): Promise<StoreReader> {
  const reader = await CheckpointReader.open(files, prefix, signalOf(options));
  const shapes = reader.variableToShapeMap;
  const infos = new Map<string, TensorInfo>();
  for (const [name, dtype] of reader.variableToDataTypeMap) {
    const shape = shapes.get(name)?.dimSizes ?? [];
    infos.set(name, { name, dtype, shape, bytes: bytesOf(dtype, shape) });
  }
  return {
    format: "checkpoint v1",
    names: [...infos.keys()],
    hasChecksums: true,
    notes: [],
    info: (name) => infos.get(name),
    async read(name, slice, options) {
      if (slice === null) return await reader.getTensor(name, options);
      using whole = await reader.getTensor(name, signalOf(options));
      return whole.copySlice(slice, options.allocator === undefined ? {} : { allocator: options.allocator });
    },
    async bytes(name, options): Promise<StoredBytes> {
      using tensor = await reader.getTensor(name, options);
      return { bytes: elementBytes(tensor), checksum: null };
    },
  };
}

/** The bytes of a tensor of numbers; 0 for strings, whose lengths are in the data. */
const bytesOf = (dtype: DType, shape: readonly number[]): number =>
  isObjectDType(dtype) ? 0 : dtypeSize(dtype as RawDType) * product(shape);
