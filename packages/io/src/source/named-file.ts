/** Files of a set by their names: one that may be missing, and one that a reader finds under another name than its own. */
import { isStatusError } from "@onebuffer/base";
import type { ByteSource } from "./byte-source.ts";
import type { FileSet } from "./file-set.ts";

/** Returns `files` with `source` as the file `name`. */
export function withFile(files: FileSet, name: string, source: ByteSource): FileSet {
  return {
    open: async (each) => (each === name ? source : await files.open(each)),
    ...(files.list === undefined ? {} : { list: async () => (await files.list?.()) ?? [] }),
  };
}

/** Returns a file, or null if there is none of this name. Throws the other errors of the files. */
export async function fileOrNull(files: FileSet, name: string): Promise<ByteSource | null> {
  try {
    return await files.open(name);
  } catch (error) {
    if (isStatusError(error, "NOT_FOUND")) return null;
    throw error;
  }
}
