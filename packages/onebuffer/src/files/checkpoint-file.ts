/** Checkpoints and SavedModels as TensorFiles. */
import { basename, dirname } from "node:path";
import { dtypeSize, isObjectDType, isStatusError, NotFoundError } from "@onebuffer/base";
import type { DType, RawDType } from "@onebuffer/base";
import type { Tensor } from "@onebuffer/core";
import { BundleReader, CheckpointReader, latestCheckpoint, openSavedModel } from "@onebuffer/io";
import type { TransferOptions } from "@onebuffer/io";
import { directoryFiles } from "@onebuffer/io/node";
import type { DirectoryFiles } from "@onebuffer/io/node";
import type { TensorSlice } from "@onebuffer/slice";
import { storedStrings } from "./stored-strings.ts";
import type { StoredTensor, TensorFile, TensorInfo } from "./tensor-file.ts";

/** Opens the checkpoint whose files begin with `prefix`, of version 1 or 2. */
export async function openCheckpoint(prefix: string, transfer: TransferOptions): Promise<TensorFile> {
  return await inFolder(dirname(prefix), async (files) => await openIn(files, basename(prefix), transfer));
}

/**
 * Opens the variables of a SavedModel, or the newest checkpoint that the file `checkpoint` of a folder names. Throws NOT_FOUND if there is
 * neither.
 */
export async function openModelFolder(folder: string, transfer: TransferOptions): Promise<TensorFile> {
  return await inFolder(folder, async (files) => {
    const latest = await latestCheckpoint(files).catch(() => null);
    if (latest !== null) return await openIn(files, latest, transfer);
    try {
      const [reader, unchecked] = await both((verifyChecksums) => openSavedModel(files, "", { ...transfer, verifyChecksums }));
      return bundleFile(reader, unchecked, files);
    } catch (error) {
      if (!isStatusError(error, "NOT_FOUND")) throw error;
      const others = "no file `checkpoint` that names a checkpoint in it, no model.safetensors, no model.safetensors.index.json";
      throw new NotFoundError(`the folder has no model: ${others}, and ${error.message}`, { cause: error });
    }
  });
}

async function inFolder(folder: string, open: (files: DirectoryFiles) => Promise<TensorFile>): Promise<TensorFile> {
  const files = directoryFiles(folder);
  try {
    return await open(files);
  } catch (error) {
    files.close();
    throw error;
  }
}

async function openIn(files: DirectoryFiles, name: string, transfer: TransferOptions): Promise<TensorFile> {
  try {
    const [reader, unchecked] = await both((verifyChecksums) => BundleReader.open(files, name, { ...transfer, verifyChecksums }));
    return bundleFile(reader, unchecked, files);
  } catch (error) {
    if (!isStatusError(error, "NOT_FOUND")) throw error;
    return firstVersion(await CheckpointReader.open(files, name, transfer), files);
  }
}

const both = async <T>(open: (verify: boolean) => Promise<T>): Promise<readonly [T, T]> => [await open(true), await open(false)];

/** The readers of a checkpoint: one that verifies the checksums of tensors, and one that reads damaged ones, too. */
function bundleFile(reader: BundleReader, unchecked: BundleReader, files: DirectoryFiles): TensorFile {
  const keys = reader.keyBytes;
  const keyOf = new Map(reader.keys.map((name, i) => [name, keys[i] as Uint8Array<ArrayBuffer>]));
  const infos = Array.from(keyOf, ([name, key]): TensorInfo => {
    const { dtype, shape } = reader.lookupDtypeAndShape(key);
    return { name, dtype, shape: shape.dimSizes, bytes: reader.storedSize(key) };
  });
  const find = (name: string): Uint8Array<ArrayBuffer> | string => keyOf.get(name) ?? name;
  const notes = [`${reader.numShards} data file${reader.numShards === 1 ? "" : "s"}`, ...(reader.isBigEndian ? ["big-endian"] : [])];
  return {
    format: "checkpoint",
    hasChecksums: true,
    infos,
    notes,
    close: () => files.close(),
    tensor: (name, transfer) => reader.lookup(find(name), transfer),
    slice: (name, slice: TensorSlice, transfer) => reader.lookupSlice(find(name), slice, transfer),
    async stored(name, transfer): Promise<StoredTensor> {
      const key = find(name);
      try {
        return { bytes: await storedBytes(reader, key, transfer), crc: "ok" };
      } catch (error) {
        if (!isStatusError(error, "DATA_LOSS")) throw error;
        return { bytes: await storedBytes(unchecked, key, transfer), crc: "bad" };
      }
    },
  };
}

async function storedBytes(
  reader: BundleReader,
  key: Uint8Array<ArrayBuffer> | string,
  transfer: TransferOptions,
): Promise<Uint8Array<ArrayBufferLike>> {
  const { dtype } = reader.lookupDtypeAndShape(key);
  if (dtype === "string" || dtype === "variant") {
    // Looking it up verifies the checksum of strings, which covers their lengths as well.
    (await reader.lookup(key, transfer)).dispose();
    return await reader.lookupStoredBytes(key, transfer);
  }
  using tensor = await reader.lookup(key, transfer);
  return tensor.tensorData.slice();
}

function firstVersion(reader: CheckpointReader, files: DirectoryFiles): TensorFile {
  const shapes = reader.variableToShapeMap;
  const infos = Array.from(reader.variableToDataTypeMap, ([name, dtype]): TensorInfo => {
    const shape = shapes.get(name)?.dimSizes ?? [];
    return { name, dtype, shape, bytes: elementBytes(dtype, shape) };
  });
  return {
    format: "checkpoint v1",
    hasChecksums: true,
    infos,
    notes: [],
    close: () => files.close(),
    tensor: (name, transfer) => reader.getTensor(name, transfer),
    async stored(name, transfer): Promise<StoredTensor> {
      using tensor: Tensor = await reader.getTensor(name, transfer);
      return { bytes: tensor.dtype === "string" ? storedStrings(tensor) : tensor.tensorData.slice(), crc: null };
    },
  };
}

/** The bytes of a tensor of numbers; 0 for strings, whose lengths are in the data. */
const elementBytes = (dtype: DType, shape: readonly number[]): number =>
  isObjectDType(dtype) ? 0 : dtypeSize(dtype as RawDType) * shape.reduce((all, size) => all * size, 1);
