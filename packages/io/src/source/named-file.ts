/** Files of a set by their names: one that may be missing, and one that a reader finds under another name than its own. */
import { isStatusError } from "@onebuffer/base";
import type { ByteSource } from "./byte-source.ts";
import type { FileSet } from "./file-set.ts";
import { toByteSource } from "./to-byte-source.ts";
import { abortable, checkSignal } from "./transfer-options.ts";
import type { AbortSignalLike } from "./transfer-options.ts";

/**
 * Opens a file. Throws CANCELLED as soon as the signal is aborted, INVALID_ARGUMENT if the files have something else of this name than a source,
 * and the errors of the files.
 */
export async function openFile(files: FileSet, name: string, signal?: AbortSignalLike): Promise<ByteSource> {
  checkSignal(signal, name);
  return toByteSource(await abortable(name, signal, Promise.resolve(files.open(name))));
}

/** Returns `files` with `source` as the file `name`. */
export function withFile(files: FileSet, name: string, source: ByteSource): FileSet {
  return {
    open: async (each) => (each === name ? source : await files.open(each)),
    ...(files.list === undefined ? {} : { list: async () => (await files.list?.()) ?? [] }),
  };
}

/** Opens a file, or returns null if there is none of this name. Throws the other errors of `openFile`. */
export async function fileOrNull(files: FileSet, name: string, signal?: AbortSignalLike): Promise<ByteSource | null> {
  try {
    return await openFile(files, name, signal);
  } catch (error) {
    if (isStatusError(error, "NOT_FOUND")) return null;
    throw error;
  }
}
