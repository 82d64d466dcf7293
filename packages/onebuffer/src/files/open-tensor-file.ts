/** Opens the file of tensors of a path with the formats of `onebuffer/io`. */
import { existsSync } from "node:fs";
import { basename, dirname } from "node:path";
import { isStatusError, NotFoundError } from "@onebuffer/base";
import type { StatusError } from "@onebuffer/base";
import { openTensorFiles } from "@onebuffer/io";
import type { FileSet, TensorInfo, TensorStore, TransferOptions } from "@onebuffer/io";
import { directoryFiles, fileSource } from "@onebuffer/io/node";
import { fileStatus } from "./file-status.ts";

/** An open file of tensors. */
export interface TensorFile {
  readonly store: TensorStore;
  /** What the index or header tells of every tensor, in the order of the file. */
  readonly infos: readonly TensorInfo[];
  /** Closes the files. */
  close(): void;
}

/**
 * Opens a file of tensors. `path` is a file of any format, the prefix of a checkpoint, its index or one of its data files, or the folder of a
 * SavedModel, of checkpoints, or of a safetensors model.
 *
 * Throws NOT_FOUND if there is nothing of this name, INVALID_ARGUMENT for another kind of file, and the errors of the readers.
 */
export async function openTensorFile(path: string, transfer: TransferOptions = {}): Promise<TensorFile> {
  const status = fileStatus(path);
  const isFolder = status?.isDirectory() === true;
  const folder = isFolder ? path : dirname(path);
  const name = isFolder ? "" : basename(path);
  if (status === undefined && !existsSync(folder)) throw new NotFoundError("no such file, and no checkpoint of this name");
  const beside = directoryFiles(folder);
  // The file itself may have any name that the system allows, and those that a set of files takes are the same on all systems.
  const source = status === undefined || isFolder ? null : fileSource(path);
  const close = (): void => {
    source?.close();
    beside.close();
  };
  const files: FileSet = {
    open: async (each) => (each === name && source !== null ? source : await beside.open(each)),
    list: async () => await beside.list(),
  };
  try {
    const store = await openTensorFiles(files, name, transfer);
    return { store, infos: store.names.map((each) => store.info(each)), close };
  } catch (error) {
    const plain = isFolder && isStatusError(error, "NOT_FOUND") ? await folderError(beside, error) : error;
    close();
    throw plain;
  }
}

/** The endings of files of tensors, and of the index of a checkpoint. */
const kEndings = /\.(?:npy|npz|safetensors|index|ckpt|tfrecords?|pb)$/;
/** The most files of a folder that a message names. */
const kNamed = 8;

/** Returns the error for a folder that is no model: it names the files of tensors that are in it. */
async function folderError(files: FileSet, cause: StatusError): Promise<NotFoundError> {
  const names = ((await files.list?.()) ?? []).filter((name) => kEndings.test(name)).sort();
  const more = names.length > kNamed ? ` and ${names.length - kNamed} more` : "";
  const inside =
    names.length === 0 ? "No file in it looks like one of tensors" : `Name one of its files: ${names.slice(0, kNamed).join(", ")}${more}`;
  return new NotFoundError(`this folder is no model: it has no checkpoint, no model.safetensors and no SavedModel. ${inside}`, { cause });
}
