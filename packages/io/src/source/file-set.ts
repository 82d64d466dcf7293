/** Several files that belong together: a checkpoint's index and shards, a sharded model. */
import type { ByteSource } from "./byte-source.ts";

/**
 * The files of one format that has several, found by their names relative to a folder.
 *
 * @example
 * const files: FileSet = { open: async (name) => { throw new NotFoundError(name); } };
 * typeof files.open; // => "function"
 */
export interface FileSet {
  /** Returns the source of a file. Throws NOT_FOUND if there is none of this name. */
  open(name: string): Promise<ByteSource>;
  /** Returns the names of all files, where that is known. */
  list?(): Promise<readonly string[]>;
}
