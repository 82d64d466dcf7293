/** Opens a file of tensors by what it contains, not by its name alone. */
import { existsSync, readdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { InvalidArgumentError, NotFoundError } from "@onebuffer/base";
import type { TransferOptions } from "@onebuffer/io";
import { attemptFile, fileSource } from "@onebuffer/io/node";
import { openNpyFile, openNpzFile, openSafetensorsFile, openSafetensorsIndex } from "./array-files.ts";
import { openCheckpoint, openModelFolder } from "./checkpoint-file.ts";
import { fileStatus } from "./file-status.ts";
import { openRecords, recordCompression } from "./record-file.ts";
import type { TensorFile } from "./tensor-file.ts";
import { openTensorProto } from "./tensor-proto-file.ts";

const kIndexSuffix = ".safetensors.index.json";
/** The last eight bytes of TensorFlow's table files, and so of a checkpoint's index. */
const kTableMagic: readonly number[] = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb];
const kStartBytes = 64;

/**
 * Opens a file of tensors. `path` is a file of any format, the prefix of a checkpoint, its index or one of its data files, or the folder of a
 * SavedModel, of checkpoints, or of a safetensors model.
 *
 * Throws NOT_FOUND if there is nothing of this name, INVALID_ARGUMENT for another kind of file, and the errors of the readers.
 */
export async function openTensorFile(path: string, transfer: TransferOptions = {}): Promise<TensorFile> {
  const prefix = /^(.*)\.data-\d{5}-of-\d{5}$/.exec(path)?.[1];
  if (prefix !== undefined) return await openCheckpoint(prefix, transfer);
  const status = fileStatus(path);
  if (status?.isDirectory() === true) return await openFolder(path, transfer);
  if (status === undefined) {
    if (existsSync(`${path}.index`) || isFirstVersion(path)) return await openCheckpoint(path, transfer);
    throw new NotFoundError("no such file, and no checkpoint of this name");
  }
  if (path.endsWith(kIndexSuffix)) {
    return await openSafetensorsIndex(dirname(path), basename(path).slice(0, -kIndexSuffix.length), transfer);
  }
  const { start, end } = await ends(path);
  const begins = (...bytes: readonly number[]): boolean => bytes.every((byte, i) => start[i] === byte);
  if (begins(0x93, 0x4e, 0x55, 0x4d)) return await openNpyFile(path, transfer);
  if (begins(0x50, 0x4b, 3, 4) || begins(0x50, 0x4b, 5, 6)) return await openNpzFile(path, transfer);
  if (kTableMagic.every((byte, i) => end[i] === byte)) return await openCheckpoint(path.replace(/\.index$/, ""), transfer);
  // A header of safetensors is a JSON object after its length, which is less than 100 MB.
  if (path.endsWith(".safetensors") || (start[8] === 0x7b && begins7Zeros(start))) return await openSafetensorsFile(path, transfer);
  if (path.endsWith(".index")) return await openCheckpoint(path.slice(0, -6), transfer);
  if (path.endsWith(".npy")) return await openNpyFile(path, transfer);
  if (path.endsWith(".npz")) return await openNpzFile(path, transfer);
  const compression = await recordCompression(path, start);
  if (compression !== undefined) return await openRecords(path, compression, transfer);
  try {
    return await openTensorProto(path);
  } catch (cause) {
    throw new InvalidArgumentError("not a file of tensors: neither .npy, .npz, safetensors, a checkpoint, TFRecord nor a TensorProto", {
      cause,
    });
  }
}

const begins7Zeros = (start: Uint8Array<ArrayBufferLike>): boolean => start.subarray(4, 8).every((byte) => byte === 0);

/** Returns true if there is a shard of a checkpoint of version 1. */
function isFirstVersion(path: string): boolean {
  const name = basename(path);
  const folder = dirname(path);
  if (!existsSync(folder)) return false;
  const names = attemptFile("", () => readdirSync(folder));
  return names.some((each) => each.startsWith(name) && /^-\d{5}-of-\d{5}$/.test(each.slice(name.length)));
}

async function openFolder(path: string, transfer: TransferOptions): Promise<TensorFile> {
  const isModel = existsSync(join(path, "model.safetensors")) || existsSync(join(path, `model${kIndexSuffix}`));
  return isModel ? await openSafetensorsIndex(path, "model", transfer) : await openModelFolder(path, transfer);
}

/** Reads the first bytes of a file and its last eight. */
async function ends(path: string): Promise<{ readonly start: Uint8Array<ArrayBufferLike>; readonly end: Uint8Array<ArrayBufferLike> }> {
  using source = fileSource(path);
  const start = await source.read(0, Math.min(kStartBytes, source.size));
  const end = await source.read(Math.max(0, source.size - 8), Math.min(8, source.size));
  return { start: start.slice(), end: end.slice() };
}
